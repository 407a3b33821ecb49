/* SPDX-License-Identifier: MIT */
/* open_chunk.c - see open_chunk.h */
#include "record/open_chunk.h"

#include <string.h>

#include "record/arena.h"
#include "record/budget.h"
#include "record/clock.h"
#include "record/open_calls.h"
#include "record/sanitizer.h"
#include "record/scratch.h"
#include "record/segment.h"
#include "record/stream.h"
#include "record/sys.h"

/* The calls in flight, without those that are not to be stored; returns their size. */
static sanitizer_race_known uint32_t copy_open_calls(const struct thread *thread, uint8_t *to,
						     uint32_t *count)
{
	const uint64_t *from = (const uint64_t *)thread->open;
	uint32_t top = (thread->open_top & ~OPEN_IN_PLACE) / 8, words = 0;
	uint64_t *target = (uint64_t *)to;

	*count = 0;
	for (uint32_t at = 0; at < top;) {
		const struct raw_record *record = (const void *)&from[at];
		uint32_t end = at + record->size / 8;
		bool stored = !(record->flags & RECORD_DROP);

		if (end <= at || end > top)
			break;
		*count += stored;
		for (; at < end; at++)
			if (stored)
				target[words++] = from[at];
	}
	return words * 8;
}

/* The thread may be about to finish the innermost of them, and waits then: once it does two copies are the same. */
static uint32_t snapshot_open_calls(const struct thread *thread, uint8_t *to, uint32_t *count)
{
	uint8_t *again = to + thread->open_size;
	uint32_t size = 0;

	for (int tries = 0; tries < 3; tries++) {
		size = copy_open_calls(thread, to, count);
		atomic_signal_fence(memory_order_seq_cst);
		if (copy_open_calls(thread, again, count) == size && !memcmp(to, again, size))
			break;
		sys_sched_yield();
	}
	return size;
}

void open_chunk_write(struct thread *thread)
{
	struct chunk_header chunk = {.type = CHUNK_OPEN, .thread = thread->index};
	struct scratch *scratch;

	if (thread->open_top == 0 && !thread->open_stored)
		return;
	scratch = scratch_take(thread->open_size + arena_flush_size());
	if (!scratch)
		return;
	chunk.body_size = chunk.plain_size =
		snapshot_open_calls(thread, scratch->free, &chunk.count);
	chunk.anchor = clock_anchor();
	segment_enter();
	if ((chunk.count > 0 || thread->open_stored) &&
	    !budget_refusal(chunk.body_size, chunk.anchor.mono) &&
	    !arena_flush(scratch->free + thread->open_size, scratch->deflater) &&
	    !stream_append(&chunk, scratch->free))
		thread->open_stored = chunk.count > 0;
	segment_leave();
	scratch_give(scratch);
}
