/* SPDX-License-Identifier: MIT */
/* mpi_f08.c - see mpi_f08.h */
#include "wrap/mpi_f08.h"

#ifdef F08_CALLS_PMPI

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>

#include "wrap/mpi_query.h"

#define MARK "pmpir_barrier_f08_" /* what that library alone defines */

/* Where it lies; both 0: it is not loaded. Several threads may find that out at once: all store the same. */
static _Atomic uintptr_t begin, end;
static atomic_bool known;

static int note_if_here(struct dl_phdr_info *info, size_t size, void *mark)
{
	uintptr_t low = UINTPTR_MAX, high = 0, address = (uintptr_t)mark;

	(void)size;
	for (unsigned at = 0; at < info->dlpi_phnum; at++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[at];
		uintptr_t first = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		low = first < low ? first : low;
		high = first + segment->p_memsz > high ? first + segment->p_memsz : high;
	}
	if (address < low || address >= high)
		return 0;
	atomic_store_explicit(&begin, low, memory_order_relaxed);
	atomic_store_explicit(&end, high, memory_order_relaxed);
	return 1;
}

static void find(void)
{
	struct mpi_query query;
	void *mark;

	mpi_query_begin(&query);
	mark = dlsym(RTLD_DEFAULT, MARK);
	if (mark)
		dl_iterate_phdr(note_if_here, mark);
	mpi_query_end(&query);
	atomic_store_explicit(&known, true, memory_order_release);
}

bool mpi_f08_calls(uintptr_t site)
{
	if (!atomic_load_explicit(&known, memory_order_acquire))
		find();
	return site >= atomic_load_explicit(&begin, memory_order_relaxed) &&
	       site < atomic_load_explicit(&end, memory_order_relaxed);
}

#endif
