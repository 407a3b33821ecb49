/* SPDX-License-Identifier: MIT */
/* call_far.c - see call_far.h */
#include "record/call_far.h"

#include "record/call.h"

bool call_far_begin(struct call *call, unsigned function, unsigned arg_count, uintptr_t site)
{
	return call_enter(call, function, arg_count, site);
}

bool call_far_enter_real(struct call *call, struct real *real, unsigned symbol, unsigned function,
			 unsigned arg_count, uintptr_t site)
{
	*real = scope_real(symbol, site);
	return real->function && call_enter(call, function, arg_count, site);
}

void call_far_leave(struct call *call)
{
	call_leave(call);
}
