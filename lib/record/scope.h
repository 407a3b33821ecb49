/* SPDX-License-Identifier: MIT */
/*
 * scope.h - the real functions as the calling object sees them.
 *
 * HDF5, netCDF and PnetCDF are often loaded late and privately (by Python modules, RTLD_LOCAL), and a process can have two of them: with and
 * without MPI, or each Python package its own. So there is not one real function but one for each object that calls it. What was found is
 * kept per calling object and forgotten when objects are closed. Libraries are numbered: handles that two of them
 * give may be equal.
 */
#ifndef RECORDER_RECORD_SCOPE_H
#define RECORDER_RECORD_SCOPE_H

#include <stdatomic.h>
#include <stdint.h>

#include "record/function.h"

struct scope_kept {
	_Atomic(void *) function;
	uint32_t library;
};

/* One calling object. `end` is 0 while the others are written; a place is used again only when its object is gone. */
struct scope {
	_Atomic uintptr_t start, end;
	struct scope_kept *_Atomic kept; /* by SYM_*; stays with the place */
};

/* In most programs the first object that made such a call is the only one. */
extern HIDDEN struct scope scopes[];

struct real {
	void *function;   /* NULL: no library of the process has it */
	uint32_t library; /* number of the library that it is in, 0 not known */
};

/* scope_real() where the first object is not it, or where nothing is kept. */
struct real scope_real_slow(unsigned symbol, uintptr_t site);

/* What is kept of a symbol for the object, if `site` is in it; else NULL. */
static inline __attribute__((always_inline)) const struct scope_kept *scope_kept_of(
	const struct scope *scope, unsigned symbol, uintptr_t site)
{
	uintptr_t end = atomic_load_explicit(&scope->end, memory_order_acquire);
	uintptr_t start = atomic_load_explicit(&scope->start, memory_order_relaxed);

	if (site < start || site >= end)
		return NULL;
	return &atomic_load_explicit(&scope->kept, memory_order_relaxed)[symbol];
}

/* The real function for a call that returns to `site`. Keeps errno. */
static inline struct real scope_real(unsigned symbol, uintptr_t site)
{
	const struct scope_kept *kept = scope_kept_of(&scopes[0], symbol, site);
	void *function = kept ? atomic_load_explicit(&kept->function, memory_order_acquire) : NULL;

	if (__builtin_expect(!function, 0))
		return scope_real_slow(symbol, site);
	return (struct real){function, kept->library};
}

/* As function_passed_on(), for a call that returns to `site`. NULL also where more has to be looked at. */
static inline __attribute__((always_inline)) void *scope_passed_on(unsigned function,
								   unsigned symbol, uintptr_t site)
{
	const struct scope_kept *kept;

	if (__builtin_expect(function_state_of(function) != FUNCTION_OFF, 1))
		return NULL;
	kept = scope_kept_of(&scopes[0], symbol, site);
	return kept ? atomic_load_explicit(&kept->function, memory_order_acquire) : NULL;
}

/* After a dlclose(): forgets what may be gone. */
void scopes_closed(void);
/* In a forked child: lets go of what other threads held. */
void scopes_forked(void);

#endif
