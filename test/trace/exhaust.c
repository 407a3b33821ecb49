/* SPDX-License-Identifier: MIT */
/*
 * Uses up every descriptor it may have, and tells what it saw: exhaust MODE LIMIT
 *
 *	close	writes to all, closes every other, opens again until none is left, closes all
 *	keep	the same, but a thread that begins when none is left writes, and all stay open to the end
 *	lower	has 20 files open when it lowers its limit for good to LIMIT, then opens, writes and closes
 *	exec	goes on as `keep` after an exec that fails when none is left
 *	fork	forks when none is left, and the child is the one that writes
 *
 * All but `lower` find LIMIT set. At the end "calls N" tells how many calls on files a trace is to have, on stderr so that
 * stdout can be compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITES 5000 /* more than the first ring holds */
#define FILES_MAX 4096

static unsigned calls;
static int files[FILES_MAX], count;

static void open_all(void)
{
	int fd;

	while (count < FILES_MAX && (calls++, fd = open("data", O_RDWR | O_CREAT, 0600)) >= 0)
		files[count++] = fd;
	printf("%d open, the last is %d, then %s\n", count, files[count - 1],
	       strerrorname_np(errno));
}

static void *write_all(void *unused)
{
	for (int i = 0; i < WRITES; i++, calls++)
		if (pwrite(files[i % count], "12345678", 8, 8 * i) != 8)
			printf("write %d fails: %s\n", i, strerrorname_np(errno));
	return unused;
}

/* Of each `step` files the first. */
static void close_all(int step)
{
	int kept = 0;

	for (int i = 0; i < count; i++) {
		if (i % step)
			files[kept++] = files[i];
		else if (calls++, close(files[i]))
			printf("close %d fails: %s\n", i, strerrorname_np(errno));
	}
	count = kept;
}

static void use_twice(void)
{
	open_all();
	write_all(NULL);
	close_all(2);
	open_all();
	write_all(NULL);
}

static void lower_limit(rlim_t to)
{
	struct rlimit limit = {to, to};

	for (; count < 20; calls++)
		files[count++] = open("data", O_RDWR | O_CREAT, 0600);
	write_all(NULL);
	if (setrlimit(RLIMIT_NOFILE, &limit))
		printf("no limit: %s\n", strerrorname_np(errno));
	open_all();
	write_all(NULL);
}

static void write_in_thread(void)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, write_all, NULL);

	printf("thread: %d\n", error);
	if (!error)
		pthread_join(thread, NULL);
}

static void try_exec(void)
{
	execl("./none", "none", NULL);
	calls++;
	printf("exec: %s\n", strerrorname_np(errno));
	write_all(NULL);
}

static void fork_and_write(void)
{
	pid_t pid;
	int status = -1;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		write_all(NULL);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	calls += WRITES;
	printf("child: %d\n", status);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "";

	if (!strcmp(mode, "lower"))
		lower_limit((rlim_t)atoi(argv[2]));
	else
		use_twice();
	if (!strcmp(mode, "keep"))
		write_in_thread();
	if (!strcmp(mode, "exec"))
		try_exec();
	if (!strcmp(mode, "fork"))
		fork_and_write();
	if (!strcmp(mode, "close"))
		close_all(1);
	fprintf(stderr, "calls %u\n", calls);
	return 0;
}
