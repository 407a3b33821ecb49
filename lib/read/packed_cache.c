/* SPDX-License-Identifier: MIT */
/* packed_cache.c - see packed_cache.h */
#include "read/packed_cache.h"

#include <stdlib.h>
#include <string.h>

void packed_cache_init(struct packed_cache *cache, size_t limit)
{
	memset(cache, 0, sizeof(*cache));
	pthread_mutex_init(&cache->lock, NULL);
	cache->limit = limit;
}

void packed_cache_release(struct packed_cache *cache)
{
	for (unsigned i = 0; i < CACHE_SLOTS; i++)
		free(cache->slots[i].thing);
	pthread_mutex_destroy(&cache->lock);
}

static struct cached *find(struct packed_cache *cache, uint64_t key)
{
	for (unsigned i = 0; i < CACHE_SLOTS; i++)
		if (cache->slots[i].thing && cache->slots[i].key == key)
			return &cache->slots[i];
	return NULL;
}

static void *use(struct packed_cache *cache, struct cached *slot)
{
	slot->users++;
	slot->used = ++cache->uses;
	return slot->thing;
}

static void drop(struct packed_cache *cache, struct cached *slot)
{
	cache->size -= slot->size;
	free(slot->thing);
	memset(slot, 0, sizeof(*slot));
}

/* The one that nobody uses and was not used for the longest time; NULL: there is none. */
static struct cached *oldest(struct packed_cache *cache)
{
	struct cached *oldest = NULL;

	for (unsigned i = 0; i < CACHE_SLOTS; i++) {
		struct cached *slot = &cache->slots[i];

		if (slot->thing && slot->users == 0 && (!oldest || slot->used < oldest->used))
			oldest = slot;
	}
	return oldest;
}

/* A slot for `size` bytes; NULL: all are in use. */
static struct cached *make_room(struct packed_cache *cache, size_t size)
{
	struct cached *slot;

	while (cache->size + size > cache->limit && (slot = oldest(cache)))
		drop(cache, slot);
	for (unsigned i = 0; i < CACHE_SLOTS; i++)
		if (!cache->slots[i].thing)
			return &cache->slots[i];
	slot = oldest(cache);
	if (slot)
		drop(cache, slot);
	return slot;
}

void *packed_cache_get(struct packed_cache *cache, uint64_t key)
{
	struct cached *slot;
	void *thing = NULL;

	pthread_mutex_lock(&cache->lock);
	slot = find(cache, key);
	if (slot)
		thing = use(cache, slot);
	pthread_mutex_unlock(&cache->lock);
	return thing;
}

void *packed_cache_add(struct packed_cache *cache, uint64_t key, void *thing, size_t size)
{
	struct cached *slot;

	pthread_mutex_lock(&cache->lock);
	slot = find(cache, key);
	if (slot) {
		free(thing);
		thing = use(cache, slot);
	} else if ((slot = make_room(cache, size))) {
		*slot = (struct cached){.key = key, .thing = thing, .size = size};
		cache->size += size;
		use(cache, slot);
	}
	pthread_mutex_unlock(&cache->lock);
	return thing;
}

void packed_cache_give_back(struct packed_cache *cache, uint64_t key, void *thing)
{
	struct cached *slot;

	if (!thing)
		return;
	pthread_mutex_lock(&cache->lock);
	slot = find(cache, key);
	if (slot && slot->thing == thing)
		slot->users--;
	else /* there was no room for it */
		free(thing);
	pthread_mutex_unlock(&cache->lock);
}
