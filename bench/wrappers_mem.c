/* SPDX-License-Identifier: MIT */
/* wrappers_mem.c - what counting a call of the allocator adds to it (layer mem), and that it adds nothing where nobody asks for it. */
#include <stdlib.h>

#include "wrapped.h"

#define SIZE 64

typedef void *allocate(size_t size);
typedef void release(void *area);
typedef void *allocate_array(size_t count, size_t size);
typedef void *allocate_again(void *area, size_t size);

static allocate *bare_malloc;
static release *bare_free;

/* The compiler must not take a pair for nothing. */
static void *volatile kept;

static void run_malloc(void *function, unsigned calls)
{
	allocate *next = (allocate *)function;

	while (calls-- > 0) {
		kept = next(SIZE);
		bare_free(kept);
	}
}

static void run_calloc(void *function, unsigned calls)
{
	allocate_array *next = (allocate_array *)function;

	while (calls-- > 0) {
		kept = next(1, SIZE);
		bare_free(kept);
	}
}

static void run_free(void *function, unsigned calls)
{
	release *next = (release *)function;

	while (calls-- > 0) {
		kept = bare_malloc(SIZE);
		next(kept);
	}
}

static void run_realloc(void *function, unsigned calls)
{
	allocate_again *next = (allocate_again *)function;
	unsigned size = SIZE;

	kept = bare_malloc(size);
	while (calls-- > 0) {
		size ^= SIZE; /* grown and shrunk in turns */
		kept = next(kept, SIZE + size);
	}
	bare_free(kept);
}

int main(void)
{
	struct wrapped list[] = {
		{"malloc", run_malloc, (void *)malloc, NULL},
		{"calloc", run_calloc, (void *)calloc, NULL},
		{"free", run_free, (void *)free, NULL},
		{"realloc", run_realloc, (void *)realloc, NULL},
	};

	bare_malloc = (allocate *)wrapped_bare("libc.so", "malloc");
	bare_free = (release *)wrapped_bare("libc.so", "free");
	for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		list[i].bare = wrapped_bare("libc.so", list[i].name);
	wrapped_measure(list, sizeof(list) / sizeof(list[0]));
	return 0;
}
