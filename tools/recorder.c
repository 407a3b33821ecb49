/* SPDX-License-Identifier: MIT */
/* recorder.c - the `recorder` command: hands over to a verb */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "likeness.h"
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
	{"functions", "functions traced by name, and each of their calls", cmd_functions},
	{"system", "run a command and record its system calls in the kernel", cmd_system},
	{"ctl", "pause, resume or flush running processes", cmd_ctl},
	{"clean", "remove what dead processes left in memory", cmd_clean},
	{"filter", "a smaller trace, with the records that a filter lets through", cmd_filter},
	{"anonymize", "copy a trace with other names in it", cmd_anonymize},
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

static const struct converter {
	const char *name, *summary;
} converters[] = {
	{"recorder2text", "print a trace, one line a record"},
	{"recorder2pfw", "convert it to JSON events, for DFAnalyzer, Perfetto, speedscope"},
	{"recorder2sqlite", "convert it to a database of SQLite"},
	{"recorder2parquet", "convert it to a table of Apache Parquet"},
	{"recorder2csv", "convert it to a table of text, or to what Drishti reads"},
	{"recorder2collapsed", "convert it to collapsed stacks, for flame graphs"},
};

#define CONVERTER_COUNT (sizeof(converters) / sizeof(converters[0]))
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
	for (size_t i = 0; i < CONVERTER_COUNT; i++)
		printf("  %-18s  %s\n", converters[i].name, converters[i].summary);
	printf("\n'recorder VERB --help' tells the rest.\n"
	       "\nexamples:\n"
	       "  recorder run -o trace -- mpirun -np 4 ./app\n"
	       "  recorder summary trace\n"
	       "  recorder2text --ranks 0 trace | less\n");
	return answered();
}

/* ---- what is no verb ---- */

/* The name that was meant; NULL: none is like it. */
static const char *like(const char *verb)
{
	struct likeness likeness = likeness_of(verb);

	for (size_t i = 0; i < CONVERTER_COUNT; i++)
		if (!strcmp(verb, converters[i].name) ||
		    !strcmp(verb, converters[i].name + strlen("recorder")) ||
		    !strcmp(verb, converters[i].name + strlen("recorder2")))
			return converters[i].name;
	for (size_t i = 0; i < VERB_COUNT; i++)
		likeness_try(&likeness, verbs[i].name);
	return likeness.best;
}

static int refuse(const char *verb)
{
	const char *meant = like(verb);

	if (*verb == '-')
		message_error("unknown option '%s' (try 'recorder --help')", verb);
	else if (meant)
		message_error("'%s' is not a verb; is '%s' meant? (try 'recorder --help')", verb,
			      meant);
	else
		message_error("'%s' is not a verb (try 'recorder --help')", verb);
	return EXIT_USAGE;
}

static int run_verb(int argc, char **argv)
{
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (!strcmp(argv[0], verbs[i].name))
			return verbs[i].run(argc, argv);
	return refuse(argv[0]);
}

/* recorder help VERB: recorder VERB --help */
static int help(char *verb)
{
	char option[] = "--help", *words[] = {verb, option, NULL};

	return run_verb(2, words);
}

int main(int argc, char **argv)
{
	const char *verb = argv[1];

	if (argc < 2)
		return usage();
	if (!strcmp(verb, "help") && argc > 2)
		return help(argv[2]);
	if (!strcmp(verb, "--help") || !strcmp(verb, "-h") || !strcmp(verb, "help"))
		return usage();
	if (!strcmp(verb, "--version") || !strcmp(verb, "-V")) {
		printf("recorder (Recorder) %s\n", RECORDER_VERSION);
		return answered();
	}
	return run_verb(argc - 1, argv + 1);
}
