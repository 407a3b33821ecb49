/* SPDX-License-Identifier: MIT */
/* cmd_env.c - recorder env: the environment that records, for job scripts */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "configfile.h"
#include "environment.h"
#include "launchers.h"
#include "libraries.h"
#include "message.h"
#include "options.h"
#include "settings.h"

static const char *directory;
static const struct launcher *launcher;

static int choose_launcher(const char *name)
{
	launcher = launcher_find(name);
	return launcher ? 0 : -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (default: recorder-PROGRAM-JOB)",
	 &directory, NULL},
	{OPTION_CALL, 'l', "launcher", "NAME", "the begin of a command: " LAUNCHER_NAMES, NULL,
	 choose_launcher},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"configuration", option_rows_config},
					     {"library", option_rows_mpi},
					     {"what to record", option_rows_settings},
					     {"functions by name", option_rows_targets},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder env",
	.synopsis = "[options]",
	.summary = "Prints the environment that makes programs record, as shell commands to paste "
		   "into a\n"
		   "job script where 'recorder run' does not fit. It is for the ranks, not for the "
		   "launcher:\n"
		   "with --launcher the output is the begin of the command that starts them so.",
	.groups = groups,
	.examples = "  eval \"$(recorder env -o trace --layers mpi)\"\n"
		    "  recorder env -o /scratch/%j >>job.sh\n"
		    "  eval \"$(recorder env --launcher openmpi -o trace) -np 4 ./app\"\n",
};

/* Containers begin in a directory of theirs: the default is to be the one of here. */
static void add_directory(struct environment *environment)
{
	char *path;

	if (!directory && !(launcher && launcher_is_container(launcher)))
		return;
	path = environment_directory(directory ? directory : "recorder-%e-%j");
	environment_add(environment, "RECORDER_TRACES_DIR", path);
	free(path);
}

int cmd_env(int argc, char **argv)
{
	struct environment environment;
	struct library library;
	int at = options_parse(&command, argc, argv);

	config_file_apply(&command, option_rows_run);
	if (at < argc)
		options_usage_error(&command,
				    "'%s' is too much; to run a command use 'recorder run'",
				    argv[at]);
	library_find(launcher ? launcher_mpi(launcher) : NULL, &library);
	if (launcher && launcher_is_container(launcher))
		unsetenv("LD_PRELOAD"); /* others are not in there */
	environment_init(&environment, library.path, "");
	if (environment_via_uprobe() && environment_targets())
		message_warn("functions are recorded by the kernel where 'recorder run' is told "
			     "--via uprobe, and not by what is set here");
	add_directory(&environment);
	if (launcher)
		launcher_print(launcher, &environment, library.path);
	else
		environment_print(&environment);
	environment_release(&environment);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
	return EXIT_DONE;
}
