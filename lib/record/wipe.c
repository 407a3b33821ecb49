/* SPDX-License-Identifier: MIT */
/* wipe.c - memory that a fork wipes. */
#include "record/wipe.h"

#include "record/sys.h"

void *wipe_alloc(size_t size)
{
	void *memory = sys_mmap(size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (sys_is_error((long)memory))
		return NULL;
	if (sys_madvise(memory, size, MADV_WIPEONFORK)) {
		sys_munmap(memory, size);
		return NULL;
	}
	return memory;
}
