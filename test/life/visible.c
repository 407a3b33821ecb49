/* SPDX-License-Identifier: MIT */
/*
 * visible.c - prints whatever a program can see of itself that a tracer might disturb. The output
 * is to be the same with and without; only the environment, printed by `env`, has more.
 */
#include "../bare.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Lines of the kernel's view that the program decides alone. */
static void print_status(const char *where)
{
	static const char *const fields[] = {"Umask:",  "Threads:",    "SigPnd:",
					     "ShdPnd:", "SigBlk:",     "SigIgn:",
					     "SigCgt:", "NoNewPrivs:", "Seccomp:"};
	FILE *status = fopen("/proc/thread-self/status", "r");
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			if (!strncmp(line, fields[i], strlen(fields[i])))
				printf("%s %s", where, line);
	if (status)
		fclose(status);
}

static void print_process(void)
{
	struct rlimit limit;
	struct sigaction action;
	struct itimerval timer;
	char cwd[4096];

	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (!getrlimit(i, &limit))
			printf("limit %d %llu %llu\n", i, (unsigned long long)limit.rlim_cur,
			       (unsigned long long)limit.rlim_max);
	for (int i = 1; i < NSIG; i++)
		if (!sigaction(i, NULL, &action))
			printf("signal %d %d %x\n", i, action.sa_handler != SIG_DFL,
			       (unsigned)action.sa_flags);
	for (int i = ITIMER_REAL; i <= ITIMER_PROF; i++)
		if (!getitimer(i, &timer))
			printf("timer %d %ld\n", i, (long)timer.it_value.tv_sec);
	printf("cwd %s\n", getcwd(cwd, sizeof(cwd)));
	printf("nice %d\n", getpriority(PRIO_PROCESS, 0));
	printf("children %d\n", waitpid(-1, NULL, WNOHANG | __WALL) == -1 && errno == ECHILD);
}

/* errno stays what it is when a call is a success, and is that of the call when it fails. */
static void print_results(void)
{
	static const int values[] = {0, 77, ENOENT};
	char buffer[8];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		int fd, good, bad;

		errno = values[i];
		fd = open("visible.data", O_CREAT | O_RDWR | O_TRUNC, 0666);
		printf("open %d errno %d\n", fd, errno);
		errno = values[i];
		good = (int)write(fd, "text", 4);
		printf("write %d errno %d\n", good, errno);
		bad = (int)pread(fd, buffer, 4, -1);
		printf("pread %d errno %d\n", bad, errno);
		errno = values[i];
		close(fd);
		printf("errno %d\n", errno);
		bad = close(fd);
		printf("close %d errno %d\n", bad, errno);
		bad = open("/nonexistent/file", O_RDONLY);
		printf("open %d errno %d\n", bad, errno);
	}
}

/* As many as there may be, in their order. */
static void print_descriptors(void)
{
	struct rlimit limit = {40, 40};
	int fd = -1, last = -1;

	setrlimit(RLIMIT_NOFILE, &limit);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0) {
		printf("%d ", fd);
		last = fd;
	}
	printf("errno %d\n", errno);
	for (int i = 3; i <= last; i++)
		close(i);
}

/* Those that are listed, as programs look for what is to be closed behind a fork; by the function of libc, and as CPython does. */
static void print_listed(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY);
	DIR *directory = opendir(folder);
	struct dirent *entry;
	char entries[16384];
	long size;

	while (directory && (entry = readdir(directory)))
		printf("%s by readdir %s\n", folder, entry->d_name);
	if (directory)
		closedir(directory);
	while ((size = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0)
		for (long at = 0; at < size; at += *(unsigned short *)(entries + at + 16))
			printf("%s by getdents64 %s\n", folder, entries + at + 19);
	close(fd);
}

/* Those that are open, as programs look for what they have forgotten to close. */
static int print_open(void)
{
	struct stat status;

	for (int fd = 0; fd < 4000; fd++) {
		int copy = dup(fd);

		if (copy >= 0)
			close(copy);
		if (copy >= 0 || !fstat(fd, &status) || fcntl(fd, F_GETFD) != -1)
			printf("open %d\n", fd);
	}
	print_listed("/proc/self/fd");
	print_listed("/proc/thread-self/fdinfo");
	return 0;
}

/* What a program inherits, by system calls that leave no record: nothing of the recorder's is open as yet. */
static int print_inherited(void)
{
	int fd = (int)bare(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY, 0);
	char entries[16384];
	long size = bare(SYS_getdents64, fd, entries, sizeof(entries));

	for (long at = 0; at < size; at += *(unsigned short *)(entries + at + 16))
		printf("inherited %s\n", entries + at + 19);
	return 0;
}

/* Another program, begun by a process that has recorded. */
static void print_program(const char *self)
{
	pid_t pid = fork();

	if (pid == 0) {
		print_results();
		execl(self, self, "inherited", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void *in_thread(void *unused)
{
	(void)unused;
	print_status("thread");
	return NULL;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)context;
	printf("handler %d code %d from us %d\n", signal, info->si_code, info->si_pid == getpid());
	print_status("handler");
}

static void handle(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t block;

	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&block);
	sigaddset(&block, SIGUSR2);
	sigaddset(&block, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &block, NULL);
	signal(SIGPIPE, SIG_IGN);
	raise(SIGUSR2);
	kill(getpid(), SIGUSR1);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pid_t pid;
	int status = 0;

	if (argc > 1)
		return strcmp(argv[1], "open") ? print_inherited() : print_open();
	setvbuf(stdout, NULL, _IOLBF, 0);
	print_status("start");
	print_process();
	print_results();
	handle();
	print_status("handled");
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	umask(0137);
	print_results();
	pid = fork();
	if (pid == 0) {
		print_status("child");
		print_results();
		print_process();
		exit(9);
	}
	waitpid(pid, &status, 0);
	printf("status %x\n", (unsigned)status);
	print_process();
	print_status("end");
	print_program(argv[0]);
	print_descriptors();
	return 33;
}
