/* SPDX-License-Identifier: MIT */
/*
 * hot.h - a call of a function that is traced by name, from its stub to its thunk.
 *
 *	function: jmp stub ──> stub: push its number; jmp native_entry ──> native_enter()
 *	                                                                      │ records, takes a thunk
 *	              resume: moved instructions; jmp function + n <── call ── thunk
 *	                                                                      │
 *	caller <── ret ── native_leave() <── native_return <──────── ret ────┘
 *
 * What happens mostly is in hot.c, compiled so that it leaves vector registers alone, and calls nothing; for the rest aside.c is called with those registers saved.
 */
#ifndef RECORDER_NATIVE_HOT_H
#define RECORDER_NATIVE_HOT_H

#include <stdbool.h>
#include <stdint.h>

#include "native/specs.h"
#include "native/thunks.h"

#define NATIVE_FUNCTIONS_MAX 16384u
/* The last ones are kept for what is looked out for: the loader (native.c), a Python that begins (embedding.h). */
#define NATIVE_EMBEDDING_FUNCTIONS 2u
#define NATIVE_FUNCTIONS_ROOM (NATIVE_FUNCTIONS_MAX - 1u - NATIVE_EMBEDDING_FUNCTIONS)

/* One that is traced. Written once, before its stub is in use. */
struct native_function {
	uintptr_t resume; /* its own code */
	uint32_t number;  /* named.h */
	uint8_t arg_count;
	bool aside;        /* what follows cannot be recorded from general registers */
	bool aside_result; /* nor can the result */
	const struct native_spec
		*spec;      /* arguments and results that are to be recorded; NULL: none */
	void (*hook)(void); /* instead of recording */
};

extern HIDDEN struct native_function native_functions[NATIVE_FUNCTIONS_MAX];

/* Whether what it returns is recorded; 0 is no function. */
static inline bool native_has_result(uint32_t place)
{
	const struct native_spec *spec = native_functions[place].spec;

	return spec && spec->has_result;
}

/* As thunks_CPU.S has pushed it. */
struct native_frame {
	uint64_t unused; /* of mcount: where the word for the return address is */
	uint64_t r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax;
	/* Of an entry: the number of the stub, or where the function goes on; afterwards where to go to. Of a return: an address in the thunk. */
	uintptr_t at;
	uintptr_t slot; /* the word for the return address, itself */
};

#define NATIVE_REGISTERS 6u /* that integers come in, the first ones; then the stack */

/* The integer, or pointer, at a place among those that the function was called with. */
static inline uint64_t native_word(const struct native_frame *frame, unsigned place)
{
	switch (place) {
	case 0:
		return frame->rdi;
	case 1:
		return frame->rsi;
	case 2:
		return frame->rdx;
	case 3:
		return frame->rcx;
	case 4:
		return frame->r8;
	case 5:
		return frame->r9;
	default:
		return (&frame->slot)[1 + place - NATIVE_REGISTERS];
	}
}

#define NATIVE_SLOT(frame) ((uintptr_t) & (frame)->slot)

/* Runs function(frame, vectors) with all vector registers kept; `vectors`: where they are, as xsave stores them. */
unsigned native_aside(unsigned (*function)(struct native_frame *frame, void *vectors),
		      struct native_frame *frame);
extern uint8_t native_has_xsave;
/* Whether hot.c is compiled as it must be. */
extern const bool native_hot_is_general;

/* From thunks_CPU.S. 1: on to frame->at, a thunk, as if the function had not been called yet; 0: on to frame->at. */
unsigned native_enter(struct native_frame *frame);
unsigned native_fentry_enter(struct native_frame *frame);
void native_mcount_enter(struct native_frame *frame);
void native_leave(struct native_frame *frame);

/* All that the ones above leave to others. */
unsigned native_enter_aside(struct native_frame *frame, void *vectors);
unsigned native_fentry_aside(struct native_frame *frame, void *vectors);
/* libc's, which counts for gprof; NULL: not looked for yet. */
extern void *native_next_mcount;
unsigned native_mcount_find(struct native_frame *frame, void *vectors);
unsigned native_mcount_aside(struct native_frame *frame, void *vectors);
unsigned native_leave_aside(struct native_frame *frame, void *vectors);

/* The structure that has the record of a thunk's call among its open calls; NULL: none has, any more. */
struct thread *thunk_holder(const struct thunk_call *open);

void native_entry(void); /* for stubs to jump to; no function of C */

#endif
