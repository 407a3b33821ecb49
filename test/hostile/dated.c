/* SPDX-License-Identifier: MIT */
/* dated.c - a preload in which it is another day, and which writes down who asks: each of its functions makes traced calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DAYS 3000

static void log_line(const char *line)
{
	int file = open("../dated.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (file >= 0 && write(file, line, strlen(line)) < 0)
		abort();
	close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*next)(clockid_t clock, struct timespec * now);
	int result;

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	log_line("clock_gettime\n");
	result = next(clock, now);
	now->tv_sec -= DAYS * 86400;
	return result;
}

char *getenv(const char *name)
{
	static char *(*next)(const char *name);

	if (!next)
		next = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
	log_line("getenv\n");
	return next(name);
}
