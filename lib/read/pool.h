/* SPDX-License-Identifier: MIT */
/*
 * pool.h - memory for many small things that are freed together.
 */
#ifndef RECORDER_READ_POOL_H
#define RECORDER_READ_POOL_H

#include <stddef.h>

struct pool_block;

/* Zeroed memory is an empty pool. */
struct pool {
	struct pool_block *blocks;
	size_t used, size; /* of the newest block */
	size_t total;      /* bytes given out */
};

/* Zeroed memory, aligned for anything; NULL if there is none. */
void *pool_alloc(struct pool *pool, size_t size);
/* A copy with a zero byte behind it. */
char *pool_copy(struct pool *pool, const void *bytes, size_t size);
void pool_release(struct pool *pool);

#endif
