/* SPDX-License-Identifier: MIT */
/* mem_real.c - see mem_real.h */
#include "mem/mem_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

#define ALIGNMENT 16u

void *mem_next[MEM_FUNCTIONS];
uint8_t mem_early[EARLY_SIZE] __attribute__((aligned(4096)));
static _Atomic size_t early_used;
static __thread bool looking __attribute__((tls_model("initial-exec")));

static const char *const names[MEM_FUNCTIONS] = {
#define NAME(name) [MEM_##name] = #name,
	MEM_FUNCTION_LIST(NAME)
#undef NAME
};

/* Several threads may be at it: they find the same. Until all are found this one has none of them, lest an area goes from one allocator to another. */
void *mem_look_up(enum mem_function function)
{
	void *found[MEM_FUNCTIONS];
	int before = errno;

	if (looking)
		return NULL;
	looking = true;
	for (unsigned i = 0; i < MEM_FUNCTIONS; i++)
		found[i] = dlsym(RTLD_NEXT, names[i]);
	for (unsigned i = 0; i < MEM_FUNCTIONS; i++)
		__atomic_store_n(&mem_next[i], found[i], __ATOMIC_RELAXED);
	looking = false;
	errno = before;
	return mem_next[function];
}

void *mem_early_alloc(size_t alignment, size_t size)
{
	size_t used = atomic_load(&early_used), begin;

	if (alignment < ALIGNMENT)
		alignment = ALIGNMENT;
	do {
		begin = (used + alignment - 1) & ~(alignment - 1);
		if (begin > EARLY_SIZE || size > EARLY_SIZE - begin) {
			errno = ENOMEM;
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&early_used, &used, begin + size));
	return mem_early + begin;
}

size_t mem_early_rest(const void *area)
{
	return EARLY_SIZE - (size_t)((uintptr_t)area - (uintptr_t)mem_early);
}
