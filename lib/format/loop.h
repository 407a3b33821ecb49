/* SPDX-License-Identifier: MIT */
/*
 * loop.h - what the encoder and the decoder of DATA encoding 4 share: records that come again and again, doc/format.md section 5.
 *
 *	records:     a b c  a b c  a b c  ...      a, b, c: the block; each time is an iteration
 *	events:      of an iteration: begins and ends of its calls, in order
 *	windows:     parts of some thousand iterations, each of which can be read alone
 */
#ifndef RECORDER_FORMAT_LOOP_H
#define RECORDER_FORMAT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#define LOOP_MAX_BLOCK (1u << 20)
#define LOOP_MAX_RECORDS ((uint64_t)1 << 31)
#define LOOP_WINDOW_LOG 22u                 /* bytes of raw records in a window, about */
#define LOOP_MAX_SHARES ((uint64_t)1 << 28) /* windows times buckets */

/* In fields of records that change from iteration to iteration: the result, and arguments from 1 on. */
#define LOOP_RESULT 0u

struct loop_event {
	uint32_t record; /* of the block */
	bool end;
};

/*
 * The events of an iteration, 2 * period of them: `inside` says of each record how many right before it lie in it. False: not as calls can lie. `room`: for 3 * period numbers.
 */
bool loop_order(const uint32_t *inside, uint32_t period, uint32_t *room, struct loop_event *events);

static inline uint64_t loop_windows(uint64_t iterations, uint32_t block_size)
{
	uint64_t windows = iterations * block_size >> LOOP_WINDOW_LOG;

	windows = windows < iterations ? windows : iterations;
	return windows > 0 ? windows : 1;
}

#endif
