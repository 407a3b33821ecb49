/* SPDX-License-Identifier: MIT */
/*
 * Processes, what process.c leaves out: the rest of the exec and wait families, and the ways to end.
 * Other programs are to be left out with RECORDER_PROGRAMS=children.
 */
#include "expect.h"

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

enum way { EXECL, EXECLE, EXECVPE, FEXECVE, EXECVEAT };

static char *args[] = {"true", "x", NULL};

static void execute(enum way way)
{
	int fd;

	switch (way) {
	case EXECL:
		expect("0 posix execl(path=\"/bin/true\", argv=[\"true\", \"x\"]) = ?");
		expect_end();
		execl("/bin/true", "true", "x", NULL);
		break;
	case EXECLE:
		expect("0 posix execle(path=\"/bin/true\", argv=[\"true\", \"x\"]) = ?");
		expect_end();
		execle("/bin/true", "true", "x", NULL, environ);
		break;
	case EXECVPE:
		expect("0 posix execvpe(file=\"true\", argv=[\"true\", \"x\"]) = ?");
		expect_end();
		execvpe("true", args, environ);
		break;
	case FEXECVE:
		fd = open("/bin/true", O_RDONLY);
		expect("0 posix open(path=\"/bin/true\", flags=O_RDONLY) = %s",
		       on_other(fd, "/bin/true"));
		expect("0 posix fexecve(fd=%s, argv=[\"true\", \"x\"]) = ?",
		       on_other(fd, "/bin/true"));
		expect_end();
		fexecve(fd, args, environ);
		break;
	case EXECVEAT:
		expect("0 posix execveat(dirfd=AT_FDCWD, path=\"/bin/true\", argv=[\"true\", "
		       "\"x\"], "
		       "flags=0) = ?");
		expect_end();
		execveat(AT_FDCWD, "/bin/true", args, environ, 0);
	}
	_exit(99);
}

static pid_t start(void)
{
	pid_t pid = fork();

	if (pid == 0)
		expect_forked();
	else
		expect("0 posix fork() = PID");
	return pid;
}

static void executes(void)
{
	for (enum way way = EXECL; way <= EXECVEAT; way++) {
		int status;

		if (start() == 0)
			execute(way);
		if (wait(&status) < 0 || status != 0)
			abort();
		expect("0 posix wait(status=0x0) = PID");
	}
}

static void wait_for(pid_t pid, int wanted)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status != wanted)
		syscall(SYS_exit_group, 98);
	expect("0 posix waitpid(pid=PID, status=0x%x, options=0) = PID", (unsigned)wanted);
}

static _Noreturn void end(int how)
{
	static const struct rlimit no_core;

	setrlimit(RLIMIT_CORE, &no_core);
	if (how == 0) {
		expect("0 posix abort() = ?");
		expect_end();
		abort();
	}
	expect("0 posix quick_exit(status=7) = ?");
	expect_end();
	quick_exit(7);
}

/* How a child ended is recorded though the program does not want to know. */
static void unasked(void)
{
	for (int way = 0; way < 4; way++) {
		pid_t pid = start();

		if (pid == 0) {
			expect("0 posix _exit(status=%d) = ?", way + 1);
			expect_end();
			_exit(way + 1);
		}
		if (way == 0 && waitpid(pid, NULL, 0) == pid)
			expect("0 posix waitpid(pid=PID, status=0x100, options=0) = PID");
		if (way == 1 && wait(NULL) == pid)
			expect("0 posix wait(status=0x200) = PID");
		if (way == 2 && wait3(NULL, 0, NULL) == pid)
			expect("0 posix wait3(status=0x300, options=0) = PID");
		if (way == 3 && wait4(pid, NULL, 0, NULL) == pid)
			expect("0 posix wait4(pid=PID, status=0x400, options=0) = PID");
	}
}

static void ends(void)
{
	static const int wanted[] = {SIGABRT, 7 << 8};
	siginfo_t info;
	pid_t pid;
	int status;

	for (int how = 0; how < 2; how++) {
		pid = start();
		if (pid == 0)
			end(how);
		wait_for(pid, wanted[how]);
	}
	pid = _Fork();
	if (pid == 0) {
		expect_forked();
		expect("0 posix _exit(status=0) = ?");
		expect_end();
		_exit(0);
	}
	expect("0 posix _Fork() = PID");
	if (wait3(&status, 0, NULL) != pid)
		abort();
	expect("0 posix wait3(status=0x0, options=0) = PID");
	pid = start();
	if (pid == 0) {
		expect("0 posix _exit(status=0) = ?");
		expect_end();
		_exit(0);
	}
	if (wait4(pid, &status, 0, NULL) != pid)
		abort();
	expect("0 posix wait4(pid=PID, status=0x0, options=0) = PID");
	unasked();
	expect("0 posix kill(pid=PID, signal=0) = %s", returned(kill(pid, 0)));
	expect("0 posix killpg(group=PID, signal=0) = %s", returned(killpg(pid, 0)));
	expect("0 posix waitid(type=P_ALL, id=0, options=WEXITED) = %s",
	       returned(waitid(P_ALL, 0, &info, WEXITED)));
	expect("0 posix wait(status=?) = %s", returned(wait(NULL)));
}

static void spawns(void)
{
	pid_t pid = -1;
	int error = posix_spawnp(&pid, "true", NULL, NULL, args, environ);

	expect("0 posix posix_spawnp(pid=PID, file=\"true\", argv=[\"true\", \"x\"]) = %d", error);
	wait_for(pid, 0);
	error = posix_spawnp(&pid, "none-of-that-name", NULL, NULL, args, environ);
	expect("0 posix posix_spawnp(pid=PID, file=\"none-of-that-name\", argv=[\"true\", \"x\"]) "
	       "= "
	       "2 ENOENT");
}

int main(void)
{
	executes();
	ends();
	spawns();
	expect("0 posix exit(status=0) = ?");
	exit(expect_end());
}
