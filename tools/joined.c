/* SPDX-License-Identifier: MIT */
/* joined.c - see joined.h */
#include "joined.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_EVERY 50000000 /* ns */

pid_t joined_pid(const char *text)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(text, &end, 10);
	if (errno || *end || pid <= 0 || pid > INT32_MAX)
		return 0;
	return kill((pid_t)pid, 0) && errno == ESRCH ? 0 : (pid_t)pid;
}

pid_t joined_parent(pid_t pid)
{
	char path[64], line[256];
	int parent = 0;
	FILE *from;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	from = fopen(path, "re");
	while (from && fgets(line, sizeof(line), from))
		if (!strncmp(line, "PPid:", 5))
			parent = (int)strtol(line + 5, NULL, 10);
	if (from)
		fclose(from);
	return parent;
}

void joined_name(pid_t pid, char *name, size_t room)
{
	char path[64], line[64] = "";
	FILE *from;

	snprintf(path, sizeof(path), "/proc/%ld/comm", (long)pid);
	from = fopen(path, "re");
	if (from && !fgets(line, sizeof(line), from))
		line[0] = '\0';
	if (from)
		fclose(from);
	line[strcspn(line, "\n")] = '\0';
	for (char *at = line; *at; at++)
		if (*at == '/')
			*at = '_';
	snprintf(name, room, "%s", *line ? line : "process");
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static sigset_t ending_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

void joined_hold_signals(void)
{
	sigset_t set = ending_signals();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

void joined_wait(int64_t duration, bool (*is_over)(void *context), void *context)
{
	static const struct timespec step = {0, LOOK_EVERY};
	int64_t begin = now_ns();
	sigset_t set = ending_signals();

	while (!is_over(context) && (duration <= 0 || now_ns() - begin < duration))
		if (sigtimedwait(&set, NULL, &step) > 0)
			break;
}
