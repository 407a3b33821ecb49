/* SPDX-License-Identifier: MIT */
/*
 * ends.c - a process of two threads whose first one is heard of when the last one has ended: what lib/system makes of it.
 *
 * ends behind|never: the stream goes into the folder of that name. Exit 1: something is lost, or the process does not end.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "system/watched.h"

#define PARENT 100u
#define CHILD 200u
#define THREAD 201u

static struct watched *watched;
static int bad;

static void expect(uint64_t wanted, uint64_t got, const char *what)
{
	if (wanted == got)
		return;
	fprintf(stderr, "%s: %d, not %d\n", what, (int)got, (int)wanted);
	bad = 1;
}

static void tell(const void *event, size_t size)
{
	expect(0, (uint64_t)watched_event(watched, event, size), "watched_event");
}

static void forks(uint32_t pid, uint32_t child_tid)
{
	struct fork_event event = {.head = {.kind = EVENT_FORK, .pid = pid, .tid = pid, .time = 1},
				   .child_pid = CHILD,
				   .child_tid = child_tid};

	tell(&event, sizeof(event));
}

static void calls(uint32_t tid, uint32_t number)
{
	struct call_event event = {.head = {.kind = EVENT_CALL,
					    .number = number,
					    .pid = CHILD,
					    .tid = tid,
					    .time = 10 + number},
				   .begin = 5,
				   .call = SYS_getppid};

	tell(&event, sizeof(event));
}

static void exits(uint32_t tid, uint32_t number, uint64_t time)
{
	struct exit_event event = {.head = {.kind = EVENT_EXIT,
					    .number = number,
					    .pid = CHILD,
					    .tid = tid,
					    .time = time},
				   .last = 1};

	tell(&event, sizeof(event));
}

/* The kernel has counted both off before it tells of the first one's end. */
static void behind(void)
{
	calls(CHILD, 1);
	exits(CHILD, 2, 21);
	expect(3, watched_counts(watched).records, "records");
}

/* Its end was lost. */
static void never(void)
{
	watched_overdue(watched, 19);
	expect(2, watched_alive(watched), "processes before it is overdue");
	watched_overdue(watched, 20);
}

int main(int argc, char **argv)
{
	int dir = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	struct watch_place place;

	if (dir < 0 || watch_place_init(&place, dir, "ends"))
		return 2;
	watched = watched_new(&place);
	if (!watched)
		return 2;
	forks(PARENT, CHILD);
	forks(CHILD, THREAD);
	calls(CHILD, 0);
	calls(THREAD, 0);
	exits(THREAD, 1, 20);
	expect(2, watched_alive(watched), "processes when the last thread has ended");
	if (!strcmp(argv[1], "never"))
		never();
	else
		behind();
	expect(1, watched_alive(watched), "processes at the end");
	expect(2, watched_counts(watched).processes, "processes in all");
	expect(0, watched_counts(watched).lost, "lost");
	watched_free(watched, 0);
	watch_place_release(&place);
	return bad;
}
