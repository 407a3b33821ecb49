/* SPDX-License-Identifier: MIT */
/*
 * bump.h - pieces of a block of memory that the caller gave, one behind the other. They are given back together.
 */
#ifndef RECORDER_FORMAT_BUMP_H
#define RECORDER_FORMAT_BUMP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BUMP_ALIGNMENT 16u

struct bump {
	uint8_t *memory; /* of a multiple of BUMP_ALIGNMENT */
	size_t left;
};

/* Memory for `count` things of `each` bytes; NULL: there is too little. */
static inline void *bump_take(struct bump *bump, size_t count, size_t each)
{
	void *memory = bump->memory;
	size_t size;

	if (__builtin_mul_overflow(count, each, &size) || size > SIZE_MAX - BUMP_ALIGNMENT)
		return NULL;
	size = (size + BUMP_ALIGNMENT - 1) & ~(size_t)(BUMP_ALIGNMENT - 1);
	if (size > bump->left)
		return NULL;
	bump->memory += size;
	bump->left -= size;
	return memory;
}

static inline void *bump_take_zeros(struct bump *bump, size_t count, size_t each)
{
	void *memory = bump_take(bump, count, each);

	return memory ? memset(memory, 0, count * each) : NULL;
}

#endif
