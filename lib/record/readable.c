/* SPDX-License-Identifier: MIT */
/* readable.c - a cache of readable pages. */
#include "record/readable.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "record/sys.h"

#define PAGE_SHIFT 12
#define PAGE_SIZE_MIN (1ul << PAGE_SHIFT)
#define CACHE_SIZE 256u
#define STRING_MEASURED (64u << 10)

static _Atomic uintptr_t cache[CACHE_SIZE]; /* page numbers; 0: free */

void readable_forget(void)
{
	for (unsigned i = 0; i < CACHE_SIZE; i++)
		atomic_store_explicit(&cache[i], 0, memory_order_relaxed);
}

static bool page_readable(uintptr_t page)
{
	_Atomic uintptr_t *entry = &cache[(page ^ page >> 8) % CACHE_SIZE];
	char byte;

	if (atomic_load_explicit(entry, memory_order_relaxed) == page)
		return page != 0;
	if (sys_copy_from_self(&byte, (const void *)(page << PAGE_SHIFT), 1) != 1)
		return false;
	atomic_store_explicit(entry, page, memory_order_relaxed);
	return true;
}

bool readable(const void *address, size_t size)
{
	uintptr_t first = (uintptr_t)address >> PAGE_SHIFT;
	uintptr_t last = ((uintptr_t)address + size - 1) >> PAGE_SHIFT;

	if (size == 0)
		return true;
	if (last < first)
		return false;
	for (uintptr_t page = first; page <= last; page++)
		if (!page_readable(page))
			return false;
	return true;
}

bool readable_string(const char *string, size_t *length)
{
	const char *p = string;

	while ((size_t)(p - string) < STRING_MEASURED) {
		size_t rest = PAGE_SIZE_MIN - ((uintptr_t)p & (PAGE_SIZE_MIN - 1));
		const char *end;

		if (!page_readable((uintptr_t)p >> PAGE_SHIFT))
			return false;
		end = memchr(p, '\0', rest);
		if (end) {
			*length = (size_t)(end - string);
			return true;
		}
		p += rest;
	}
	*length = STRING_MEASURED;
	return true;
}
