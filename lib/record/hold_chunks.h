/* SPDX-License-Identifier: MIT */
/*
 * hold_chunks.h - what a thread holds, as chunks: in one of two places of its ring's file, and to be appended. hold.h has the story.
 *
 * A place is written behind its own checksum, which comes last, and never the one that is valid: at each instant one of the two has all that the ring has not.
 */
#ifndef RECORDER_RECORD_HOLD_CHUNKS_H
#define RECORDER_RECORD_HOLD_CHUNKS_H

#include "format/loop.h"
#include "format/loop_write.h"
#include "record/batch.h"

struct hold_chunk {
	struct chunk_header header;
	const uint8_t *body; /* not deflated */
	struct loop_piece piece;
};

/* Lies at the begin of memory of its own, with the loop's behind it. */
struct hold {
	size_t size; /* of the memory */
	struct loop loop;
	uint64_t first_sequence, t_base;       /* of the chunk */
	struct loop_piece placed[LOOP_PIECES]; /* what the place has of it */
	unsigned placed_count;
	/* room, which the stack may not have: that of a signal */
	struct loop_piece pieces[LOOP_PIECES];
	struct hold_chunk chunks[LOOP_PIECES];
	uint64_t number;    /* of the place that was written last */
	uint64_t append_at; /* ticks */
	uint32_t taken;     /* bytes of the ring that the loop has, though no place does */
	bool active;
};

/* Bytes of each of the two; 0: the ring has none. */
uint32_t hold_place_size(const struct thread *thread);
/* Loop and tail as they are now. False: they are too large for a place. */
bool hold_place_write(const struct thread *thread, struct hold *hold);
/* The records of the ring that the loop does not have. */
struct batch hold_tail(const struct thread *thread, const struct hold *hold);
/* The places are empty: what is held was appended, or is lost. */
void hold_place_release(struct thread *thread);

/* What is held, as chunks to be appended, and how many these are; bodies are put together in `room` or are where they lie. What of the ring belongs to them is told by hold_rest(). */
struct hold_chunk *hold_chunks(struct thread *thread, uint8_t *room, size_t size, unsigned *count);
/* Bytes of `room` that are enough nearly always. */
size_t hold_room(const struct thread *thread);
/* The records of the ring that are not in those chunks. */
struct batch hold_rest(const struct thread *thread);
/* How many calls a chunk stands for, a function in one or more parts. */
void hold_calls(const struct thread *thread, const struct hold_chunk *chunk,
		void (*each)(uint16_t id, uint64_t calls));

#endif
