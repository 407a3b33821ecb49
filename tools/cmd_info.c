/* SPDX-License-Identifier: MIT */
/* cmd_info.c - recorder info: what is in a trace, and whether it is complete */
#include "commands.h"
#include "info_json.h"
#include "info_text.h"
#include "message.h"
#include "options.h"
#include "ranks.h"
#include "walk.h"

static struct info_parts parts;

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "files", NULL, "also the files: what they are, and on which file system",
	 &parts.files, NULL},
	{OPTION_FLAG, 0, "threads", NULL, "also the threads: names, and whose function they run",
	 &parts.threads, NULL},
	{OPTION_FLAG, 0, "entropy", NULL,
	 "also how few bytes the times could be stored in; reads the whole trace", &parts.entropy,
	 NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder info",
	.synopsis = "[options] [DIR]",
	.summary = "Says what is in a trace, and whether it is complete.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder info trace\n"
		    "  recorder info --json trace | jq .records\n"
		    "  recorder info --strict -q trace && echo complete\n",
};

int cmd_info(int argc, char **argv)
{
	struct reader_info info = {.sz = sizeof(info)};
	int at = options_parse(&command, argc, argv);
	struct output output;
	struct reader *trace;
	bool complete;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	ranks_leave_to_first();
	trace = trace_open(argv[at]);
	reader_info(trace, &info);
	complete = trace_is_whole(trace);
	output_begin_stdout(&output);
	if (options.json)
		info_json(&output, trace, &info, &parts);
	else if (options.csv)
		info_csv(&output, trace, &info);
	else
		info_text(&output, trace, &info, &parts);
	output_end(&output);
	trace_warn_incomplete(trace, &info);
	reader_close(trace);
	return options.strict && !complete ? EXIT_FAILED : EXIT_DONE;
}
