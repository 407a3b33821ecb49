/* SPDX-License-Identifier: MIT */
/*
 * cmd_system.c - recorder system: runs a command and records it from outside, by programs in the kernel: what a preload does not reach, too.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "environment.h"
#include "kernelside.h"
#include "message.h"
#include "options.h"
#include "program.h"
#include "runs.h"

#define STATUS_OWN_FAILURE 125
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND 127

static const char *directory;

static const struct option_row option_rows_system[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (recorder-PROGRAM-JOB)", &directory,
	 NULL},
	KERNELSIDE_OPTION_RING,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", option_rows_system},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder system",
	.synopsis = "[options] [--] CMD [ARGS...]",
	.summary = "Runs CMD and records the system calls of it and of all that it starts, by "
		   "programs in the kernel (eBPF):\n"
		   "static programs and direct system calls are seen, too. Needs root, or "
		   "CAP_BPF and CAP_PERFMON.\n"
		   "The exit status and the signal are CMD's; 125: recorder itself failed.",
	.groups = groups,
	.examples = "  recorder system -- ./app\n"
		    "  recorder system -o trace --ring 64m -- mpirun -np 4 ./app\n"
		    "  recorder run --system -o trace -- mpirun -np 4 ./app\n",
	.stops_at_operand = true,
};

static _Noreturn void become_command(char **argv)
{
	char path[PATH_MAX];
	int error = program_find(argv[0], path, sizeof(path));

	if (!error) {
		execv(path, argv);
		error = -errno;
	}
	message_error("cannot run '%s': %s", argv[0], strerror(-error));
	_exit(error == -ENOENT || error == -ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

static volatile sig_atomic_t command_pid;

static void forward(int signal)
{
	int error = errno;

	if (command_pid > 0)
		kill(command_pid, signal);
	errno = error;
}

static void handle_signals(void)
{
	struct sigaction pass = {.sa_handler = forward, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGTERM, &pass, NULL);
	sigaction(SIGHUP, &pass, NULL);
	/* the terminal sends these to the command, too */
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
}

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

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static int end_as(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

int cmd_system(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv), error, status;
	struct kernelside *side;
	struct held_child child;

	if (first == argc)
		options_usage_error(&command, "which command?");
	message_failed = STATUS_OWN_FAILURE;
	side = open_kernelside(argv + first);
	error = held_fork(&child);
	if (error == 0)
		become_command(argv + first);
	if (error < 0)
		die("cannot fork: %s", strerror(-error));
	command_pid = child.pid;
	handle_signals();
	error = kernelside_follow(side, child.pid);
	if (error)
		message_warn("nothing is recorded: %s", strerror(-error));
	held_release(&child);
	status = wait_for(child.pid);
	kernelside_close(side, true);
	return end_as(status);
}
