/* SPDX-License-Identifier: MIT */
/*
 * packed_cache.h - what was read of a packed trace and may be needed again: the parts used last stay, as many bytes as there is room for.
 */
#ifndef RECORDER_READ_PACKED_CACHE_H
#define RECORDER_READ_PACKED_CACHE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define CACHE_SLOTS 256u

struct cached {
	uint64_t key;
	void *thing; /* made by malloc() */
	size_t size;
	unsigned users;
	uint64_t used; /* when it was last */
};

struct packed_cache {
	pthread_mutex_t lock;
	struct cached slots[CACHE_SLOTS];
	size_t size, limit;
	uint64_t uses;
};

void packed_cache_init(struct packed_cache *cache, size_t limit);
void packed_cache_release(struct packed_cache *cache);
/* The thing of this key, to be given back; NULL: it is not there. */
void *packed_cache_get(struct packed_cache *cache, uint64_t key);
/* Takes `thing` over, or frees it where another thread was faster, and gives what is to be used. */
void *packed_cache_add(struct packed_cache *cache, uint64_t key, void *thing, size_t size);
void packed_cache_give_back(struct packed_cache *cache, uint64_t key, void *thing);

#endif
