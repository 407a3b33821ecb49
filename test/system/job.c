/* SPDX-License-Identifier: MIT */
/*
 * job.c - a program without libc.so whose system calls are known: job CASE [FILE].
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 50000
#define THREADS 4
#define EACH 1000

static int written(const char *file, unsigned times)
{
	int fd = open(file, O_CREAT | O_WRONLY, 0600);

	for (unsigned i = 0; i < times; i++)
		if (pwrite(fd, "12345678", 8, 8 * i) != 8)
			return 1;
	return close(fd);
}

/* Calls whose arguments and results are told in system.t. */
static int plain(const char *file)
{
	char text[16];
	int fd = open(file, O_CREAT | O_RDWR | O_TRUNC, 0640);

	if (pwrite(fd, "12345678", 8, 0) != 8 || read(fd, text, sizeof(text)) != 8)
		return 1;
	syscall(SYS_lseek, fd, 2, SEEK_SET);
	read(fd, text, 1);
	open("/there/is/none", O_RDONLY);
	close(-1);
	close(fd);
	return unlink(file);
}

/* The recorder sleeps while all this happens: most of it finds no room in its ring. */
static int flooded(const char *file)
{
	int failed;

	kill(getppid(), SIGSTOP);
	failed = written(file, MANY);
	kill(getppid(), SIGCONT);
	return failed;
}

static void *write_some(void *file)
{
	return written(file, EACH) ? file : NULL;
}

static int threads(const char *file)
{
	pthread_t made[THREADS];
	void *failed = NULL, *result;

	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&made[i], NULL, write_some, (void *)file);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(made[i], &result);
		failed = result ? result : failed;
	}
	return failed != NULL;
}

/* Threads, a child with threads, and one in a session of its own whose parent has gone. */
static int tree(const char *file)
{
	int status, ends[2];
	char byte;

	if (pipe(ends))
		return 1;
	if (fork() == 0)
		_exit(threads(file));
	if (fork() == 0) {
		if (fork() == 0) {
			setsid();
			written(file, EACH);
			_exit(0); /* the last end of the pipe */
		}
		_exit(0);
	}
	close(ends[1]);
	while (wait(&status) > 0)
		if (status != 0)
			return 1;
	read(ends[0], &byte, 1);
	return threads(file);
}

/* A thread that is not the first one becomes another program. */
static void *execute(void *program)
{
	execl(program, program, "plain", "executed", (char *)NULL);
	return program;
}

static int thread_executes(char *program)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute, program);
	pthread_join(thread, NULL);
	return 1;
}

int main(int argc, char **argv)
{
	const char *which = argc > 2 ? argv[1] : "";

	if (!strcmp(which, "plain"))
		return plain(argv[2]);
	if (!strcmp(which, "many"))
		return written(argv[2], MANY);
	if (!strcmp(which, "flooded"))
		return flooded(argv[2]);
	if (!strcmp(which, "tree"))
		return tree(argv[2]);
	if (!strcmp(which, "executes"))
		return thread_executes(argv[0]);
	if (!strcmp(which, "killed"))
		raise(SIGTERM);
	return argc > 2 ? atoi(argv[2]) : 9;
}
