/* SPDX-License-Identifier: MIT */
/*
 * index.h - a hash index over an array that somebody else keeps: from a hash to the numbers of the
 * array's elements. Also a map from 32-bit ids to pointers, made of it.
 *
 * Hashes are seeded per process, so that no trace can be made to collide.
 */
#ifndef RECORDER_READ_INDEX_H
#define RECORDER_READ_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_slot {
	uint32_t hash;
	uint32_t number; /* of the element, plus 1; 0 empty */
};

/* Zeroed memory is an empty index. */
struct index {
	struct index_slot *slots;
	uint32_t size; /* a power of two, or 0 */
	uint32_t used;
};

uint32_t index_hash(const void *bytes, size_t size);

/*
 * Walks the elements of a hash: start with *position = hash, stop at -1.
 * The caller compares, since only it knows the elements.
 */
int64_t index_next(const struct index *index, uint32_t hash, uint32_t *position);
/* 0 or -ENOMEM. */
int index_add(struct index *index, uint32_t hash, uint32_t number);
void index_release(struct index *index);

struct idmap_entry {
	uint32_t id;
	void *value;
};

/* Zeroed memory is an empty map. Entries stand in the order in which they were added. */
struct idmap {
	struct idmap_entry *entries;
	uint32_t count, capacity;
	struct index index;
};

void *idmap_get(const struct idmap *map, uint32_t id);
/* Adds or replaces. 0 or -ENOMEM. */
int idmap_set(struct idmap *map, uint32_t id, void *value);
void idmap_release(struct idmap *map);

#endif
