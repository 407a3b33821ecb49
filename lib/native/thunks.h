/* SPDX-License-Identifier: MIT */
/*
 * thunks.h - where traced functions return to, and what is known of those that have not returned: the shadow stack.
 *
 *	 native_thunks (code, 16 bytes each)            native_words (data, 16 bytes each)
 *	 k:  call *words[k].target  ──────────────────>  target   the function's own code
 *	     native_return; ret  <────────── ret ──      real     where its caller goes on
 *
 * A traced call takes a thunk, and jumps to it with the stack as before the call: so the thunk's `call` puts an address of its own into the very word that had the caller's,
 * and to the CPU, which predicts returns, all calls and returns are in order. Who returns, to whatever stack, names his thunk by where he returns to: nothing
 * depends on calls returning in the order in which they were made. Longjmps, exceptions and coroutines need not be known of.
 *
 * Unwinders need not, either: the thunks have call frame information that says where the caller's address is kept (thunks_x86_64.S). So exceptions, cancellations and backtraces
 * go through as if nothing were there, and the recorder's own stacks do.
 *
 * A thunk is free, or it is in use, by one thread's call. Each thread has a list of free ones, which only it touches while `busy` is set (its own signal handlers find that, and take none);
 * what it has too many of, and all when it ends, go to the process's list. Calls that never return (longjmp, an exception, a coroutine that is given up) leave theirs in use. When there is none
 * left for a thread, those are taken back whose word on the stack has become something else: nothing can return to them. What cannot be told stays in use.
 */
#ifndef RECORDER_NATIVE_THUNKS_H
#define RECORDER_NATIVE_THUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/hidden.h"

#define THUNKS_MAX 16384u
#define THUNK_SIZE 16u
#ifdef __aarch64__
#define THUNK_RETURN 4u
#else
#define THUNK_RETURN 6u /* of a thunk: where functions return to */
#endif
#define THUNK_NONE UINT32_MAX
#define NATIVE_STARTS 2u

struct thunk_word {
	uintptr_t target, real;
};

struct native_tls;
struct raw_record;
struct thread;

/* The call that a thunk is used by. */
struct thunk_call {
	uintptr_t
		slot; /* the word on the stack that has, or will have, the return address; aarch64: or that less one of prologue.h; 0: the thunk is free */
	uintptr_t frame; /* of the open call */
	struct thread *thread;
	struct raw_record *record; /* among its open calls */
	struct native_tls *owner;
	uint32_t level;
	uint32_t next;     /* in a list of free ones */
	uint32_t function; /* in native_functions */
	uint32_t
		outer; /* the thunk of the function that has jumped to this one + 1, which is over when it is; 0: none */
	uint32_t has_result; /* which is to be recorded */
} __attribute__((aligned(64)));

struct native_tls {
	uint32_t
		busy; /* a list is being changed; NATIVE_STARTS, too: the thread's first call is being recorded, for which the recorder calls functions that the program may have, too */
	uint32_t free;  /* the first of the list + 1; 0: empty */
	uint32_t taken; /* thunks that are in use by it or in its list */
	bool has_end;   /* they are given back when it ends */
};

extern HIDDEN const uint8_t native_thunks[]; /* thunks_CPU.S */
extern HIDDEN struct thunk_word native_words[THUNKS_MAX];
extern HIDDEN struct thunk_call native_calls[THUNKS_MAX];
extern __thread struct native_tls native_tls __attribute__((tls_model("initial-exec")));

/* The thunk that `address`, of a return, lies in; THUNK_NONE: in none. */
static inline uint32_t thunk_of(uintptr_t address)
{
	uintptr_t offset = address - (uintptr_t)native_thunks;

	return offset < (uintptr_t)THUNKS_MAX * THUNK_SIZE ? (uint32_t)(offset / THUNK_SIZE)
							   : THUNK_NONE;
}

static inline uintptr_t thunk_entry(uint32_t thunk)
{
	return (uintptr_t)native_thunks + (uintptr_t)thunk * THUNK_SIZE;
}

static inline uintptr_t thunk_return(uint32_t thunk)
{
	return thunk_entry(thunk) + THUNK_RETURN;
}

/* From the calling thread's list, and to it. It must not be empty; `busy` is the caller's to set. */
static inline uint32_t thunk_take(struct native_tls *tls)
{
	uint32_t thunk = tls->free - 1;

	tls->free = native_calls[thunk].next;
	return thunk;
}

static inline void thunk_give(struct native_tls *tls, uint32_t thunk)
{
	native_calls[thunk].slot = 0;
	native_calls[thunk].next = tls->free;
	tls->free = thunk + 1;
}

/* Once. */
void thunks_init(void);
/* Fills the calling thread's list. False: there is none to be had. */
bool thunks_refill(struct native_tls *tls);

#endif
