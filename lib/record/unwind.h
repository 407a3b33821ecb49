/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - from a frame to the ones that called it, by what compilers say of each (cfi.h).
 *
 * A walk is exact or it ends: it never guesses. It notes each word of memory that it reads; with the same start and the
 * same words it would go the same way, whatever else changed. By this stacks.c knows that a stack is the one it saw before.
 *
 *	start: pc, sp, fp ──> row of pc ──> CFA ──> return address: the next pc ...
 *	                                     └────> the next sp
 *
 * No lock, no memory of the heap, no libc; memory is read only where it can be read (readable.h).
 */
#ifndef RECORDER_RECORD_UNWIND_H
#define RECORDER_RECORD_UNWIND_H

#include "record/cfi.h"

/* The registers in a frame: where it goes on, at the innermost one where a call of ours returns to. */
struct unwind_start {
	uintptr_t pc, sp, fp;
};

/*
 * Of the function that called the one which this stands in. That one gets a frame pointer by it: on x86-64 the CFA lies at a fixed
 * distance of it, and below are the return address and the caller's.
 */
#if defined(__x86_64__)
#define UNWIND_START()                                                                             \
	((struct unwind_start){                                                                    \
		((uintptr_t *)__builtin_frame_address(0))[1],                                      \
		(uintptr_t)__builtin_frame_address(0) + 2 * sizeof(uintptr_t),                     \
		((uintptr_t *)__builtin_frame_address(0))[0],                                      \
	})
#else
#define UNWIND_START()                                                                             \
	((struct unwind_start){                                                                    \
		(uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)),             \
		(uintptr_t)__builtin_dwarf_cfa(),                                                  \
		((uintptr_t *)__builtin_frame_address(0))[0],                                      \
	})
#endif

/* What is known of one address, found once. One cache line. */
struct unwind_rule {
	uintptr_t pc;
	/* Of most: the CFA is the stack pointer plus an offset, and the return address the last word below it. */
	bool is_plain, fp_saved;
	int32_t cfa_offset, fp_offset;
	struct cfi_row row; /* of all */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct unwind_rule) == 64, "one cache line each");

#define UNWIND_RULES 4096u

/* One thread's: direct-mapped by the last bits of the address. Zeroed memory is empty. */
struct unwind_rules {
	struct unwind_rule rules[UNWIND_RULES];
};

struct unwind_word {
	uintptr_t address, value;
};

enum unwind_end {
	UNWIND_GOES_ON,
	UNWIND_OUTERMOST, /* there is no caller */
	UNWIND_LOST,      /* what called it cannot be told, from here on */
};

struct unwind {
	struct unwind_rules *rules;
	uintptr_t pc, sp, fp;
	uintptr_t fp_at;  /* where it is read when it is needed; 0: `fp` is the frame pointer */
	bool fp_moved;    /* it is not the start's any more */
	bool fp_lost;     /* it cannot be told any more */
	bool start_fp;    /* the start's frame pointer mattered */
	bool interrupted; /* `pc` was not reached by a return: a signal came before it */
	/* The words that the walk depends on, in the order in which they were read. More than fit: overflown. */
	struct unwind_word *words;
	uint32_t word_count, word_max;
	bool overflown;
	uintptr_t page; /* can be read, it was asked already */
};

/* A return address without the signature that some functions of aarch64 put into it. */
static inline uintptr_t unwind_plain_address(uintptr_t address)
{
#ifdef __aarch64__
	register uintptr_t x30 __asm__("x30") = address;

	__asm__("hint 7" : "+r"(x30)); /* xpaclri */
	return x30;
#else
	return address;
#endif
}

/* Where calls are made from code of the recorder's in place of the program's (lib/native): the word that has the true address for a return to `pc`, 0: it is true itself. NULL: there is no such code. */
extern uintptr_t (*unwind_hidden)(uintptr_t pc);

void unwind_begin(struct unwind *unwind, struct unwind_rules *rules,
		  const struct unwind_start *start, struct unwind_word *words, uint32_t word_max);
/* To the caller's frame. */
enum unwind_end unwind_step(struct unwind *unwind);

/* In the high bit of a frame: no call returns there, a signal came before that instruction. */
#define UNWIND_INTERRUPTED (1ull << 63)

/* The frame that the walk is at, and those outward, into `frames`; *count of them, at most `max`. Why there are no more. */
enum unwind_end unwind_frames(struct unwind *unwind, uint64_t *frames, uint32_t max,
			      uint32_t *count);

#endif
