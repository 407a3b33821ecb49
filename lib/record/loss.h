/* SPDX-License-Identifier: MIT */
/*
 * loss.h - records that are lost, by reason.
 *
 * Each is counted twice: for the LM, and until something in the .rec states it, which is the next DATA chunk of its thread or a LOST
 * chunk. Until then ring or arena say so, should the process be killed.
 */
#ifndef RECORDER_RECORD_LOSS_H
#define RECORDER_RECORD_LOSS_H

#include <stdint.h>

#include "format/reasons.h"

struct thread;

/* Losses that no chunk of a thread will state. Any thread. */
void loss_count(enum loss_reason reason, uint64_t records);
/* A call that finds no room, nested too deep or in a ring that cannot be written: stated by the next chunk, or by the ring when there is none. */
void loss_of_call(struct thread *thread, enum loss_reason reason);
/* The thread's chunk of `count` records is gone. Their numbers stay used, and its next chunk's `lost` says so. */
void loss_of_chunk(struct thread *thread, uint32_t count, enum loss_reason reason);

struct loss_pending {
	uint64_t records;
	enum loss_reason reason; /* LOSS_OTHER: several */
};

/* What the thread has lost since its last chunk. */
struct loss_pending loss_pending(const struct thread *thread);
/* A chunk states that now, of it `too_deep` calls that were nested too deep. */
void loss_stated(struct thread *thread, uint64_t too_deep);
/*
 * The first chunk that was lost to the limit of the file's size is stated at once, in what is kept free for that: there may be no room for
 * live files either, and then nothing else would tell of it if the process were killed.
 */
void loss_tell_limit(struct thread *thread);
/* The thread ends without a further chunk: what it lost since its last one is to be stated by a LOST chunk. */
void loss_leave(struct thread *thread);
/* Writes those counts as a LOST chunk, which explains unused numbers of that thread. */
void loss_write(uint32_t thread);

enum loss_scope {
	LOSS_OF_PROCESS, /* what no closed segment states */
	LOSS_OF_SEGMENT, /* what the chunks of this segment state */
};

/* All losses, for whatever reason. */
uint64_t loss_sum(enum loss_scope scope);
/* For each reason with losses. */
void loss_each(enum loss_scope scope,
	       void (*visit)(void *data, const char *reason, uint64_t records), void *data);
/* The segment is closed, with all that it states (segment.h): counts begin anew. */
void loss_next_segment(void);
void loss_forked(void);

#endif
