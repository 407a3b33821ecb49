/* SPDX-License-Identifier: MIT */
/*
 * A timer whose handler jumps out of whatever the thread is at: alarms main|thread JUMPS [names].
 *
 * The thread makes one call of pwrite after the other, with "names" it opens and closes one new file after the other, until it is jumped out of them; after each jump comes one call of pread, which is not interrupted.
 * The last line: those calls that began, and that returned; calls of pread.
 */
#include "../bare.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EVERY 150000 /* ns */
#define LAST 20      /* calls of pread in the end */

static sigjmp_buf back;
static volatile sig_atomic_t armed;
static volatile long began, returned, checked;
static long jumps;
static int data;
static int by_names;
static char directory[512];

static void on_alarm(int signal)
{
	(void)signal;
	if (!armed)
		return;
	armed = 0;
	siglongjmp(back, 1);
}

/* libc's pwrite() is a system call and nothing more: it can be jumped out of. */
static void write_on(void)
{
	for (;;) {
		began++;
		if (pwrite(data, "x", 1, began % 4096) != 1)
			abort();
		returned++;
	}
}

/* What is put together of a relative name is shared by all threads. */
static void open_on(void)
{
	char name[600];

	for (;;) {
		int fd;

		snprintf(name, sizeof(name), "../%s/file.%ld", strrchr(directory, '/') + 1,
			 began++ % 1000);
		fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd >= 0)
			close(fd);
		returned++;
	}
}

static void check(void)
{
	char byte;

	if (pread(data, &byte, 1, 0) != 1)
		abort();
	checked++;
}

static timer_t start_timer(void)
{
	struct itimerspec time = {{0, EVERY}, {0, EVERY}};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
	timer_t timer;

	event._sigev_un._tid = (pid_t)bare(SYS_gettid, 0, 0, 0);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &time, NULL))
		abort();
	return timer;
}

static void *work(void *unused)
{
	timer_t timer = start_timer();

	for (volatile long i = 0; i < jumps; i++) {
		if (!sigsetjmp(back, 1)) {
			armed = 1;
			by_names ? open_on() : write_on();
		}
		if (by_names) /* that were opened and not closed */
			bare(SYS_close_range, 100, ~0u, 0);
		check();
	}
	timer_delete(timer);
	for (int i = 0; i < LAST; i++)
		check();
	return unused;
}

int main(int argc, char **argv)
{
	struct sigaction alarm = {.sa_handler = on_alarm};
	pthread_t thread;
	char line[128];

	jumps = argc > 2 ? atol(argv[2]) : 0;
	by_names = argc > 3;
	data = open("data", O_CREAT | O_TRUNC | O_RDWR, 0600);
	if (data < 0 || pwrite(data, "x", 1, 0) != 1 || sigaction(SIGALRM, &alarm, NULL) ||
	    !getcwd(directory, sizeof(directory)))
		return 1;
	began = returned = 1;
	if (strcmp(argv[1], "thread") != 0)
		work(NULL);
	else if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		return 1;
	snprintf(line, sizeof(line), "%ld %ld %ld\n", began, returned, checked);
	return bare(SYS_write, 1, line, strlen(line)) < 0;
}
