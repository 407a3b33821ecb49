/* SPDX-License-Identifier: MIT */
/*
 * loop_encode.h - the loop that a thread is in, as it goes on: DATA encodings 4 and 5, doc/format.md section 5.
 *
 *	loop_begin(&loop, &bump, &input);      what comes again, and in which fields it counts on (loop_begin.h)
 *	taken = loop_extend(&loop, ...);       as many times of its parts as are there
 *	loop_write(&loop, ...);                the words of all so far (loop_write.h)
 *
 * A loop is one part, or, if it has loops inside (loop_begin_nested()), several, each of which comes so many times in an iteration. A part is taken if each record is what was before lets
 * expect: the same but for times, and numbers that are larger by the same step each time. Then all that there is to be kept of it are the gaps between its events, in histograms: the cost
 * is a comparison of the records with what is expected, and two numbers each.
 *
 * A call that has several parts inside has its record behind them. Until that comes it is not known where it began, so the gap there is kept apart, in a group. Such a call has a context of its own, and so
 * have all that are inside of it: what came before its begin is in other histograms than what came since.
 *
 * All memory is the caller's; nothing here allocates or blocks.
 */
#ifndef RECORDER_FORMAT_LOOP_ENCODE_H
#define RECORDER_FORMAT_LOOP_ENCODE_H

#include "format/histogram.h"
#include "format/loop.h"
#include "format/signatures_encode.h"
#include "format/units.h"

#define LOOP_CONTEXTS 256u
#define LOOP_KINDS 8u     /* with more, times are summed without regard to what calls are about */
#define LOOP_MIN_TIMES 4u /* iterations that are worth to begin with */
#define LOOP_FIRST_COMPARED 4u /* word of a record after its times */
#define LOOP_STEPS_EACH 4u     /* fields that grow, by record, of all together */
#define LOOP_EARLIES 64u
#define LOOP_OPEN 6u /* groups at the same time */

/* A number that grows. Of a PAIR: its value, and its id in the high half. */
struct loop_step {
	uint64_t step;   /* from iteration to iteration */
	uint64_t within; /* from time to time of the part in one */
	uint64_t back;   /* from the last time in one to the first in the next */
	uint32_t at;     /* byte of the block */
	uint32_t record; /* of the block */
	uint32_t field;
	bool pair;
	bool implied; /* by the steps of an array's elements, whose sum it is: it is not written */
};

struct loop_time {
	uint32_t at; /* byte of the part where the ticks stand */
	uint16_t histogram;
	uint16_t group; /* 0: none; else it is the first event behind begins of that one - 1 */
};

/* In place of a group: a begin that comes with a part before that of its record. */
#define LOOP_EARLY UINT16_MAX

/* A call whose begin is early. */
struct loop_early {
	uint32_t record;
	uint32_t at; /* byte of its part where its tstart is */
	uint32_t histogram, group;
};

/* Early begins that follow each other. */
struct loop_group {
	uint32_t size, left;    /* how many there are, and are not known yet */
	uint64_t before, after; /* units: the event before them, that behind those not known yet */
	uint64_t before_ticks, after_ticks;
	uint32_t histogram; /* of the event behind */
	uint32_t first;     /* record that is next when they begin */
};

/* How far it has come. */
struct loop_position {
	uint64_t iterations; /* that are over */
	uint32_t part;       /* that is next */
	uint32_t time;       /* how often it has come already */
};

struct loop {
	struct units units;
	struct loop_position at;
	uint64_t records;     /* that were taken */
	uint64_t start, last; /* units: of the first event, of the last one */
	uint64_t turn_start;  /* units: of the last one of the iteration before */
	uint64_t last_ticks;
	uint32_t period, block_size, part_count, step_count, context_count;
	uint32_t turn; /* records of an iteration */
	uint32_t function_count, site_count, early_count, group_count;
	bool nested;    /* there is more than one part, or it comes more than once */
	bool arrays;    /* there are steps of elements of arrays */
	bool repeats;   /* some record stands for several calls */
	uint8_t *first; /* the block as it is written: without times, call sites by number */
	uint8_t *next;  /* the iteration that is to come */
	uint32_t *room; /* for loop_order(), and for writing */
	uint32_t *inside;
	uint16_t *context;
	uint16_t *functions;        /* ids */
	uint64_t *sites;            /* addresses */
	struct encode_site *places; /* of them: code may be gone when it is written */
	struct loop_part *parts;
	struct loop_step *steps;
	struct loop_event *events;
	struct loop_time *times; /* of the events */
	struct loop_early *earlies;
	struct loop_group *groups;
	/* of begins, of each context, then of ends: of iterations that are over, and of the one under way; the same if not nested */
	struct histogram_counts *whole, *current;
};

/* A loop with loops inside, as it was learned (loop_learn.h). */
struct loop_turn {
	const uint8_t *block; /* raw records: of each part as it came first */
	uint32_t size, period, part_count, step_count;
	uint32_t records; /* of an iteration */
	const struct loop_part *parts;
	const struct loop_step *steps;
};

struct loop_input {
	const uint8_t *records; /* raw records, from the begin of an iteration on */
	uint32_t size;
	uint32_t period;
	uint64_t t_base; /* ticks: where the record before ended */
	struct units units;
	void *data;
	struct encode_function (*function)(void *data, uint16_t id);
	struct encode_site (*site)(void *data, uint64_t address);
	/* of one that has loops inside, in place of period: */
	const struct loop_turn *turn;
	uint64_t turns; /* iterations since its block */
};

static inline uint64_t loop_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
	return hash ^ hash >> 32;
}

static inline uint64_t loop_ticks_at(const uint8_t *block, uint32_t at)
{
	return *(const uint64_t *)(const void *)(block + at);
}

/* Whether a record is as expected, but for its number and times. Where sizes differ no more of it is read. */
static inline bool loop_is_expected(const uint64_t *expected, const uint64_t *record)
{
	uint32_t words = ((const struct raw_record *)expected)->size / 8;
	uint64_t different = 0;

	if ((expected[0] ^ record[0]) | (expected[1] ^ record[1]) >> 32)
		return false;
	for (uint32_t i = LOOP_FIRST_COMPARED; i < words; i++)
		different |= expected[i] ^ record[i];
	return !different;
}

/* Bytes of the next `count` records; 0: there are not as many. */
uint32_t loop_block_size(const uint8_t *records, uint32_t size, uint32_t count);
/* How many of the records are before the begin of an iteration: calls are under way there only if they are all the time. */
uint32_t loop_align(const uint8_t *records, uint32_t period);

/* Bytes of what was taken. */
uint32_t loop_extend(struct loop *loop, const uint8_t *records, uint32_t size);
/* Bytes of what has to be there for more to be taken. */
uint32_t loop_next_size(const struct loop *loop);

#endif
