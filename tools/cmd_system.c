/* SPDX-License-Identifier: MIT */
/*
 * cmd_system.c - recorder system: runs a command and records it from outside, by programs in the kernel: what a preload does not reach, too.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "commands.h"
#include "environment.h"
#include "eventchoice.h"
#include "joined.h"
#include "kernelmode.h"
#include "kernelcheck.h"
#include "kernelside.h"
#include "message.h"
#include "options.h"
#include "runcommand.h"
#include "runs.h"
#include "sampling.h"

static const char *directory, *joined, *cgroup;
static int64_t duration;
static bool only_check, strict;
static struct functionpoints functions;

static const struct option_row option_rows_system[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (recorder-PROGRAM-JOB)", &directory,
	 NULL},
	{OPTION_TEXT, 'p', "pid", "PID", "record a process that is there already, and all below it",
	 &joined, NULL},
	{OPTION_TEXT, 0, "cgroup", "PATH",
	 "record the processes of a cgroup (version 2), those that come into it and what they "
	 "start",
	 &cgroup, NULL},
	{OPTION_DURATION, 0, "duration", "TIME",
	 "with --pid or --cgroup: for so long (until all have ended, or Ctrl-C)", &duration, NULL},
	EVENTCHOICE_OPTION,
	ENVIRONMENT_OPTION_TARGET(
		"also record this function: f, C::m, lib.so:f, globs; may be given again"),
	{OPTION_FLAG, 0, "strict", NULL, "exit 125 if a function of -t is nowhere", &strict, NULL},
	KERNELMODE_OPTIONS("mode"),
	KERNELSIDE_OPTION_RING,
	SAMPLING_OPTION,
	{OPTION_FLAG, 0, "check", NULL, "try what works on this machine, and print it as JSON",
	 &only_check, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", option_rows_system},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder system",
	.synopsis = "[options] [--] CMD [ARGS...]\n       recorder system [options] --pid PID\n"
		    "       recorder system [options] --cgroup PATH\n"
		    "       recorder system summary [options] [DIR]",
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
		    "  recorder system -t 'solve*' -t libfoo.so:bar -- ./app\n"
		    "  recorder system --pid $(pidof app) --duration 3s -o trace\n"
		    "  recorder system --sample=20 -o trace -- ./app\n"
		    "  recorder system summary trace\n"
		    "  recorder run --system -o trace -- mpirun -np 4 ./app\n",
	.stops_at_operand = true,
};

/* What records; each may be NULL, not both. */
struct parts {
	struct kernelside *kernel;
	struct sampling *sampling;
};

/* Where the kernel takes no programs, what /proc tells is left. */
static struct parts open_parts(char **argv, bool joins, uint64_t group)
{
	char *asked = directory ? environment_directory(directory) : run_default_directory(argv);
	char run_id[512], why[1024], why_not[PATH_MAX + 64];
	struct parts parts = {NULL, NULL};
	struct kernelside_job job = {
		.asked = asked,
		.run_id = run_id,
		.command = argv[0],
		.log_argv = getenv("RECORDER_LOG_ARGV"),
		.joins = joins,
		.cgroup = group,
		.functions = functions.point_count > 0 ? &functions : NULL,
	};

	run_id_make(run_id, sizeof(run_id));
	parts.kernel = kernelside_open(&job, why, sizeof(why));
	if (!parts.kernel && group)
		die("cannot record from the kernel: %s", why);
	if (sampling_asked() || !parts.kernel) {
		parts.sampling = sampling_open(asked, run_id, argv[0], parts.kernel ? NULL : why,
					       why_not, sizeof(why_not));
		if (!parts.sampling && !parts.kernel)
			die("cannot record from the kernel: %s; nor without it: %s", why, why_not);
		if (!parts.sampling)
			message_warn("without samples: %s", why_not);
	}
	if (!parts.kernel)
		message_warn("cannot record from the kernel: %s", why);
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

static bool is_idle(void *kernel)
{
	return kernelside_is_idle(kernel);
}

static bool is_gone(void *pid)
{
	return kill(*(pid_t *)pid, 0) && errno == ESRCH;
}

/* A job that is not ours. */
static int join_it(void)
{
	pid_t pid = joined_pid(joined);
	char name[64], *argv[] = {name, NULL};
	struct parts parts;
	int error = 0;

	if (!pid)
		die("there is no process '%s'", joined);
	joined_name(pid, name, sizeof(name));
	joined_hold_signals();
	parts = open_parts(argv, true, 0);
	if (parts.sampling)
		error = sampling_follow(parts.sampling, pid);
	if (!error && parts.kernel)
		error = kernelside_join(parts.kernel, pid);
	if (!error)
		message_note("process %ld and all below it are recorded; Ctrl-C ends that",
			     (long)pid);
	if (!error)
		joined_wait(duration, parts.kernel ? is_idle : is_gone,
			    parts.kernel ? (void *)parts.kernel : (void *)&pid);
	close_parts(&parts);
	if (error)
		die("cannot record process %ld: %s", (long)pid, strerror(-error));
	return 0;
}

static void find_functions(char **argv)
{
	if (!environment_targets())
		return;
	functionpoints_find(&functions, environment_targets(), argv);
}

/* What is in a cgroup, and comes into it. */
static int join_cgroup(void)
{
	char name[64], why[512], *argv[] = {name, NULL};
	uint64_t number = cgroup_number(cgroup, why, sizeof(why));
	struct parts parts;
	int error;

	if (!number)
		die("%s", why);
	cgroup_name(cgroup, name, sizeof(name));
	joined_hold_signals();
	parts = open_parts(argv, true, number);
	error = parts.sampling ? sampling_follow_cgroup(parts.sampling, cgroup) : 0;
	if (!error)
		error = kernelside_join_cgroup(parts.kernel);
	if (!error) {
		message_note("the processes of %s are recorded; Ctrl-C ends that", cgroup);
		joined_wait(duration, is_idle, parts.kernel);
	}
	close_parts(&parts);
	if (error)
		die("cannot record %s: %s", cgroup, strerror(-error));
	return 0;
}

int cmd_system(int argc, char **argv)
{
	int first, status;
	struct parts parts;

	/* a command of that name stands behind "--" */
	if (argc > 1 && !strcmp(argv[1], "summary"))
		return cmd_system_summary(argc - 1, argv + 1);
	first = options_parse(&command, argc, argv);
	if (only_check) {
		kernelcheck();
		return EXIT_DONE;
	}
	if (joined && first < argc)
		options_usage_error(&command, "either a command or --pid");
	if (cgroup && (first < argc || joined))
		options_usage_error(&command, "--cgroup is without a command and --pid");
	if (duration && !joined && !cgroup)
		options_usage_error(&command, "--duration is for --pid and --cgroup");
	if ((joined || cgroup) && environment_targets())
		options_usage_error(&command, "-t is for a command, as nothing can be missed then");
	message_failed = RUNCOMMAND_OWN_FAILURE;
	if (joined)
		return join_it();
	if (cgroup)
		return join_cgroup();
	if (first == argc)
		options_usage_error(&command, "which command?");
	find_functions(argv + first);
	parts = open_parts(argv + first, false, 0);
	status = runcommand(&(struct runcommand){.argv = argv + first,
						 .kernel = parts.kernel,
						 .sampling = parts.sampling},
			    close_parts, &parts);
	status = strict && functions.missing > 0 ? RUNCOMMAND_OWN_FAILURE
						 : runcommand_end_as(status);
	functionpoints_release(&functions);
	return status;
}
