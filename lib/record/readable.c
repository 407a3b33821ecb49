/* SPDX-License-Identifier: MIT */
/* readable.c - a cache of readable pages. */
#include "record/readable.h"

#include "record/byte_blocks.h"
#include "record/sanitizer.h"
#include "record/sys.h"

#define PAGE_SIZE_MIN (1ul << READABLE_PAGE)

_Atomic uintptr_t readable_cache[READABLE_CACHE];

void readable_forget(void)
{
	for (unsigned i = 0; i < READABLE_CACHE; i++)
		atomic_store_explicit(&readable_cache[i], 0, memory_order_relaxed);
}

/* Some filters of system calls, and emulators, have no process_vm_readv(2); all read a signal set before they see that it is for nothing. */
bool readable_now(const void *address)
{
	char byte;
	long copied = sys_copy_from_self(&byte, address, 1);

	if (copied == -ENOSYS || copied == -EPERM)
		return sys_sigprocmask(-1, address, NULL) == -EINVAL;
	return copied == 1;
}

static bool page_readable(uintptr_t page)
{
	_Atomic uintptr_t *entry = readable_entry(page);

	if (atomic_load_explicit(entry, memory_order_relaxed) == page)
		return page != 0;
	if (!readable_now((const void *)(page << READABLE_PAGE)))
		return false;
	atomic_store_explicit(entry, page, memory_order_relaxed);
	return true;
}

bool readable_slow(const void *address, size_t size)
{
	uintptr_t first = (uintptr_t)address >> READABLE_PAGE;
	uintptr_t last = ((uintptr_t)address + size - 1) >> READABLE_PAGE;

	if (size == 0)
		return true;
	if (last < first)
		return false;
	for (uintptr_t page = first; page <= last; page++)
		if (!page_readable(page))
			return false;
	return true;
}

sanitizer_reads_around bool readable_string(const char *string, size_t *length)
{
	const byte_block *block = block_of(string);
	unsigned ends;

	if (!page_readable((uintptr_t)string >> READABLE_PAGE))
		return false;
	ends = block_equal(*block, 0) & block_from(string);
	while (!ends) {
		block++;
		if ((const char *)block - string >= READABLE_MEASURED) {
			*length = READABLE_MEASURED;
			return true;
		}
		if ((uintptr_t)block % PAGE_SIZE_MIN == 0 &&
		    !page_readable((uintptr_t)block >> READABLE_PAGE))
			return false;
		ends = block_equal(*block, 0);
	}
	*length = (size_t)((const char *)block - string) + (size_t)__builtin_ctz(ends);
	return true;
}
