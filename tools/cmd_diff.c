/* SPDX-License-Identifier: MIT */
/* cmd_diff.c - recorder diff: what has changed between two runs */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse.h"
#include "analysis/quantities.h"
#include "commands.h"
#include "differences.h"
#include "format/job.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "summary_lines.h"
#include "walk.h"

#define TOP_DEFAULT 8u
#define ENVIRONMENT "environment"

static unsigned top;
static bool all_rows, as_exit_code;
static const char *table = "functions";

static int table_number(const char *name)
{
	for (unsigned i = 0; i < DIFFERENCE_TABLES; i++)
		if (!strcmp(difference_table_name(i), name))
			return (int)i;
	return -1;
}

static int check_table(const char *name)
{
	return table_number(name) >= 0 || !strcmp(name, ENVIRONMENT) ? 0 : -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_COUNT, 'n', "top", "N", "rows of each table of the text (default 8)", &top, NULL},
	{OPTION_FLAG, 'a', "all", NULL, "all rows", &all_rows, NULL},
	{OPTION_CALL, 0, "files-class", "CLASS",
	 "which files: data (default), software, system, pipe, socket, several, or all", NULL,
	 options_parse_class},
	{OPTION_TEXT, 0, "table", "NAME",
	 "of --csv: layers, functions, files, ranks or environment", &table, check_table},
	{OPTION_FLAG, 0, "exit-code", NULL,
	 "exit 1 if calls, failures or bytes of a layer, function or file differ", &as_exit_code,
	 NULL},
	OPTION_ROW_THREADS,
	{OPTION_FLAG, 0, "strict", NULL, "exit 1 if a trace is incomplete", &options.strict, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder diff",
	.synopsis = "[options] BEFORE AFTER",
	.summary = "Says what has changed between two runs: time, calls, failures and bytes by "
		   "layer, function, file\n"
		   "and rank, and the environment. What has changed most comes first.",
	.groups = groups,
	.examples = "  recorder diff monday friday\n"
		    "  recorder diff --layers posix --top 20 before after\n"
		    "  recorder diff --json before after | jq '.functions[0]'\n"
		    "  recorder diff --exit-code --quiet before after >/dev/null || echo changed\n",
};

/* ---- text ---- */

static const char *signed_time(char text[QUANTITY_ROOM], int64_t ns)
{
	char size[QUANTITY_ROOM];

	quantity_time(size, ns < 0 ? -ns : ns);
	text[0] = ns < 0 ? '-' : '+';
	memcpy(text + 1, size, QUANTITY_ROOM - 1);
	text[QUANTITY_ROOM - 1] = '\0';
	return text;
}

static void put_time(char text[QUANTITY_ROOM], const struct difference_side *side)
{
	if (side->there)
		quantity_time(text, side->time);
	else
		memcpy(text, "-", 2);
}

static void put_row(struct output *output, const struct difference *row)
{
	char before[QUANTITY_ROOM], after[QUANTITY_ROOM], change[QUANTITY_ROOM];
	char calls[2][QUANTITY_ROOM], moved[2][QUANTITY_ROOM];

	put_time(before, &row->sides[0]);
	put_time(after, &row->sides[1]);
	for (unsigned side = 0; side < 2; side++) {
		quantity_count(calls[side], row->sides[side].calls);
		quantity_bytes(moved[side],
			       row->sides[side].bytes_read + row->sides[side].bytes_written);
	}
	summary_line(output, "  %10s %10s %11s %11s %11s %9s %9s  %s%s%s", before, after,
		     signed_time(change, difference_time(row)), calls[0], calls[1], moved[0],
		     moved[1], row->what, *row->what ? " " : "", row->name);
}

static bool is_changed(const struct difference *row)
{
	return difference_counts(row) || difference_time(row) != 0;
}

static void put_rows(struct output *output, const struct summary *screen,
		     const struct differences *differences, enum difference_table number)
{
	unsigned changed = 0, rows;

	for (unsigned i = 0; i < differences->counts[number]; i++)
		changed += is_changed(&differences->rows[number][i]);
	output_char(output, '\n');
	summary_line(output,
		     "%-9s    before      after      change       calls before/after   bytes "
		     "before/after",
		     difference_table_name(number));
	rows = summary_rows(screen, changed);
	for (unsigned i = 0, put = 0; i < differences->counts[number] && put < rows; i++)
		if (is_changed(&differences->rows[number][i])) {
			put_row(output, &differences->rows[number][i]);
			put++;
		}
	if (rows < changed)
		summary_line(output, "  ... %u more, see --top", changed - rows);
	if (changed == 0)
		summary_line(output, "  nothing has changed");
}

static void put_run(struct output *output, const char *name, const struct difference_trace *trace)
{
	char time[QUANTITY_ROOM], records[QUANTITY_ROOM];

	summary_line(output, "%-7s %s: %u rank%s, %s, %s records%s", name, trace->info.dir,
		     trace->info.ranks, trace->info.ranks == 1 ? "" : "s",
		     quantity_time(time, trace->info.duration),
		     quantity_count(records, trace->info.records),
		     trace->info.complete ? "" : ", INCOMPLETE");
}

static void put_text(struct output *output, const struct difference_trace traces[2],
		     const struct differences *differences)
{
	struct summary screen = {.top = all_rows ? 0 : top ? top : TOP_DEFAULT};

	put_run(output, "before", &traces[0]);
	put_run(output, "after", &traces[1]);
	for (unsigned i = 0; i < DIFFERENCE_TABLES; i++)
		put_rows(output, &screen, differences, i);
	output_text(output, "\nenvironment\n");
	for (unsigned i = 0; i < differences->setting_count; i++) {
		const struct difference_setting *setting = &differences->settings[i];

		summary_line(output, "  %-20s %.200s -> %.200s", setting->name,
			     *setting->sides[0] ? setting->sides[0] : "-",
			     *setting->sides[1] ? setting->sides[1] : "-");
	}
	if (differences->setting_count == 0)
		output_text(output, "  nothing has changed\n");
}

/* ---- JSON ---- */

static void put_side(struct json *json, const char *key, const struct difference_side *side)
{
	json_begin(json, key, '{');
	json_put_bool(json, "there", side->there);
	json_put_unsigned(json, "calls", side->calls);
	json_put_unsigned(json, "errors", side->errors);
	json_put_seconds(json, "time", side->time);
	json_put_integer(json, "bytes_read", side->bytes_read);
	json_put_integer(json, "bytes_written", side->bytes_written);
	json_end(json, '}');
}

static void put_table(struct json *json, const struct differences *differences,
		      enum difference_table number)
{
	static const char *const what[DIFFERENCE_TABLES] = {
		[DIFFERENCE_FUNCTIONS] = "layer", [DIFFERENCE_FILES] = "class"};
	static const char *const names[DIFFERENCE_TABLES] = {"layer", "function", "path", "rank"};

	json_begin(json, difference_table_name(number), '[');
	for (unsigned i = 0; i < differences->counts[number]; i++) {
		const struct difference *row = &differences->rows[number][i];

		json_begin(json, NULL, '{');
		if (what[number])
			json_put_string(json, what[number], row->what);
		json_put_string(json, names[number], row->name);
		put_side(json, "before", &row->sides[0]);
		put_side(json, "after", &row->sides[1]);
		json_put_seconds(json, "change", difference_time(row));
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_trace(struct json *json, const char *key, const struct difference_trace *trace)
{
	json_begin(json, key, '{');
	json_put_string(json, "dir", trace->info.dir);
	json_put_bool(json, "complete", trace->info.complete);
	json_put_unsigned(json, "ranks", trace->info.ranks);
	json_put_unsigned(json, "records", trace->info.records);
	json_put_seconds(json, "duration", trace->info.duration);
	json_end(json, '}');
}

static void put_json(struct output *output, const struct difference_trace traces[2],
		     const struct differences *differences)
{
	struct json json = {.output = output};

	json_begin(&json, NULL, '{');
	put_trace(&json, "before", &traces[0]);
	put_trace(&json, "after", &traces[1]);
	for (unsigned i = 0; i < DIFFERENCE_TABLES; i++)
		put_table(&json, differences, i);
	json_begin(&json, ENVIRONMENT, '[');
	for (unsigned i = 0; i < differences->setting_count; i++) {
		json_begin(&json, NULL, '{');
		json_put_string(&json, "name", differences->settings[i].name);
		json_put_string(&json, "before", differences->settings[i].sides[0]);
		json_put_string(&json, "after", differences->settings[i].sides[1]);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_end(&json, '}');
}

/* ---- CSV ---- */

static void put_csv_side(struct output *output, const struct difference_side *side)
{
	output_char(output, ',');
	output_u64(output, side->calls);
	output_char(output, ',');
	output_u64(output, side->errors);
	output_char(output, ',');
	output_decimal(output, side->time, 9);
	output_char(output, ',');
	output_i64(output, side->bytes_read);
	output_char(output, ',');
	output_i64(output, side->bytes_written);
}

static void put_csv_settings(struct output *output, const struct differences *differences)
{
	output_text(output, "name,before,after\n");
	for (unsigned i = 0; i < differences->setting_count; i++) {
		output_csv(output, differences->settings[i].name);
		output_char(output, ',');
		output_csv(output, differences->settings[i].sides[0]);
		output_char(output, ',');
		output_csv(output, differences->settings[i].sides[1]);
		output_char(output, '\n');
	}
}

static void put_csv(struct output *output, const struct differences *differences)
{
	int number = table_number(table);

	if (number < 0) {
		put_csv_settings(output, differences);
		return;
	}
	output_text(output,
		    "what,name,calls_before,errors_before,time_before,bytes_read_before,"
		    "bytes_written_before,calls_after,errors_after,time_after,bytes_read_after,"
		    "bytes_written_after\n");
	for (unsigned i = 0; i < differences->counts[number]; i++) {
		const struct difference *row = &differences->rows[number][i];

		output_csv(output, row->what);
		output_char(output, ',');
		output_csv(output, row->name);
		put_csv_side(output, &row->sides[0]);
		put_csv_side(output, &row->sides[1]);
		output_char(output, '\n');
	}
}

/* ---- all of it ---- */

static void put_out(const struct difference_trace traces[2], const struct differences *differences)
{
	struct output output;

	output_begin_stdout(&output);
	if (options.json)
		put_json(&output, traces, differences);
	else if (options.csv)
		put_csv(&output, differences);
	else
		put_text(&output, traces, differences);
	output_end(&output);
}

/* Ranks differ in time alone, mostly; their calls are those of functions. */
static bool is_other(const struct differences *differences)
{
	for (unsigned number = 0; number < DIFFERENCE_RANKS; number++)
		for (unsigned i = 0; i < differences->counts[number]; i++)
			if (difference_counts(&differences->rows[number][i]))
				return true;
	return false;
}

int cmd_diff(int argc, char **argv)
{
	struct difference_trace traces[2];
	struct analysis *analyses[2];
	struct differences differences;
	int first = options_parse(&command, argc, argv);
	bool whole = true, other;

	if (first + 2 != argc)
		options_usage_error(&command, "two traces are needed");
	if (job_rank().source && job_rank().rank > 0)
		return EXIT_DONE; /* the first rank does it */
	for (unsigned side = 0; side < 2; side++) {
		traces[side].info.sz = sizeof(traces[side].info);
		analyses[side] = analyse_alone(argv[first + (int)side], &traces[side].trace,
					       &traces[side].info);
		traces[side].analysis = analyses[side];
		whole &= trace_is_whole(traces[side].trace);
	}
	differences_find(&differences, traces, options.file_classes);
	other = is_other(&differences);
	put_out(traces, &differences);
	differences_release(&differences);
	for (unsigned side = 0; side < 2; side++) {
		analysis_free(analyses[side]);
		reader_close(traces[side].trace);
	}
	return (as_exit_code && other) || (!whole && options.strict) ? EXIT_FAILED : EXIT_DONE;
}
