/* SPDX-License-Identifier: MIT */
/*
 * stdio_flush.c - fflush(). Programs flush what mostly holds nothing: std::cin of C++ does so with std::cout for each word that is read. Such calls are counted in records of runs
 * (counted.h); one that writes is a record of its own.
 */
#include "wrap/wrapper.h"

#include <stdio.h>

#include "wrap/stdio_quick.h"

/* The real function if the call was counted in that place, else NULL. The thread is not busy any more. */
static CALL_INLINE void *count(struct thread *thread, const struct counted_place *place,
			       const FILE *stream)
{
	void *next = NULL;

	if (!place)
		return NULL;
	if (likely(stdio_is_flushed(stream)))
		next = counted_add(thread, place, FN_fflush);
	counted_let_go(thread);
	return next;
}

static __attribute__((noinline)) int timed_fflush(unsigned symbol, uintptr_t site, FILE *stream)
{
	struct thread *thread = thread_tls.self;
	__typeof__(fflush) *next = function_next_at(symbol, site);
	bool nothing = stream && stdio_is_flushed(stream);
	struct call call;
	int result;

	if (count(thread, counted_claim_other(thread, symbol, stream, site), stream) ||
	    !call_enter(&call, FN_fflush, 2, site))
		return next(stream);
	arg_stream(&call, 0, stream);
	arg_int(&call, 1, 0);
	call_start(&call);
	result = next(stream);
	call_stop(&call);
	result_int(&call, result, result == EOF);
	if (nothing)
		counted_leave(&call, symbol, stream, next);
	else
		call_leave(&call);
	return result;
}

WRAPPER int fflush(FILE *stream)
{
	struct thread *thread = thread_tls.self;
	__typeof__(fflush) *next =
		count(thread, counted_claim(thread, SYM_fflush, stream, CALL_SITE), stream);

	return likely(next) ? next(stream) : timed_fflush(SYM_fflush, CALL_SITE, stream);
}

WRAPPER int fflush_unlocked(FILE *stream)
{
	struct thread *thread = thread_tls.self;
	__typeof__(fflush_unlocked) *next =
		count(thread, counted_claim(thread, SYM_fflush_unlocked, stream, CALL_SITE),
		      stream);

	return likely(next) ? next(stream) : timed_fflush(SYM_fflush_unlocked, CALL_SITE, stream);
}
