/* SPDX-License-Identifier: MIT */
/* recorder.c - the `recorder` command: hands over to a verb */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "message.h"

static const struct verb {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"run", "run a command and record it", cmd_run},
	{"env", "print the environment that records, for job scripts", cmd_env},
	{"info", "what is in a trace, and whether it is complete", cmd_info},
	{"check", "verify every checksum and count of a trace", cmd_check},
	{"repair", "complete what killed processes left", cmd_repair},
	{"pack", "make one file of a trace, with what ranks have in common once", cmd_pack},
	{"unpack", "make a directory of a packed trace again", cmd_unpack},
	{"where", "the calls that every rank is or was in", cmd_where},
	{"summary", "where time, calls and bytes went", cmd_summary},
	{"findings", "what is worth looking at, and what to do", cmd_findings},
	{"verify", "which ranks touch the same bytes, and where that is correct", cmd_verify},
	{"match", "which messages belong together, and who waited for whom", cmd_match},
	{"diff", "what has changed between two runs", cmd_diff},
	{"sql", "answers to questions in SQL", cmd_sql},
	{"report", "a page of HTML of it, with charts", cmd_report},
	{"stacks", "which places in the program make calls, by time and bytes", cmd_stacks},
	{"ctl", "pause, resume or flush running processes", cmd_ctl},
	{"clean", "remove what dead processes left in memory", cmd_clean},
	{"filter", "a smaller trace, with the records that a filter lets through", cmd_filter},
	{"anonymize", "copy a trace with other names in it", cmd_anonymize},
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

/* The end of what was asked for on stdout. */
static int answered(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
	return EXIT_DONE;
}

static int usage(void)
{
	printf("usage: recorder VERB [options] [--] ARGS\n\nRecords what the processes of a job "
	       "do, call by call.\n\n");
	for (size_t i = 0; i < VERB_COUNT; i++)
		printf("  recorder %-9s  %s\n", verbs[i].name, verbs[i].summary);
	printf("  recorder2text    print a trace, one line a record\n"
	       "  recorder2pfw     convert it to JSON events, for DFAnalyzer, Perfetto, "
	       "speedscope\n"
	       "  recorder2sqlite  convert it to a database of SQLite\n"
	       "  recorder2parquet convert it to a table of Apache Parquet\n"
	       "  recorder2csv     convert it to a table of text, or to what Drishti reads\n"
	       "  recorder2collapsed  convert it to collapsed stacks, for flame graphs\n"
	       "\n'recorder VERB --help' tells the rest.\n"
	       "\nexamples:\n"
	       "  recorder run -o trace -- mpirun -np 4 ./app\n"
	       "  recorder summary trace\n"
	       "  recorder2text --ranks 0 trace | less\n");
	return answered();
}

int main(int argc, char **argv)
{
	const char *verb = argv[1];

	if (argc < 2)
		return usage();
	if (!strcmp(verb, "--help") || !strcmp(verb, "-h") || !strcmp(verb, "help"))
		return usage();
	if (!strcmp(verb, "--version") || !strcmp(verb, "-V")) {
		printf("recorder (Recorder) %s\n", RECORDER_VERSION);
		return answered();
	}
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (!strcmp(verb, verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	message_error("%s'%s'%s (try 'recorder --help')", *verb == '-' ? "unknown option " : "",
		      verb, *verb == '-' ? "" : " is not a verb");
	return EXIT_USAGE;
}
