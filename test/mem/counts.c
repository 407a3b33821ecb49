/* SPDX-License-Identifier: MIT */
/*
 * counts.c - makes calls of the allocator that are known, and says nothing: counts MODE [...]. What libc allocates for itself is not of
 * the functions that modes other than `all` use.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *volatile kept; /* a pair of calls is something to the compiler */

static void aligned(int times)
{
	while (times-- > 0) {
		kept = aligned_alloc(64, 128);
		free(kept);
	}
}

/* The compiler does not know it. */
static volatile size_t too_much = PTRDIFF_MAX;

/* Each function; malloc() also of sizes that cannot be had. */
static int all(void)
{
	void *area = NULL;

	for (int i = 0; i < 1000; i++) {
		kept = malloc(100);
		kept = realloc(kept, 200);
		free(kept);
		kept = calloc(3, 5);
		free(kept);
	}
	kept = malloc(too_much);
	kept = reallocarray(NULL, too_much, 4);
	kept = reallocarray(NULL, 3, 7);
	free(kept);
	if (posix_memalign(&area, 3, 8) != EINVAL || posix_memalign(&area, 64, 128) != 0)
		return 1;
	free(area);
	kept = memalign(256, 10);
	free(kept);
	kept = valloc(5);
	free(kept);
	kept = pvalloc(6);
	free(kept);
	free(NULL);
	aligned(4);
	return 0;
}

static int pipes[2];

static void *in_thread(void *argument)
{
	aligned((int)(intptr_t)argument);
	return NULL;
}

/* The process ends while it waits. */
static void *waiting(void *argument)
{
	aligned((int)(intptr_t)argument);
	if (write(pipes[1], "x", 1) != 1)
		_exit(3);
	pause();
	return NULL;
}

/* 8 that end, with 10, 20 ... calls, and one, with 1000, that does not. */
static int threads(void)
{
	pthread_t some[8], last;
	char byte;

	for (intptr_t i = 0; i < 8; i++)
		if (pthread_create(&some[i], NULL, in_thread, (void *)((i + 1) * 10)))
			return 1;
	for (int i = 0; i < 8; i++)
		pthread_join(some[i], NULL);
	if (pipe(pipes) || pthread_create(&last, NULL, waiting, (void *)(intptr_t)1000))
		return 1;
	return read(pipes[0], &byte, 1) != 1;
}

static int ended(pid_t child)
{
	int status;

	return child == -1 || waitpid(child, &status, 0) == -1 || status != 0;
}

/* 5 in the parent; 6 in a child that ends by exit(), 7 in one that does by _exit(), 8 in one of a thread's. */
static void *forking(void *argument)
{
	pid_t child = fork();

	if (child == 0) {
		aligned(8);
		exit(0);
	}
	*(int *)argument = ended(child);
	return NULL;
}

static int forks(void)
{
	pthread_t thread;
	pid_t child;
	int failed;

	aligned(5);
	child = fork();
	if (child == 0) {
		aligned(6);
		exit(0);
	}
	failed = ended(child);
	child = fork();
	if (child == 0) {
		aligned(7);
		_exit(0);
	}
	failed |= ended(child);
	if (pthread_create(&thread, NULL, forking, &child))
		return 1;
	pthread_join(thread, NULL);
	return failed || child;
}

/* 3, an exec that fails, 4, and one that does not: `self` again, which makes 20. */
static int execs(const char *self)
{
	char missing[] = "/nonexistent", image[] = "image";
	char *const none[] = {missing, NULL};
	char copy[4096];
	char *const again[] = {copy, image, NULL};

	snprintf(copy, sizeof(copy), "%s", self);
	aligned(3);
	execv(missing, none);
	aligned(4);
	execv(copy, again);
	return 1;
}

/* Calls at the begin and the end of more than six intervals of a millisecond, and in between as may be; tells how many. */
static int intervals(void)
{
	struct timespec begin, now;
	unsigned long calls = 100;

	aligned(100); /* the trace is opened by the first one */
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		aligned(100);
		calls += 100;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 6000000);
	aligned(100);
	return printf("%lu\n", calls + 100) < 0;
}

/* Whose malloc() the program calls. */
static int where(void)
{
	Dl_info info;
	const char *slash;

	if (!dladdr((void *)(uintptr_t)malloc, &info))
		return 1;
	slash = strrchr(info.dli_fname, '/');
	return puts(slash ? slash + 1 : info.dli_fname) < 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "all"))
		return all();
	if (!strcmp(mode, "threads"))
		return threads();
	if (!strcmp(mode, "forks"))
		return forks();
	if (!strcmp(mode, "execs"))
		return execs(argv[0]);
	if (!strcmp(mode, "intervals"))
		return intervals();
	if (!strcmp(mode, "where"))
		return where();
	aligned(20);
	return 0;
}
