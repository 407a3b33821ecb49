/* SPDX-License-Identifier: MIT */
/* recorder2pfw.c - a trace as JSON events: DFTracer's lines or strict Chrome JSON */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fileset.h"
#include "format/job.h"
#include "message.h"
#include "options.h"
#include "outputs.h"
#include "perprocess.h"
#include "split_pfw.h"
#include "to_events.h"

static const char *output_path;
static bool force, compress, no_args, show_stacks, by_process;
static uint64_t file_size; /* with --split, else 0 */

static const struct format {
	const char *name, *extension;
	const struct events_form *form;
	const struct walk_ops *split; /* into several files; NULL: see split_pfw.h */
	bool later;
} formats[] = {{"pfw", "pfw", &out_pfw_form, NULL, false},
	       {"chrome", "json", &out_chrome_form, &out_chrome_ops, false},
	       {"pfw2", "pfw", &out_pfw2_form, NULL, true}};

#ifdef RECORDER2TIMELINE /* the same program by the name that users of Recorder know */
#define PROGRAM "recorder2timeline"
#define FORMAT_DEFAULT 1
#define FORMAT_HELP "chrome: strict JSON (default); pfw, pfw2: DFTracer's lines"
#define EXAMPLES                                                                                   \
	"  recorder2timeline -o t.json trace                for ui.perfetto.dev, speedscope\n"     \
	"  recorder2timeline --no-args --ranks 0 -o - trace | less\n"
#else
#define PROGRAM "recorder2pfw"
#define FORMAT_DEFAULT 0
#define FORMAT_HELP                                                                                \
	"pfw: DFTracer's lines (default); pfw2: those of DFTracer 2; chrome: strict JSON"
#define EXAMPLES                                                                                   \
	"  recorder2pfw -z trace                            trace.pfw.gz for DFAnalyzer\n"         \
	"  recorder2pfw --format chrome -o t.json trace     for ui.perfetto.dev, speedscope\n"     \
	"  recorder2pfw --format chrome --split 200M trace  trace-0000.json ... for what is too "  \
	"large\n"                                                                                  \
	"  recorder2pfw --format chrome --no-args --ranks 0 -o - trace | less\n"                   \
	"  recorder2pfw -z --per-process -o t trace         t-APP-PID.pfw.gz ..., as "             \
	"DFTracer names them\n"
#endif

static const struct format *format = &formats[FORMAT_DEFAULT];

static int parse_format(const char *value)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(value, formats[i].name) != 0)
			continue;
		format = &formats[i];
		return 0;
	}
	return -EINVAL;
}

/* "500000", "64K", "1.5M", "2G": by 1,024. */
static int parse_size(const char *value)
{
	static const char units[] = "KMG";
	char *end;
	double size = strtod(value, &end);
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;

	if (end == value || !(size > 0) || (*end && (!unit || end[1])))
		return -EINVAL;
	for (; unit && unit >= units; unit--)
		size *= 1024;
	if (size < 1 || size > 1e18)
		return -EINVAL;
	file_size = (uint64_t)size;
	return 0;
}

static const struct option_row own_rows[] = {
	{OPTION_CALL, 0, "format", "FORMAT", FORMAT_HELP, NULL, parse_format},
	{OPTION_FLAG, 'z', "gzip", NULL, "compress, as one gzip member", &compress, NULL},
	{OPTION_TEXT, 'o', "output", "FILE",
	 "write to FILE, '-' for stdout (default: NAME.pfw or NAME.json here)", &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	{OPTION_FLAG, 0, "no-args", NULL, "names and times only, for flame graphs", &no_args, NULL},
	{OPTION_FLAG, 0, "stacks", NULL, "call stacks among the arguments (RECORDER_STACKS)",
	 &show_stacks, NULL},
	{OPTION_CALL, 0, "split", "SIZE", "several files of about SIZE each: NAME-0000.pfw ...",
	 NULL, parse_size},
	{OPTION_FLAG, 0, "per-process", NULL,
	 "one file a process, as DFTracer has them: FILE-APP-PID.pfw ...", &by_process, NULL},
	{OPTION_COUNT, 'j', "jobs", "N", "processes that convert (default: as many as CPUs)",
	 &options.jobs, NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = PROGRAM,
	.synopsis = "[options] [DIR]",
	.summary = "Converts a trace to JSON events: one X event for each call.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = EXAMPLES,
};

/* In the working directory: "DIR.pfw.gz". To be freed. */
static char *default_path(const char *dir)
{
	char ending[16];

	snprintf(ending, sizeof(ending), "%s%s", format->extension, compress ? ".gz" : "");
	return trace_output_path(dir, ending);
}

static _Noreturn void split_die(const struct fileset *set, int error)
{
	char *path = fileset_path(set);

	output_die(path ? path : set->path, error);
}

/* In several files. */
static void convert_split(struct walk *walk, const char *path,
			  const struct convert_options *convert_options)
{
	struct output_options output_options = {.force = force, .gzip = compress};
	struct out_events events = {.no_args = no_args, .show_stacks = show_stacks};
	struct fileset set;
	int error;

	output_options.jobs = convert_options->jobs;
	if (fileset_begin(&set, path, &output_options, file_size))
		die("--split needs a name for files, not '%s'", path);
	if (!format->split) {
		error = split_pfw(walk, &set, convert_options);
	} else {
		events.files = &set;
		error = fileset_next(&set);
		events.output = set.current;
		error = error ? error : walk_run(walk, format->split, &events);
		out_events_release(&events);
	}
	if (!error)
		error = fileset_commit(&set);
	else
		fileset_cancel(&set);
	if (error)
		split_die(&set, error);
}

/* Whether this is the rank of a launcher that says what there is to be said for all. */
static bool is_leader(void)
{
	struct job_rank rank = job_rank();

	return !rank.source || rank.size <= 1 || rank.rank == 0;
}

/* FILE-APP-PID.pfw.gz; -o FILE, or the trace's name. */
static void convert_each(struct walk *walk, struct convert_options *convert_options)
{
	struct job_rank rank = job_rank();
	bool shared = rank.source && rank.size > 1;
	char *name = output_path ? NULL : trace_name(walk->info.dir), ending[16];
	struct per_process per = {.prefix = output_path ? output_path : name,
				  .ending = ending,
				  .convert = convert_options,
				  .number = shared ? (unsigned)rank.rank : 0,
				  .count = shared ? (unsigned)rank.size : 1};
	unsigned count;

	snprintf(ending, sizeof(ending), "%s%s", format->extension, compress ? ".gz" : "");
	count = convert_per_process(walk, &per);
	if (is_leader())
		message_note("%u file%s of events: %s-...", count, count == 1 ? "" : "s",
			     per.prefix);
	free(name);
}

/* Whether the trace is whole; true in ranks that have no say. */
static bool convert(struct walk *walk, const char *path)
{
	struct convert_options convert_options = {.force = force,
						  .gzip = compress,
						  .form = format->form,
						  .no_args = no_args,
						  .show_stacks = show_stacks,
						  .later = format->later};

	convert_options.jobs = options_jobs();
	if (by_process) {
		convert_each(walk, &convert_options);
		return convert_options.problems == 0 && trace_is_whole(walk->trace);
	}
	if (file_size && !is_leader())
		return true;
	if (file_size)
		convert_split(walk, path, &convert_options);
	else if (!convert_events(walk, path, &convert_options))
		return true;
	if (strcmp(path, "-") != 0)
		message_note("%" PRIu64 " events in %s", walk->records, path);
	if (format->later && !compress)
		message_note("DFTracer's analyzer reads compressed files alone: -z");
	return convert_options.problems == 0 && trace_is_whole(walk->trace);
}

int main(int argc, char **argv)
{
	struct walk walk;
	int at = options_parse(&command, argc, argv);
	char *path = NULL;
	bool whole, quiet;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	if (no_args && show_stacks)
		options_usage_error(&command, "--stacks shows arguments, --no-args none");
	if (by_process && (file_size || (output_path && !strcmp(output_path, "-"))))
		options_usage_error(&command, "--per-process makes files of its own, whole ones");
	options.filter.in_flight = 1;
	quiet = message_quiet;
	message_quiet |= !is_leader();
	walk_open(&walk, argv[at]);
	message_quiet = quiet;
	if (!output_path && !by_process)
		output_path = path = default_path(walk.info.dir);
	whole = convert(&walk, output_path);
	reader_close(walk.trace);
	free(path);
	return options.strict && !whole ? EXIT_FAILED : EXIT_DONE;
}
