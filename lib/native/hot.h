/* SPDX-License-Identifier: MIT */
/*
 * hot.h - a call of a function that is traced by name, from its stub to its thunk.
 *
 *	function: jump to stub ──> stub: its number; jump to native_entry ──> native_enter()
 *	                                                                      │ records, takes a thunk
 *	             resume: moved instructions; jump to function + n <─ call ─ thunk
 *	                                                                      │
 *	caller <── ret ── native_leave() <── native_return <──────── ret ────┘
 *
 * What happens mostly is in hot.c, compiled so that it leaves vector registers alone, and calls nothing; for the rest aside.c is called with those registers saved.
 */
#ifndef RECORDER_NATIVE_HOT_H
#define RECORDER_NATIVE_HOT_H

#include <stdbool.h>
#include <stdint.h>

#include "native/native_frame.h"
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
	uint32_t saved;   /* see prologue.h */
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

/* What is kept of a call as the place of its return address, which lies that far below the caller's stack or is pushed there. */
static inline uintptr_t native_slot(uintptr_t place, uint32_t function)
{
#ifdef __aarch64__
	return place - native_functions[function].saved;
#else
	(void)function;
	return place;
#endif
}

/* Runs function(frame, vectors) with all vector registers kept; `vectors`: where they are, from NATIVE_VECTORS_OFFSET on those for numbers, in 16 bytes each. */
unsigned native_aside(unsigned (*function)(struct native_frame *frame, void *vectors),
		      struct native_frame *frame);
extern uint8_t native_has_more_vectors; /* xsave, SVE */
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
