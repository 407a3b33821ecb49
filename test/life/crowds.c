/* SPDX-License-Identifier: MIT */
/* crowds.c - $LIFE_COUNT short processes, one after the other, which all do the same. */
#include "../bare.h"
#include "life.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static volatile bool stop;

static int many_with(void (*child)(void))
{
	int count = atoi(getenv("LIFE_COUNT"));

	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		check(pid >= 0, "fork");
		if (pid == 0)
			child();
		await_child(pid, 0);
	}
	return 0;
}

static void one_mark(void)
{
	mark("child", 1);
	_exit(0);
}

static void no_mark(void)
{
	bare(SYS_exit_group, 0);
}

static void exec_nothing(void)
{
	char *args[] = {(char *)self, "nothing", NULL};

	bare(SYS_execve, self, args, environ);
	bare(SYS_exit_group, 1);
}

static int many_marking(void)
{
	return many_with(one_mark);
}

static void *calls_and_ends(void *unused)
{
	for (int i = 0; i < 200; i++)
		close(open("/", O_RDONLY));
	return unused;
}

/* Ends while threads end. */
static void threads_end(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		check(!pthread_create(&threads[i], NULL, calls_and_ends, NULL), "pthread_create");
	pthread_join(threads[0], NULL);
	_exit(0);
}

static int many_ending(void)
{
	return many_with(threads_end);
}

static void calls_in_handler(int signal)
{
	(void)signal;
	close(open("/", O_RDONLY));
}

/* The same where handlers of signals make calls, too, at whatever place the recorder is. */
static void threads_end_interrupted(void)
{
	const struct itimerval often = {{0, 50}, {0, 50}};

	signal(SIGALRM, calls_in_handler);
	check(!setitimer(ITIMER_REAL, &often, NULL), "setitimer");
	threads_end();
}

static pthread_barrier_t all_have_called;

/* What takes a while to be sealed. */
static void many_calls(void)
{
	char byte;
	int fd = open(self, O_RDONLY);

	for (int i = 0; i < 5000; i++)
		pread(fd, &byte, 1, (i * 7919) % 1000);
	close(fd);
}

static void *calls_and_ends_all(void *number)
{
	many_calls();
	pthread_barrier_wait(&all_have_called);
	usleep(300 * (useconds_t)(uintptr_t)number);
	_exit(0);
}

/* One thread ends the process while others are about to do so as well. */
static void each_ends_all(void)
{
	pthread_t thread;

	pthread_barrier_init(&all_have_called, NULL, 4);
	for (uintptr_t i = 0; i < 3; i++)
		check(!pthread_create(&thread, NULL, calls_and_ends_all, (void *)i),
		      "pthread_create");
	many_calls();
	pthread_barrier_wait(&all_have_called);
	exit(0);
}

static int many_ending_at_once(void)
{
	return many_with(each_ends_all);
}

static void end_in_handler(int signal)
{
	(void)signal;
	_exit(0);
}

/* Ends, and once more in a handler meanwhile. */
static void ends_interrupted(void)
{
	const struct itimerval soon = {{0, 0}, {0, 1 + getpid() * 37 % 3000}};

	many_calls();
	signal(SIGALRM, end_in_handler);
	check(!setitimer(ITIMER_REAL, &soon, NULL), "setitimer");
	exit(0);
}

static int many_ending_in_handlers(void)
{
	return many_with(ends_interrupted);
}

/* Ends in a handler, maybe while its stream begins. */
static void ends_at_begin(void)
{
	const struct itimerval soon = {{0, 0}, {0, 100 + getpid() * 37 % 1000}};

	signal(SIGALRM, end_in_handler);
	check(!setitimer(ITIMER_REAL, &soon, NULL), "setitimer");
	for (;;)
		close(open("/", O_RDONLY));
}

static int many_ending_at_begin(void)
{
	return many_with(ends_at_begin);
}

static void *calls_until_stop(void *unused)
{
	while (!stop) {
		close(open("/", O_RDONLY));
		usleep(50);
	}
	return unused;
}

/* Fails to become another program while other threads make calls, which go to the file at once meanwhile. */
static void fails_among_threads(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		check(!pthread_create(&threads[i], NULL, calls_until_stop, NULL), "pthread_create");
	for (int i = 0; i < 10; i++)
		run_script();
	stop = true;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static int many_failing(void)
{
	make_script();
	return many_with(fails_among_threads);
}

static int many_interrupted(void)
{
	return many_with(threads_end_interrupted);
}

static int many_silent(void)
{
	return many_with(no_mark);
}

static int many_silent_images(void)
{
	return many_with(exec_nothing);
}

static int many_images(void)
{
	return many_with(become);
}

const struct life_case crowds[] = {
	{"many_marking", many_marking},
	{"many_ending", many_ending},
	{"many_interrupted", many_interrupted},
	{"many_ending_at_once", many_ending_at_once},
	{"many_ending_in_handlers", many_ending_in_handlers},
	{"many_ending_at_begin", many_ending_at_begin},
	{"many_failing", many_failing},
	{"many_silent", many_silent},
	{"many_images", many_images},
	{"many_silent_images", many_silent_images},
	{NULL, NULL},
};
