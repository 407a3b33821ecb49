/* SPDX-License-Identifier: MIT */
/* late_rounds.c - see late_rounds.h */
#include "bpf/late_rounds.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define ROUND_LEAST 100000000u /* ns */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t late_rounds_interval(const struct late_rounds *rounds, uint64_t time)
{
	return sum_interval_begin(time, rounds->interval, rounds->interval_shift);
}

static void set_next(struct late_rounds *rounds)
{
	rounds->next = late_rounds_interval(rounds, now() + ROUND_LEAST) + rounds->interval;
}

void late_rounds_begin(struct late_rounds *rounds)
{
	set_next(rounds);
}

void late_rounds_see(struct late_rounds *rounds, const struct event_head *head)
{
	if (head->kind == EVENT_LATE_SUM ||
	    (head->kind == EVENT_EXIT && ((const struct exit_event *)head)->late_sums))
		rounds->wanted = true;
}

bool late_rounds_due(const struct late_rounds *rounds)
{
	return rounds->wanted || now() >= rounds->next;
}

/* Programs that began before have ended behind this: it waits for all CPUs. */
static void wait_for_programs(void)
{
	static const struct timespec long_enough = {.tv_nsec = 50000000};

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0)) /* where CPUs have no ticks */
		nanosleep(&long_enough, NULL);
}

static bool is_empty(const struct late_rounds *rounds)
{
	struct late_key key;

	return bpf_map_get_next_key(rounds->map, NULL, &key);
}

/* What is found is removed when the next one is known: behind one that is gone there is none. */
static void take_round(const struct late_rounds *rounds, unsigned int number,
		       void (*event)(void *data, const void *event, size_t size), void *data)
{
	struct late_key key, before;
	bool any = false, is_ours = false, more;

	do {
		more = !bpf_map_get_next_key(rounds->map, any ? &before : NULL, &key);
		if (is_ours)
			bpf_map_delete_elem(rounds->map, &before);
		is_ours = more && key.round == number;
		if (is_ours) {
			struct late_sum_event sum = {
				.head = {.kind = EVENT_LATE_SUM,
					 .size = sizeof(sum),
					 .pid = key.pid,
					 .tid = key.tid,
					 .time = now()},
				.key = key,
			};

			if (!bpf_map_lookup_elem(rounds->map, &key, &sum.sum))
				event(data, &sum, sizeof(sum));
		}
		before = key;
		any = true;
	} while (more);
}

void late_rounds_turn(struct late_rounds *rounds)
{
	rounds->wanted = false;
	rounds->turned_at = now();
	set_next(rounds);
	rounds->turned = !is_empty(rounds);
	if (!rounds->turned)
		return;
	++*rounds->number;
	wait_for_programs();
}

void late_rounds_take(struct late_rounds *rounds,
		      void (*event)(void *data, const void *event, size_t size), void *data)
{
	struct event_head all = {.kind = EVENT_LATE_ALL,
				 .size = sizeof(all),
				 .time = rounds->turned_at};

	if (rounds->turned)
		take_round(rounds, *rounds->number - 1, event, data);
	event(data, &all, sizeof(all));
}
