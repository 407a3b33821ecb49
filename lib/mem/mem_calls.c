/* SPDX-License-Identifier: MIT */
/* mem_calls.c - the functions of the allocator, as programs call them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mem/mem_count.h"
#include "mem/mem_real.h"

#define EXPORTED __attribute__((visibility("default")))
#define PAGE 4096u

EXPORTED void *malloc(size_t size);
EXPORTED void *calloc(size_t count, size_t size);
EXPORTED void *realloc(void *area, size_t size);
EXPORTED void *reallocarray(void *area, size_t count, size_t size);
EXPORTED void free(void *area);
EXPORTED int posix_memalign(void **area, size_t alignment, size_t size);
EXPORTED void *aligned_alloc(size_t alignment, size_t size);
EXPORTED void *memalign(size_t alignment, size_t size);
EXPORTED void *valloc(size_t size);
EXPORTED void *pvalloc(size_t size);

typedef void *of_size(size_t size);
typedef void *of_two(size_t one, size_t other);
typedef void *of_area(void *area, size_t size);
typedef void *of_array(void *area, size_t count, size_t size);
typedef void of_free(void *area);
typedef int of_posix(void **area, size_t alignment, size_t size);

/* malloc(), valloc(), pvalloc() */
static MEM_INLINE void *by_size(enum mem_function function, size_t size, size_t alignment)
{
	of_size *next = (of_size *)mem_next_of(function);
	struct mem_block *block;
	uint64_t begin;
	void *area;

	if (__builtin_expect(!next, 0))
		return mem_early_alloc(alignment, size);
	if (!mem_begin(function, &block, &begin))
		return next(size);
	area = next(size);
	mem_end(function, block, begin, area ? size : 0);
	return area;
}

/* aligned_alloc(), memalign() */
static MEM_INLINE void *by_alignment(enum mem_function function, size_t alignment, size_t size)
{
	of_two *next = (of_two *)mem_next_of(function);
	struct mem_block *block;
	uint64_t begin;
	void *area;

	if (__builtin_expect(!next, 0))
		return mem_early_alloc(alignment, size);
	if (!mem_begin(function, &block, &begin))
		return next(alignment, size);
	area = next(alignment, size);
	mem_end(function, block, begin, area ? size : 0);
	return area;
}

void *malloc(size_t size)
{
	return by_size(MEM_malloc, size, 1);
}

void *valloc(size_t size)
{
	return by_size(MEM_valloc, size, PAGE);
}

void *pvalloc(size_t size)
{
	return by_size(MEM_pvalloc, size, PAGE);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return by_alignment(MEM_aligned_alloc, alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
	return by_alignment(MEM_memalign, alignment, size);
}

static void *early_array(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return mem_early_alloc(1, bytes);
}

void *calloc(size_t count, size_t size)
{
	of_two *next = (of_two *)mem_next_of(MEM_calloc);
	struct mem_block *block;
	uint64_t begin;
	void *area;

	if (__builtin_expect(!next, 0))
		return early_array(count, size);
	if (!mem_begin(MEM_calloc, &block, &begin))
		return next(count, size);
	area = next(count, size);
	mem_end(MEM_calloc, block, begin, area ? count * size : 0);
	return area;
}

/* An area that the allocator knows nothing of becomes one that it does, if it is there. */
static __attribute__((cold)) void *move_early_area(void *area, size_t size)
{
	size_t rest = mem_is_early(area) ? mem_early_rest(area) : 0;
	void *moved = malloc(size);

	return moved ? memcpy(moved, area, size < rest ? size : rest) : NULL;
}

void *realloc(void *area, size_t size)
{
	of_area *next = (of_area *)mem_next_of(MEM_realloc);
	struct mem_block *block;
	uint64_t begin;
	void *moved;

	if (__builtin_expect(!next, 0) || mem_is_early(area))
		return area ? move_early_area(area, size) : malloc(size);
	if (!mem_begin(MEM_realloc, &block, &begin))
		return next(area, size);
	moved = next(area, size);
	mem_end(MEM_realloc, block, begin, moved ? size : 0);
	return moved;
}

void *reallocarray(void *area, size_t count, size_t size)
{
	of_array *next = (of_array *)mem_next_of(MEM_reallocarray);
	struct mem_block *block;
	uint64_t begin;
	void *moved;

	if (__builtin_expect(!next, 0) || mem_is_early(area)) {
		if (__builtin_mul_overflow(count, size, &size)) {
			errno = ENOMEM;
			return NULL;
		}
		return realloc(area, size);
	}
	if (!mem_begin(MEM_reallocarray, &block, &begin))
		return next(area, count, size);
	moved = next(area, count, size);
	mem_end(MEM_reallocarray, block, begin, moved ? count * size : 0);
	return moved;
}

void free(void *area)
{
	of_free *next = (of_free *)mem_next_of(MEM_free);
	struct mem_block *block;
	uint64_t begin;

	/* while the allocator is being looked for, nothing comes from it */
	if (__builtin_expect(!next, 0) || mem_is_early(area))
		return;
	if (!mem_begin(MEM_free, &block, &begin)) {
		next(area);
		return;
	}
	next(area);
	mem_end(MEM_free, block, begin, 0);
}

static int early_posix(void **area, size_t alignment, size_t size)
{
	*area = mem_early_alloc(alignment, size);
	return *area ? 0 : ENOMEM;
}

int posix_memalign(void **area, size_t alignment, size_t size)
{
	of_posix *next = (of_posix *)mem_next_of(MEM_posix_memalign);
	struct mem_block *block;
	uint64_t begin;
	int error;

	if (__builtin_expect(!next, 0))
		return early_posix(area, alignment, size);
	if (!mem_begin(MEM_posix_memalign, &block, &begin))
		return next(area, alignment, size);
	error = next(area, alignment, size);
	mem_end(MEM_posix_memalign, block, begin, error ? 0 : size);
	return error;
}
