/* SPDX-License-Identifier: MIT */
/* cmd_env.c - recorder env: the environment that records, for job scripts */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "environment.h"
#include "message.h"
#include "options.h"

static const char *directory;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (default: recorder-PROGRAM-JOB)",
	 &directory, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"what to record", option_rows_settings},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder env",
	.synopsis = "[options]",
	.summary =
		"Prints the environment that makes programs record, as shell commands to paste "
		"into a\n"
		"job script where 'recorder run' does not fit. Give it to the ranks, not to the "
		"launcher:\n"
		"mpirun -x LD_PRELOAD -x RECORDER_TRACES_DIR ..., srun --export=ALL,LD_PRELOAD=...",
	.groups = groups,
	.examples = "  eval \"$(recorder env -o trace --layers mpi)\"\n"
		    "  recorder env -o /scratch/%j >>job.sh\n",
};

int cmd_env(int argc, char **argv)
{
	struct environment environment;
	char library[PATH_MAX];
	int at = options_parse(&command, argc, argv);

	if (at < argc)
		options_usage_error(&command,
				    "'%s' is too much; to run a command use 'recorder run'",
				    argv[at]);
	environment_library(library);
	environment_init(&environment, library, "");
	if (directory) {
		char *path = environment_directory(directory);

		environment_add(&environment, "RECORDER_TRACES_DIR", path);
		free(path);
	}
	environment_print(&environment);
	environment_release(&environment);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
	return EXIT_DONE;
}
