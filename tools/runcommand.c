/* SPDX-License-Identifier: MIT */
/* runcommand.c - see runcommand.h */
#include "runcommand.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "environment.h"
#include "heldchild.h"
#include "kernelside.h"
#include "message.h"
#include "sampling.h"

static void signals_to_forward(sigset_t *set)
{
	static const int forwarded[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGUSR1, SIGUSR2,
					SIGALRM, SIGCONT, SIGWINCH, SIGXCPU, SIGPWR};

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (size_t i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
		sigaddset(set, forwarded[i]);
}

/* How signals were before we looked at them: the command is to find them so. */
struct signals {
	sigset_t mask;
	struct sigaction child;
};

static void signals_restore(const struct signals *before)
{
	sigaction(SIGCHLD, &before->child, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static _Noreturn void become_command(const struct runcommand *run, const struct signals *before)
{
	int error;

	if (run->environment)
		environment_apply(run->environment);
	signals_restore(before);
	execvp(run->argv[0], run->argv);
	error = errno;
	message_error("cannot run '%s': %s", run->argv[0], strerror(error));
	_exit(error == ENOENT || error == ENOTDIR ? RUNCOMMAND_NOT_FOUND
						  : RUNCOMMAND_NOT_EXECUTABLE);
}

/* Waits for the child's end and forwards what comes in between. Returns its wait status. */
static int wait_for(pid_t child, const sigset_t *set)
{
	siginfo_t info;
	int status;

	for (;;) {
		if (waitpid(child, &status, WNOHANG) == child)
			return status;
		if (sigwaitinfo(set, &info) < 0)
			continue;
		/* what the terminal sends goes to the whole group: the child has it already */
		if (info.si_signo != SIGCHLD && info.si_code != SI_KERNEL)
			kill(child, info.si_signo);
	}
}

/* What goes on without is said. */
static void follow(const struct runcommand *run, pid_t pid)
{
	int error = run->kernel ? kernelside_follow(run->kernel, pid) : 0;

	if (error)
		message_warn("without system calls in the kernel: %s", strerror(-error));
	error = run->sampling ? sampling_follow(run->sampling, pid) : 0;
	if (error)
		message_warn("without samples: %s", strerror(-error));
}

static pid_t start(const struct runcommand *run, const struct signals *before)
{
	bool is_followed = run->kernel || run->sampling;
	struct held_child child;
	pid_t pid = is_followed ? held_fork(&child) : fork();

	if (pid < 0)
		die("cannot fork: %s", strerror(errno));
	if (pid == 0)
		become_command(run, before);
	if (is_followed) {
		follow(run, pid);
		held_release(&child);
	}
	return pid;
}

int runcommand(const struct runcommand *run, void (*finish)(void *context), void *context)
{
	/* an inherited "ignore" would let the kernel reap the child without telling */
	static const struct sigaction notice = {.sa_handler = SIG_DFL};
	struct signals before;
	sigset_t set;
	pid_t child;
	int status;

	sigaction(SIGCHLD, &notice, &before.child);
	signals_to_forward(&set);
	sigprocmask(SIG_BLOCK, &set, &before.mask);
	child = start(run, &before);
	status = wait_for(child, &set);
	if (finish)
		finish(context);
	signals_restore(&before);
	return status;
}

int runcommand_end_as(int status)
{
	/* a core file of ours would only hide the command's */
	static const struct rlimit no_core = {0, 0};

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}
