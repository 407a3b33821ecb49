/* SPDX-License-Identifier: MIT */
/* sys.c - whether system calls may be made. */
#include "record/sys.h"

bool sys_forbidden;
__thread bool sys_forbidden_here __attribute__((tls_model("initial-exec")));

void *sys_map_unforked(size_t size)
{
	void *memory = sys_mmap(size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (sys_is_error((long)memory))
		return NULL;
	if (sys_madvise(memory, size, MADV_DONTFORK)) {
		sys_munmap(memory, size);
		return NULL;
	}
	return memory;
}

#ifdef RECORDER_TSAN
unsigned long sanitizer_next = SANITIZER_FIRST_ADDRESS;
#endif
