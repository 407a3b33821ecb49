/* SPDX-License-Identifier: MIT */
/*
 * late_rounds.h - sums of what ends elsewhere than in its thread, taken out of the kernel's map round by round (latesums.bpf.h).
 *
 * A round ends with the interval, a tenth of a second after the one before at the earliest, and at once when a thread has ended that may have some, or when the map is full.
 */
#ifndef RECORDER_BPF_LATE_ROUNDS_H
#define RECORDER_BPF_LATE_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/kernel_events.h"

struct late_rounds {
	int map;                       /* its descriptor */
	volatile unsigned int *number; /* of the round, for the programs */
	uint64_t interval, interval_shift;
	uint64_t next; /* when one is to end, CLOCK_MONOTONIC */
	bool wanted;   /* one is to end now */
	bool turned;   /* one has ended, and its sums are to be taken */
	uint64_t turned_at;
};

/* The rest is zero. */
void late_rounds_begin(struct late_rounds *rounds);
/* When the interval began that the time is in. */
uint64_t late_rounds_interval(const struct late_rounds *rounds, uint64_t time);
/* An event of the ring has come. */
void late_rounds_see(struct late_rounds *rounds, const struct event_head *head);
bool late_rounds_due(const struct late_rounds *rounds);
/* Ends one: programs that go on add to the next one. What they put into the ring before is to be taken first. */
void late_rounds_turn(struct late_rounds *rounds);
/* Then its sums, as EVENT_LATE_SUM, and EVENT_LATE_ALL with the time of the turn. */
void late_rounds_take(struct late_rounds *rounds,
		      void (*event)(void *data, const void *event, size_t size), void *data);

#endif
