/* SPDX-License-Identifier: MIT */
/*
 * Calls made by signal handlers, also such that interrupt the recorder: a timer fires every 50
 * microseconds while the program writes; the trace must have every write of both, once.
 */
#include "expect.h"

#include <signal.h>
#include <sys/time.h>

#define WRITES 200000

static int fd, handler_fd;
static volatile sig_atomic_t handled;

static void on_alarm(int signal)
{
	char byte = 'h';
	int keep = errno;

	(void)signal;
	if (pwrite(handler_fd, &byte, 1, handled) == 1)
		handled++;
	errno = keep;
}

static void set_timer(int microseconds)
{
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	char byte = 'm';

	fd = creat("main", 0600);
	handler_fd = creat("handler", 0600);
	sigaction(SIGALRM, &action, NULL);
	set_timer(50);
	for (int i = 0; i < WRITES; i++)
		if (pwrite(fd, &byte, 1, i) != 1)
			abort();
	set_timer(0);
	expect("%d %d", WRITES, (int)handled);
	return expect_end();
}
