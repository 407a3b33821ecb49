/* SPDX-License-Identifier: MIT */
/*
 * Processes: fork, vfork, posix_spawn, system, popen, exec, and how they end. Each child tells its
 * own lines; other programs are to be left out with RECORDER_PROGRAMS=process.
 */
#include "expect.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static void touch(const char *name)
{
	int fd = creat(name, 0600);

	expect("0 posix creat(path=\"%s\", mode=0600) = %s", name, on_file(fd, name));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, name));
}

static void await(pid_t pid, int wanted)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status != wanted)
		abort();
	expect("0 posix waitpid(pid=PID, status=0x%x, options=0) = PID", (unsigned)wanted);
}

static void forks(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		expect_forked();
		touch("child");
		expect("0 posix _exit(status=3) = ?");
		expect_end();
		_exit(3);
	}
	expect("0 posix fork() = PID");
	await(pid, 3 << 8);
	pid = fork();
	if (pid == 0) {
		expect_forked();
		touch("child2");
		expect("0 posix exit(status=0) = ?");
		expect_end();
		exit(0);
	}
	expect("0 posix fork() = PID");
	await(pid, 0);
}

static void executes(void)
{
	char *args[] = {"true", "x", NULL};
	pid_t pid = fork();

	if (pid == 0) {
		expect_forked();
		execv("/none/true", args);
		expect("0 posix execv(path=\"/none/true\", argv=[\"true\", \"x\"]) = -1 ENOENT");
		expect("0 posix execve(path=\"/bin/true\", argv=[\"true\", \"x\"]) = ?");
		expect_end();
		execve("/bin/true", args, environ);
	}
	expect("0 posix fork() = PID");
	await(pid, 0);
	pid = fork();
	if (pid == 0) {
		expect_forked();
		expect("0 posix execlp(file=\"true\", argv=[\"true\", \"y\"]) = ?");
		expect_end();
		execlp("true", "true", "y", NULL);
	}
	expect("0 posix fork() = PID");
	await(pid, 0);
}

static void vforks(void)
{
	char *args[] = {"true", NULL};
	pid_t pid = vfork();

	if (pid == 0) {
		execve("/bin/true", args, environ);
		_exit(127);
	}
	expect("0 posix vfork() = PID");
	/* made while vfork() is under way in this very thread */
	expect("1 posix execve(path=\"/bin/true\", argv=[\"true\"]) = ?");
	await(pid, 0);
}

static void spawns(void)
{
	char *args[] = {"true", NULL};
	pid_t pid;
	FILE *stream;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, args, environ))
		abort();
	expect("0 posix posix_spawn(pid=PID, path=\"/bin/true\", argv=[\"true\"]) = 0");
	await(pid, 0);
	if (system("exit 2") != 2 << 8)
		abort();
	expect("0 posix system(command=\"exit 2\") = 512");
	stream = popen("exit 0", "r");
	expect("0 stdio popen(command=\"exit 0\", mode=\"r\") = %s",
	       on_other(stream->_fileno, "pipe"));
	expect("0 stdio pclose(stream=%s) = 0", on_other(stream->_fileno, "pipe"));
	if (pclose(stream))
		abort();
}

int main(void)
{
	touch("parent");
	forks();
	executes();
	vforks();
	spawns();
	return expect_end();
}
