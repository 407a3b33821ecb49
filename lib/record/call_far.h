/* SPDX-License-Identifier: MIT */
/*
 * call_far.h - call_enter() and what follows it as functions, for wrappers that are many and whose calls take so long that 2 ns more do not
 * count against a megabyte of code. In the catalogue: `layer NAME far`. Otherwise as in call.h.
 */
#ifndef RECORDER_RECORD_CALL_FAR_H
#define RECORDER_RECORD_CALL_FAR_H

#include <stdbool.h>
#include <stdint.h>

#include "record/call.h"
#include "record/scope.h"

/* call_far_enter() of a function that is not filtered out. */
bool call_far_begin(struct call *call, unsigned function, unsigned arg_count, uintptr_t site);

static inline bool call_far_enter(struct call *call, unsigned function, unsigned arg_count,
				  uintptr_t site)
{
	return function_state_of(function) != FUNCTION_OFF &&
	       call_far_begin(call, function, arg_count, site);
}

/* scope_real() and call_far_enter() in one: `real` is the real function whether or not the call is recorded; without one it is not. */
bool call_far_enter_real(struct call *call, struct real *real, unsigned symbol, unsigned function,
			 unsigned arg_count, uintptr_t site);

static inline void call_far_start(struct call *call)
{
	call_start(call);
}

static inline void call_far_stop(struct call *call)
{
	call_stop(call);
}

void call_far_leave(struct call *call);

#endif
