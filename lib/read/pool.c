/* SPDX-License-Identifier: MIT */
/* pool.c - see pool.h */
#include "read/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/huge_pages.h"

#define BLOCK_SMALLEST 1024u
#define BLOCK_LARGEST (HUGE_PAGE - sizeof(struct pool_block))

struct pool_block {
	struct pool_block *next;
	_Alignas(max_align_t) char data[];
};

/* Blocks double: a trace of ten thousand small streams must not cost ten thousand large blocks. */
static int add_block(struct pool *pool, size_t least)
{
	size_t size = pool->size < BLOCK_SMALLEST / 2 ? BLOCK_SMALLEST : pool->size * 2;
	struct pool_block *block;

	if (size > BLOCK_LARGEST)
		size = BLOCK_LARGEST;
	if (size < least)
		size = least;
	if (size > SIZE_MAX - sizeof(*block))
		return -1;
	block = huge_pages_alloc(sizeof(*block) + size);
	if (!block)
		return -1;
	block->next = pool->blocks;
	pool->blocks = block;
	pool->used = 0;
	pool->size = size;
	return 0;
}

void *pool_alloc(struct pool *pool, size_t size)
{
	size_t rounded = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	void *memory;

	if (rounded < size)
		return NULL;
	if (!pool->blocks || pool->size - pool->used < rounded) {
		if (add_block(pool, rounded))
			return NULL;
	}
	memory = pool->blocks->data + pool->used;
	pool->used += rounded;
	pool->total += rounded;
	return memset(memory, 0, size);
}

char *pool_copy(struct pool *pool, const void *bytes, size_t size)
{
	char *copy = size < SIZE_MAX ? pool_alloc(pool, size + 1) : NULL;

	if (copy && size > 0)
		memcpy(copy, bytes, size);
	return copy;
}

void pool_release(struct pool *pool)
{
	struct pool_block *block = pool->blocks;

	while (block) {
		struct pool_block *next = block->next;

		free(block);
		block = next;
	}
	memset(pool, 0, sizeof(*pool));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(pool_gives_zeroed_memory)
{
	struct pool pool = {0};
	char *copy = pool_copy(&pool, "ab", 2);

	REQUIRE(copy);
	EXPECT_STR(copy, "ab");
	for (size_t size = 1; size < 1u << 20; size *= 3) {
		char *memory = pool_alloc(&pool, size);

		REQUIRE(memory);
		EXPECT_EQ(memory[0] | memory[size - 1], 0);
		memset(memory, 0xff, size);
	}
	EXPECT_STR(copy, "ab");
	EXPECT(!pool_alloc(&pool, SIZE_MAX - 8));
	pool_release(&pool);
	EXPECT_EQ(pool.total, 0);
}
#endif
