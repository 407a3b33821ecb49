/* SPDX-License-Identifier: MIT */
/*
 * interner.h - numbers for pieces of memory by their content, in the order in which they are met: strings and arrays of a chunk's records.
 *
 * The caller gives the memory. The table begins small and is doubled, so that a chunk with few of them costs little; a lookup takes
 * constant time however many there are.
 */
#ifndef RECORDER_FORMAT_INTERNER_H
#define RECORDER_FORMAT_INTERNER_H

#include <stddef.h>
#include <stdint.h>

#define INTERNER_NONE UINT32_MAX

struct interned {
	const void *bytes; /* of the first one of this content; must last as long as the interner */
	uint32_t size;
	uint32_t hash;
};

struct interner {
	struct interned *list;
	uint32_t *slots; /* index + 1, 0 free */
	uint32_t count, capacity;
	uint32_t slot_count; /* a power of two, at least twice `count` */
};

/* For `capacity` different ones. */
size_t interner_size(uint32_t capacity);
void interner_init(struct interner *interner, void *memory, uint32_t capacity);
/* The number of these bytes; INTERNER_NONE: there are too many. */
uint32_t interner_find(struct interner *interner, const void *bytes, uint32_t size);

#endif
