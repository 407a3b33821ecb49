/* SPDX-License-Identifier: MIT */
/*
 * loop.h - what the encoder and the decoder of DATA encodings 4 and 5 share: records that come again and again, doc/format.md section 5.
 *
 *	records:     a b c  a b c  a b c  ...      a, b, c: the block; each time is an iteration
 *	parts:       a  b b b b  c  a  b b b b  c  ...      of encoding 5: b comes four times in each
 *	events:      of an iteration: begins and ends of its calls, in order
 *	windows:     parts of some thousand iterations, each of which can be read alone
 */
#ifndef RECORDER_FORMAT_LOOP_H
#define RECORDER_FORMAT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "format/wire.h"

#define LOOP_MAX_BLOCK (1u << 20)
#define LOOP_MAX_RECORDS ((uint64_t)1 << 31)
#define LOOP_MAX_TURN (1u << 20) /* records of an iteration, with how often its parts come */
#define LOOP_MAX_TURN_BYTES (64u << 20)
#define LOOP_WINDOW_LOG 22u                 /* bytes of raw records in a window, about */
#define LOOP_MAX_SHARES ((uint64_t)1 << 28) /* windows times buckets */

/* In fields of records that change from iteration to iteration: the result, arguments from 1 on, and behind these, of each array, its sum and its stored elements. */
#define LOOP_RESULT 0u

/* Where such a field is. */
struct loop_field {
	uint32_t at;     /* byte of the record; 0: there is no such field */
	uint32_t number; /* 0: likewise, of what is behind the arguments */
	uint32_t
		sum_at; /* of an element: its array's sum, which changes with it as all elements are stored; 0: it does not */
	bool implied;   /* that sum itself */
};

/* Fields behind the arguments, by number or by byte. `classes`: of the first `class_count` arguments; blocks lie in the record. */
struct loop_field loop_array_field(const struct raw_record *record, const uint8_t *classes,
				   unsigned class_count, uint64_t number);
struct loop_field loop_array_field_at(const struct raw_record *record, const uint8_t *classes,
				      unsigned class_count, uint32_t at);

struct loop_event {
	uint32_t record; /* of the block */
	bool end;
};

struct loop_part {
	uint32_t first, count; /* records of the block */
	uint32_t at, size;     /* bytes of it */
	uint32_t times;        /* it comes in an iteration */
	uint32_t until;        /* events of the block up to the end of its last record */
	uint32_t steps_until;  /* steps of the block up to its last record's */
};

/*
 * The events of an iteration, 2 * period of them: `inside` says of each record how many right before it lie in it. False: not as calls can lie. `room`: for 3 * period numbers.
 */
bool loop_order(const uint32_t *inside, uint32_t period, uint32_t *room, struct loop_event *events);

/* Where in them those of each part are. False: of one that comes several times they are not together. */
bool loop_order_parts(const struct loop_event *events, struct loop_part *parts, uint32_t count);

/* The first event of a part as it comes for time `time`, from 0. With the first one come begins of calls that have it inside. */
static inline uint32_t loop_events_from(const struct loop_part *part, uint32_t number,
					uint32_t time)
{
	if (time > 0)
		return part->until - 2 * part->count;
	return number > 0 ? part[-1].until : 0;
}

/* The value after so many steps; both halves of a PAIR by themselves. */
static inline uint64_t loop_sum(uint64_t value, uint64_t step, uint64_t times, bool pair)
{
	if (!pair)
		return value + step * times;
	return pair_make((int32_t)((uint32_t)value + (uint32_t)step * (uint32_t)times),
			 pair_id(value) + pair_id(step) * (uint32_t)times);
}

/* `size`: bytes of an iteration, as raw records. */
static inline uint64_t loop_windows(uint64_t iterations, uint32_t size)
{
	uint64_t windows = iterations * size >> LOOP_WINDOW_LOG;

	windows = windows < iterations ? windows : iterations;
	return windows > 0 ? windows : 1;
}

#endif
