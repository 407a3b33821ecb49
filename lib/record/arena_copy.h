/* SPDX-License-Identifier: MIT */
/*
 * arena_copy.h - a copy of the arena's entries while others write them, as the body of a DEFS chunk.
 *
 * An entry is reserved, begun (its header says how large it is), and complete. Whoever is at it may be held up at each step for any time: the thread has
 * lost its processor, or a signal handler has interrupted it, which itself now needs what it has put behind that entry. So what is not complete is left
 * out, by padding in its place, and what comes after it is not kept waiting:
 *
 *      area   | complete | begun ....... | complete | 0 0 0 0 0 0 0 | complete |
 *      copy   | entry    | padding       | entry    | padding       | entry    |
 *             '- whole --'
 *
 * Of an entry that was reserved and not begun the size is not known, but it is zeros up to the next one that was begun: the area is zero
 * before it is reserved, and a header is written before anything behind it. That a zero was not begun is looked at again after the copy was made.
 */
#ifndef RECORDER_RECORD_ARENA_COPY_H
#define RECORDER_RECORD_ARENA_COPY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Room for the names that a chunk of records mostly brings with it (some 3,000 paths), so that they are one chunk, too: each has a header of 96 bytes, and tells the paths in it anew from the first
 * one on. With a quarter of it a program that does nothing but make files had 4 % more bytes.
 */
#define ARENA_AREA_SIZE (256u << 10)

/* What begins at `position` of an area, which is made of 64-bit words. */
static inline _Atomic uint64_t *arena_word(uint8_t *area, uint64_t position)
{
	return (_Atomic uint64_t *)(void *)(area + (position & (ARENA_AREA_SIZE - 1)));
}

struct arena_copy {
	uint32_t size; /* of the entries and gaps that were found */
	uint32_t
		whole; /* what of it is complete, from the begin on: no more of it needs to be copied again */
	uint32_t count; /* of entries, with what stands for gaps */
	bool settled; /* all of `size` bytes was as it should be; else others are at it, or have been */
	bool has_gaps;  /* some entries are not complete */
	bool has_entry; /* some are */
};

/* Copies `size` bytes of the area, and makes them what a DEFS chunk may hold. `copy` is aligned to 8. */
struct arena_copy arena_copy_entries(uint8_t *copy, uint8_t *area, uint64_t from, uint32_t size);

#endif
