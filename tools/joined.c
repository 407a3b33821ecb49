/* SPDX-License-Identifier: MIT */
/* joined.c - see joined.h */
#include "joined.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "instant.h"
#include "system/running_process.h"

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

void joined_name(pid_t pid, char *name, size_t room)
{
	running_name((uint32_t)pid, name, room);
	if (!*name)
		snprintf(name, room, "process");
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '_';
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
	int64_t begin = instant_of(CLOCK_MONOTONIC);
	sigset_t set = ending_signals();

	while (!is_over(context) &&
	       (duration <= 0 || instant_of(CLOCK_MONOTONIC) - begin < duration))
		if (sigtimedwait(&set, NULL, &step) > 0)
			break;
}
