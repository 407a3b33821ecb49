/* SPDX-License-Identifier: MIT */
/*
 * pack.h - the frame of a packed trace, doc/format.md section 10: what lies where in the file.
 *
 *	file header   areas, one after the other   index   trailer
 *
 * The index tells kind and size of each area, so that areas can neither overlap nor leave gaps.
 */
#ifndef RECORDER_FORMAT_PACK_H
#define RECORDER_FORMAT_PACK_H

#include "format/varint.h"

#define PACK_MAGIC "RECPACK1"
#define PACK_INDEX_MAX (1u << 30) /* bytes of an index, inflated */
#define PACK_BLOCK_MAX (64u << 20)
#define PACK_BLOB_MAX (32u << 20) /* that is put into a block */
#define PACK_RAW_MAX (64u << 10)  /* bytes of a file that are stored as they are, in one piece */
#define PACK_AREA_ROOM (4 * VARINT_MAX) /* an area in the index, at most */
#define PACK_DEPTH 8u                   /* blobs that one is made from, one from the other */

enum pack_area_kind {
	PACK_DATA,   /* of a part: its times, and what is not alike elsewhere */
	PACK_WORDS,  /* a block of blobs: signatures and ids of DATA chunks */
	PACK_SHAPES, /* a block: what parts look like */
	PACK_PARTS,  /* a block: what is different in each part */
	PACK_KINDS,
};

struct pack_area {
	enum pack_area_kind kind;
	uint64_t size;
	/* of a block: */
	uint32_t plain_size, crc; /* of what it inflates to */
	uint32_t blobs;
};

struct pack_trailer {
	uint64_t index_offset;
	uint32_t index_size, index_plain;
	uint32_t index_crc; /* of the index as it is stored */
	uint32_t crc;       /* of all bytes before it */
	uint8_t magic[8];
};

_Static_assert(sizeof(struct pack_trailer) == 32, "doc/format.md section 10");

void pack_trailer_seal(struct pack_trailer *trailer);
/* Of a file of `size` bytes: 0; -EBADMSG: none, or damaged; -EFBIG: beyond limits; -ERANGE: the index does not end where it begins. */
int pack_trailer_check(const struct pack_trailer *trailer, uint64_t size);

/* Writes at most PACK_AREA_ROOM bytes; returns how many. */
size_t pack_area_put(uint8_t *p, const struct pack_area *area);
/* 0 or -EBADMSG. */
int pack_area_take(struct bytes *index, struct pack_area *area);

/* Two numbers that depend on all bytes; different blobs have different ones. */
struct pack_digest {
	uint64_t a, b;
};

struct pack_digest pack_digest_of(const void *bytes, size_t size);

#endif
