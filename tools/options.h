/* SPDX-License-Identifier: MIT */
/*
 * options.h - command lines: one table is parsed, and printed by --help.
 *
 * A command has groups of options; the shared ones (filter, general) are here, its own are a static
 * table in its file. An option writes to the variable that its row points to.
 */
#ifndef RECORDER_TOOLS_OPTIONS_H
#define RECORDER_TOOLS_OPTIONS_H

#include <stdbool.h>

#include <recorder/reader.h>

enum option_type {
	OPTION_END,      /* of the table */
	OPTION_FLAG,     /* bool: becomes true */
	OPTION_TEXT,     /* const char * */
	OPTION_COUNT,    /* unsigned, at least 1 */
	OPTION_DURATION, /* int64_t ns: "1.5s", "20us", "3" seconds */
	OPTION_CALL,     /* int (*)(const char *value): 0 or -EINVAL */
};

struct option_row {
	enum option_type type;
	char letter; /* 0: no short form */
	const char *name;
	const char *
		value; /* name of the value in the help, NULL: takes none, "[=NAME]": may be left out */
	const char *help;
	void *target;                   /* by type; not for OPTION_CALL */
	int (*call)(const char *value); /* OPTION_CALL; OPTION_TEXT: judges the value, or NULL */
};

#define OPTION_ROWS_END                                                                            \
	{                                                                                          \
		.type = OPTION_END                                                                 \
	}

/* Rows that several commands have. */
#define OPTION_ROW_THREADS                                                                         \
	{                                                                                          \
		OPTION_COUNT, 'j', "jobs", "N", "threads that read (default: as many as CPUs)",    \
			&options.jobs, NULL                                                        \
	}
#define OPTION_ROW_STRICT                                                                          \
	{                                                                                          \
		OPTION_FLAG, 0, "strict", NULL, "exit 1 if the trace is incomplete",               \
			&options.strict, NULL                                                      \
	}

struct option_group {
	const char *title;
	const struct option_row *rows; /* NULL: end of the groups */
};

struct command {
	const char *name;     /* "recorder info" */
	const char *synopsis; /* "[options] [DIR]" */
	const char *summary;  /* one sentence */
	const struct option_group *groups;
	const char *examples;
	bool stops_at_operand; /* what follows the first operand belongs to another program */
};

/* The values of the shared options. */
struct options {
	bool quiet, verbose, strict, json, csv;
	unsigned
		file_classes; /* those that are shown: options_parse_class(); data alone by default */
	unsigned jobs;
	const char *color; /* "auto", "always", "never" */
	struct reader_filter filter;
	const char *callers; /* part of the filter: callers.h */
	const char
		*symbols; /* folders where moved programs and libraries are, separated by colons */
};

extern struct options options;
extern const struct option_row option_rows_filter[];
extern const struct option_row option_rows_general[]; /* -q -v --color --help --version */
extern const struct option_row option_rows_table[];   /* --json --csv */

/*
 * Parses argv, answers --help and --version itself, ends the process with a message for a wrong
 * command line. Returns the number of the first operand in argv (operands are moved to its end).
 */
int options_parse(const struct command *command, int argc, char **argv);

/*
 * Gives an option a value as if it had been given; that of a flag is NULL, or "" for false. 0 or -EINVAL. The value must stay.
 */
int options_take(const struct option_row *row, const char *value);
/* Whether the option, or the one that sets `target`, was given. */
bool options_given(const struct option_row *row);
bool options_said(const void *target);

/* Ends the process with "try --help" and status 2 (`recorder run`: 125). */
_Noreturn void options_usage_error(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The value of --files-class. 0 or -EINVAL. */
int options_parse_class(const char *value);

/* "1.5s", "250us", "3" (seconds) in ns. 0 or -EINVAL. */
int duration_parse(const char *text, int64_t *ns);

/* --jobs, or else as many as there are CPUs that this process may use. */
unsigned options_jobs(void);
/* Whether to colour what goes to descriptor `fd`: --color, NO_COLOR, terminal. */
bool options_color(int fd);

#endif
