/* SPDX-License-Identifier: MIT */
/*
 * cmd_system.c - recorder system: runs a command and records it from outside, by programs in the kernel: what a preload does not reach, too.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "environment.h"
#include "eventchoice.h"
#include "kernelmode.h"
#include "kernelside.h"
#include "message.h"
#include "options.h"
#include "runcommand.h"
#include "runs.h"
#include "sampling.h"

static const char *directory;

static const struct option_row option_rows_system[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (recorder-PROGRAM-JOB)", &directory,
	 NULL},
	EVENTCHOICE_OPTION,
	KERNELMODE_OPTIONS,
	KERNELSIDE_OPTION_RING,
	SAMPLING_OPTION,
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
		    "  recorder system --events openat,read,write -o trace -- ./app\n"
		    "  recorder system --mode profile --interval 1s -- ./app\n"
		    "  recorder run --system -o trace -- mpirun -np 4 ./app\n",
	.stops_at_operand = true,
};

/* What records; each may be NULL, not both. */
struct parts {
	struct kernelside *kernel;
	struct sampling *sampling;
};

/* Where the kernel takes no programs, what /proc tells is left. */
static struct parts open_parts(char **argv)
{
	char *asked = directory ? environment_directory(directory) : run_default_directory(argv);
	char run_id[512], why[1024], why_not[PATH_MAX + 64];
	struct parts parts = {NULL, NULL};

	run_id_make(run_id, sizeof(run_id));
	parts.kernel = kernelside_open(asked, run_id, argv[0], why, sizeof(why));
	if (!parts.kernel)
		message_warn("cannot record from the kernel: %s", why);
	if (sampling_asked() || !parts.kernel) {
		parts.sampling = sampling_open(asked, run_id, argv[0], parts.kernel ? NULL : why,
					       why_not, sizeof(why_not));
		if (!parts.sampling && !parts.kernel)
			die("nor without it: %s", why_not);
		if (!parts.sampling)
			message_warn("without samples: %s", why_not);
	}
	free(asked);
	return parts;
}

static void close_parts(void *context)
{
	struct parts *parts = context;
	char path[PATH_MAX];
	unsigned long samples;

	if (parts->sampling) {
		snprintf(path, sizeof(path), "%s", sampling_path(parts->sampling));
		samples = sampling_close(parts->sampling);
		message_note("%lu samples in %s", samples, path);
	}
	if (parts->kernel)
		kernelside_close(parts->kernel, true);
}

int cmd_system(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv), status;
	struct parts parts;

	if (first == argc)
		options_usage_error(&command, "which command?");
	message_failed = RUNCOMMAND_OWN_FAILURE;
	parts = open_parts(argv + first);
	status = runcommand(&(struct runcommand){.argv = argv + first,
						 .kernel = parts.kernel,
						 .sampling = parts.sampling},
			    close_parts, &parts);
	return runcommand_end_as(status);
}
