/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - the call stacks of records (RECORDER_STACKS): from a frame to the number of a STACK definition.
 *
 *	call ──> slots of the thread ── hit ──> number
 *	              │ miss
 *	              └──> unwind.c ──> frames ──> table of the process ──> number, defined once
 *
 * A slot is found by where the call is made from and by the stack pointer there. It keeps the words of memory that the walk depended on,
 * return addresses above all. If they are what they were, the walk would go the same way: so a hit is exact. Words are read in the walk's
 * order, and none after the first that differs: what is read is what a walk would read.
 *
 * The table and the slots lie in memory that a fork wipes, as numbers are of one stream. Both are bounded: when the table is
 * full, records have no stack, which is counted.
 */
#ifndef RECORDER_RECORD_STACKS_H
#define RECORDER_RECORD_STACKS_H

#include "record/config.h"
#include "record/thread.h"
#include "record/unwind.h"

#define STACKS_DEPTH_MAX CONFIG_DEPTH_MAX

/* Frames that are kept of each stack, 0: no stacks. */
extern uint32_t stacks_depth;
/* Sets it; before the first call. */
void stacks_init(uint32_t depth);

/* A stack that the thread had before, by the start of its walk, and what the walk depended on. */
struct stack_slot {
	uintptr_t site, pc, sp, fp; /* sp 0: empty */
	uintptr_t fp_mask;          /* 0: the frame pointer does not matter */
	uint32_t id, generation;
	uint32_t word_count, reserved;
	struct unwind_word words[]; /* and one more, that never holds: the end of a search */
};

/* A thread has so many slots, each of so many bytes. */
extern uint32_t stacks_slot_mask, stacks_slot_shift;

/* Of what addresses mean: changes when a library goes. */
extern _Atomic uint32_t stacks_generation;

/* The way of a miss: walks. */
uint32_t stacks_capture(struct thread *thread, const struct unwind_start *start, uintptr_t site);

/* Cheap: all that comes after waits for it. Stack pointers are multiples of 16. */
static inline struct stack_slot *stack_slot_of(uint8_t *slots, uintptr_t sp, uintptr_t site)
{
	uintptr_t hash = site ^ sp >> 4 ^ sp >> 9;

	return (struct stack_slot *)(slots + ((hash & stacks_slot_mask) << stacks_slot_shift));
}

/* A word of another function's frame, which AddressSanitizer need not know of. */
static inline __attribute__((always_inline, no_sanitize("address"))) bool unwind_word_holds(
	const struct unwind_word *word)
{
	return *(const volatile uintptr_t *)word->address == word->value;
}

static inline __attribute__((no_sanitize("address"))) bool stack_slot_holds(
	const struct stack_slot *slot)
{
	const struct unwind_word *word = slot->words;

	/* four at a time, as a jump back costs as much as a word */
	for (; unwind_word_holds(word); word++)
		if (!unwind_word_holds(++word) || !unwind_word_holds(++word) ||
		    !unwind_word_holds(++word))
			break;
	return word == slot->words + slot->word_count;
}

/* The calling thread's slot of a stack that it had before at its place; NULL: it is another one. */
static inline const struct stack_slot *stacks_hit(const struct unwind_start *start, uintptr_t site)
{
	uint8_t *slots = thread_tls.stacks;
	const struct stack_slot *slot;

	if (__builtin_expect(!slots, 0))
		return NULL;
	slot = stack_slot_of(slots, start->sp, site);
	if (slot->sp == start->sp && slot->site == site && slot->pc == start->pc &&
	    slot->generation == atomic_load_explicit(&stacks_generation, memory_order_relaxed) &&
	    !((slot->fp ^ start->fp) & slot->fp_mask) && stack_slot_holds(slot))
		return slot;
	return NULL;
}

/*
 * The number of the stack whose innermost frame is the one that `site` returns into; 0: none. `thread` is thread_tls.self, and
 * busy: for a spare one it is stacks_capture().
 */
static inline uint32_t stacks_id(struct thread *thread, const struct unwind_start *start,
				 uintptr_t site)
{
	const struct stack_slot *slot = stacks_hit(start, site);

	return slot ? slot->id : stacks_capture(thread, start, site);
}

/* dlclose() has returned: addresses may mean other functions from now on. */
void stacks_closed(void);

/* Records that have no stack though they should. */
uint64_t stacks_missing(void);
/* In a forked child. */
void stacks_forked(void);

#endif
