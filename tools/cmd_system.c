/* SPDX-License-Identifier: MIT */
/*
 * cmd_system.c - recorder system: runs a command and records it from outside, by programs in the kernel: what a preload does not reach, too.
 */
#include <stdlib.h>

#include "commands.h"
#include "environment.h"
#include "eventchoice.h"
#include "kernelside.h"
#include "message.h"
#include "options.h"
#include "runcommand.h"
#include "runs.h"

static const char *directory;

static const struct option_row option_rows_system[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (recorder-PROGRAM-JOB)", &directory,
	 NULL},
	EVENTCHOICE_OPTION,
	KERNELSIDE_OPTION_RING,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", option_rows_system},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder system",
	.synopsis = "[options] [--] CMD [ARGS...]",
	.summary =
		"Runs CMD and records the system calls of it and of all that it starts, and what "
		"else the kernel does\n"
		"for them, by programs in the kernel (eBPF): static programs and direct system "
		"calls are seen, too. Needs root, or "
		"CAP_BPF and CAP_PERFMON.\n"
		"The exit status and the signal are CMD's; 125: recorder itself failed.",
	.groups = groups,
	.examples = "  recorder system -- ./app\n"
		    "  recorder system -o trace --ring 64m -- mpirun -np 4 ./app\n"
		    "  recorder system --events block -o trace -- ./app\n"
		    "  recorder run --system -o trace -- mpirun -np 4 ./app\n",
	.stops_at_operand = true,
};

static struct kernelside *open_kernelside(char **argv)
{
	char *asked = directory ? environment_directory(directory) : run_default_directory(argv);
	char run_id[512], why[1024];
	struct kernelside *side;

	run_id_make(run_id, sizeof(run_id));
	side = kernelside_open(asked, run_id, argv[0], why, sizeof(why));
	if (!side)
		die("cannot record from the kernel: %s", why);
	free(asked);
	return side;
}

static void close_kernelside(void *side)
{
	kernelside_close(side, true);
}

int cmd_system(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv), status;
	struct kernelside *side;

	if (first == argc)
		options_usage_error(&command, "which command?");
	message_failed = RUNCOMMAND_OWN_FAILURE;
	side = open_kernelside(argv + first);
	status = runcommand(&(struct runcommand){.argv = argv + first, .kernel = side},
			    close_kernelside, side);
	return runcommand_end_as(status);
}
