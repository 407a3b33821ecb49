/* SPDX-License-Identifier: MIT */
/*
 * byte_blocks.h - looking for bytes in 16 at a time.
 *
 * A block begins at a multiple of its size, so it lies in one page: whoever may read one byte of it may read all, also what lies before and behind the area that is looked at.
 */
#ifndef RECORDER_RECORD_BYTE_BLOCKS_H
#define RECORDER_RECORD_BYTE_BLOCKS_H

#include <stdint.h>

#define BLOCK_SIZE 16u
#define BLOCK_ALL 0xFFFFu /* a mask with a bit for each byte of a block, the first one's lowest */

typedef uint8_t byte_block __attribute__((vector_size(16), may_alias));

static inline const byte_block *block_of(const void *address)
{
	return (const byte_block *)((uintptr_t)address & -(uintptr_t)BLOCK_SIZE);
}

/* The bytes of its block that are at the address or behind it. */
static inline unsigned block_from(const void *address)
{
	return BLOCK_ALL & BLOCK_ALL << ((uintptr_t)address % BLOCK_SIZE);
}

#ifndef __SSE2__
/* The lowest bits of eight bytes, which are 0 or 1, side by side. */
static inline unsigned block_gather(uint64_t bits)
{
	return (unsigned)((bits & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}
#endif

/* The bytes that are `byte`. */
static inline unsigned block_equal(byte_block block, uint8_t byte)
{
	typedef char equality __attribute__((vector_size(16)));
	equality same = (equality)(block == (block ^ block) + byte);

#ifdef __SSE2__
	return (unsigned)__builtin_ia32_pmovmskb128(same);
#else
	typedef uint64_t words __attribute__((vector_size(16)));
	words both = (words)same;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return block_gather(both[0]) | block_gather(both[1]) << 8;
#else
	return block_gather(__builtin_bswap64(both[0])) | block_gather(__builtin_bswap64(both[1]))
								  << 8;
#endif
#endif
}

#endif
