/* SPDX-License-Identifier: MIT */
/*
 * exceptions.c - functions that an exception or the cancellation of a thread passes through: their calls end there.
 *
 * Thunks have a personality routine, as functions of C++ have: unwinders call it for each that they take off the stack. Where it cannot be told which one that is, the call ends when the next one is recorded, as after
 * longjmp.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "native/hot.h"
#include "native/library_symbol.h"
#include "record/call.h"

#define CONTINUE_UNWIND 8 /* of enum _Unwind_Reason_Code */
#define CLEANUP_PHASE 2   /* of _Unwind_Action */

struct _Unwind_Context;

int native_personality(int version, int actions, uint64_t class, void *exception,
		       struct _Unwind_Context *context);

static uintptr_t address_of(struct _Unwind_Context *context)
{
	typedef uintptr_t get_function(struct _Unwind_Context *);
	static get_function *get;

	if (!get)
		get = (get_function *)library_symbol("_Unwind_GetIP", "libgcc_s.so.1");
	return get ? get(context) : 0;
}

int native_personality(int version, int actions, uint64_t class, void *exception,
		       struct _Unwind_Context *context)
{
	int saved = errno;
	uint32_t thunk;

	(void)version;
	(void)class;
	(void)exception;
	if (!(actions & CLEANUP_PHASE))
		return CONTINUE_UNWIND;
	thunk = thunk_of(address_of(context));
	while (thunk != THUNK_NONE) {
		const struct thunk_call *open = &native_calls[thunk];
		struct thread *thread = thunk_holder(open);

		if (thread)
			call_drop_inside(thread, open->level);
		thunk = open->outer - 1; /* of 0: THUNK_NONE */
	}
	errno = saved;
	return CONTINUE_UNWIND;
}
