/* SPDX-License-Identifier: MIT */
/*
 * blocks.h - arguments that are more than a word: blocks behind the words of an open record.
 *
 * A block is begun, filled, and ended, which makes it part of the record; one that is begun and not ended leaves no trace. Only the
 * record of the innermost open call grows, as nothing lies behind that, and one block at a time.
 */
#ifndef RECORDER_RECORD_BLOCKS_H
#define RECORDER_RECORD_BLOCKS_H

#include <string.h>

#include "format/wire.h"
#include "record/call.h"

static inline uint32_t block_padded(uint32_t size)
{
	return (size + 7) & ~7u;
}

/* Where a block of so many bytes is to be put; NULL: there is no room beside the other calls in flight. The record may lie elsewhere afterwards. */
static inline void *block_begin(struct call *call, uint32_t size)
{
	uint32_t begin = (uint32_t)call->record->head, end = begin + block_padded(size);

	if (unlikely(!call_has_space(call, end) && !call_may_grow(call, end)))
		return NULL;
	return (uint8_t *)call->record + begin;
}

/* The next `size` bytes, whole words, which have been filled, are a block. */
static inline void block_close(struct call *call, unsigned index, uint32_t size)
{
	struct raw_record *record = call->record;

	record->args[index] = record->size;
	record->head += size; /* its size, as the whole word (struct raw_record) */
}

/* A block whose bytes have been filled: no more than were asked for. What is left of its last word becomes 0. */
static inline void block_end(struct call *call, unsigned index, uint32_t size)
{
	struct raw_record *record = call->record;
	uint32_t padded = block_padded(size);

	if (padded != size)
		memset((uint8_t *)record + record->size + size, 0, padded - size);
	block_close(call, index, padded);
}

/* An array of which `stored` elements are to be kept; NULL: it is absent, or there is no room, which is in the record then. */
static inline struct array_block *array_begin(struct call *call, unsigned index,
					      const void *elements, uint32_t stored)
{
	struct array_block *block = NULL;

	call->record->args[index] = elements ? BLOCK_UNREADABLE : BLOCK_ABSENT;
	if (elements)
		block = block_begin(call, (uint32_t)sizeof(*block) + stored * 8);
	return block;
}

/* Its elements and its sum have been filled in. */
static inline void array_end(struct call *call, unsigned index, struct array_block *block,
			     uint32_t stored, uint32_t original)
{
	block->stored = stored;
	block->original = original;
	block_close(call, index, (uint32_t)sizeof(*block) + stored * 8);
}

#endif
