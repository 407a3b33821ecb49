/* SPDX-License-Identifier: MIT */
/*
 * huge_pages.h - large memory that is filled from its begin to its end.
 *
 * Touching it page by page would cost about as much as what is put there, so it is of huge pages where the system has them for who asks. What is smaller than one of them is memory of malloc(), as is
 * all where there are none.
 */
#ifndef RECORDER_FORMAT_HUGE_PAGES_H
#define RECORDER_FORMAT_HUGE_PAGES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* To be freed by free(). NULL: there is not so much. */
static inline void *huge_pages_alloc(size_t size)
{
	void *memory;

	if (size < HUGE_PAGE)
		return malloc(size);
	if (size > SIZE_MAX - HUGE_PAGE)
		return NULL;
	size = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	memory = aligned_alloc(HUGE_PAGE, size);
	if (memory)
		madvise(memory, size, MADV_HUGEPAGE); /* refused: as it is */
	return memory;
}

/* `old` (NULL: nothing), of which the first `used` bytes are kept, with more room. NULL: there is not so much, and `old` is as it was. */
static inline void *huge_pages_grow(void *old, size_t used, size_t size)
{
	void *memory;

	if (size < HUGE_PAGE)
		return realloc(old, size);
	memory = huge_pages_alloc(size);
	if (!memory)
		return NULL;
	if (used > 0)
		memcpy(memory, old, used);
	free(old);
	return memory;
}

#endif
