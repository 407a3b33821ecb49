/* SPDX-License-Identifier: MIT */
/* cmd_report.c - recorder report: a page of HTML that shows where time, calls and bytes of a run went */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyse.h"
#include "commands.h"
#include "message.h"
#include "options.h"
#include "report_data.h"
#include "report_page.h"
#include "walk.h"

static const char *output_path;
static bool force;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE",
	 "write to FILE, '-' for stdout (default: NAME.html here)", &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	OPTION_ROW_THREADS,
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder report",
	.synopsis = "[options] [DIR]",
	.summary = "Writes a page of HTML, one file that any browser shows without a network: "
		   "where time, calls\n"
		   "and bytes of a run went.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder report trace                           trace.html\n"
		    "  recorder report -o r.html --time 10s..20s trace\n",
};

/* What was typed, for the page: who reads it may want the same with another filter. To be freed. */
static char *command_line(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		die("out of memory");
	fputs("recorder", stream);
	for (int i = 0; i < argc; i++)
		fprintf(stream, " %s", argv[i]);
	if (fclose(stream))
		die("out of memory");
	return text;
}

/* So that nobody waits for a report that cannot be written. */
static void look_for_file(const char *path)
{
	struct stat status;

	if (!force && !stat(path, &status) && S_ISREG(status.st_mode))
		output_die(path, -EEXIST);
}

/*
 * The data stands in a <script> of JSON: no text of it may end that or open a comment. Beyond ASCII all is escaped already; what is markup stands in strings alone,
 * where \u003c is the same.
 */
static void put_data(struct output *output, const struct output *data)
{
	for (const char *p = data->buffer; p < data->next; p++) {
		if (*p == '<' || *p == '>' || *p == '&') {
			output_text(output, "\\u00");
			output_hex(output, (unsigned char)*p, 2);
		} else {
			output_char(output, *p);
		}
	}
}

static void put_pieces(struct output *output, const char *const *pieces)
{
	for (; *pieces; pieces++)
		output_text(output, *pieces);
}

static void write_page(const struct summary *summary, const char *path, const char *line)
{
	struct output_options output_options = {.force = force, .jobs = 1};
	struct output output, data;

	output_begin(&output, path, &output_options);
	if (output_memory(&data) || report_data(&data, summary, line)) {
		output_cancel(&output);
		die("out of memory");
	}
	put_pieces(&output, report_page_begin);
	put_data(&output, &data);
	put_pieces(&output, report_page_end);
	output_cancel(&data);
	output_end(&output);
	if (strcmp(path, "-") != 0)
		message_note("the report is %s", path);
}

int cmd_report(int argc, char **argv)
{
	struct summary summary = {.info.sz = sizeof(summary.info)};
	char *line = command_line(argc, argv), *path = NULL;
	int first = options_parse(&command, argc, argv);
	struct analysis *analysis;
	bool whole;

	if (first + 1 < argc)
		options_usage_error(&command, "more than one trace");
	if (!output_path && first < argc)
		output_path = path = trace_output_path(argv[first], "html");
	if (output_path)
		look_for_file(output_path);
	analysis = analyse(first < argc ? argv[first] : NULL, &summary.trace, &summary.info);
	summary.analysis = analysis;
	if (!output_path)
		output_path = path = trace_output_path(summary.info.dir, "html");
	write_page(&summary, output_path, line);
	whole = trace_is_whole(summary.trace);
	analysis_free(analysis);
	reader_close(summary.trace);
	free(path);
	free(line);
	return whole || !options.strict ? EXIT_DONE : EXIT_FAILED;
}
