/* SPDX-License-Identifier: MIT */
/* wipe.c - see wipe.h */
#include "record/wipe.h"

#include "record/sys.h"

static void *map(size_t size, int advice)
{
	void *memory = sys_mmap(size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (sys_is_error((long)memory))
		return NULL;
	if (sys_madvise(memory, size, advice)) {
		sys_munmap(memory, size);
		return NULL;
	}
	return memory;
}

void *wipe_alloc(size_t size)
{
	return map(size, MADV_WIPEONFORK);
}

void *wipe_alloc_unforked(size_t size)
{
	return map(size, MADV_DONTFORK);
}
