/* SPDX-License-Identifier: MIT */
/*
 * posix_dlclose.c - a library that goes takes its functions with it: what scope.c found in it, or for it, is forgotten. Not recorded. (dlopen()
 * is not wrapped: the loader looks for libraries from where it is called.)
 */
#include "wrap/wrapper.h"

#include <dlfcn.h>
#include <stdatomic.h>

typedef int dlclose_fn(void *handle);

static _Atomic(dlclose_fn *) next_dlclose;

WRAPPER int dlclose(void *handle)
{
	dlclose_fn *next = atomic_load_explicit(&next_dlclose, memory_order_relaxed);
	int result;

	if (!next) {
		next = (dlclose_fn *)dlsym(RTLD_NEXT, "dlclose");
		atomic_store_explicit(&next_dlclose, next, memory_order_relaxed);
	}
	result = next(handle);
	scopes_closed();
	return result;
}
