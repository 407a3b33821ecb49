/* SPDX-License-Identifier: MIT */
/* outstanding.c - see outstanding.h */
#include "analysis/outstanding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/index.h"

#define BUCKETS 65536u

_Static_assert(sizeof(struct outstanding_key) == 16, "it is hashed as bytes");

static struct outstanding **bucket_of(const struct outstanding_table *table,
				      const struct outstanding_key *key)
{
	return &table->buckets[index_hash(key, sizeof(*key)) % BUCKETS];
}

struct outstanding *outstanding_add(struct outstanding_table *table,
				    const struct outstanding_key *key)
{
	struct outstanding *item, **bucket;

	errno = 0;
	if (table->count >= OUTSTANDING_MAX)
		return NULL;
	if (!table->buckets)
		table->buckets = calloc(BUCKETS, sizeof(struct outstanding *));
	item = table->buckets ? calloc(1, sizeof(*item)) : NULL;
	if (!item) {
		errno = ENOMEM;
		return NULL;
	}
	bucket = bucket_of(table, key);
	item->key = *key;
	item->next = *bucket;
	*bucket = item;
	table->count++;
	return item;
}

struct outstanding *outstanding_find(const struct outstanding_table *table,
				     const struct outstanding_key *key)
{
	struct outstanding *item = table->buckets ? *bucket_of(table, key) : NULL;

	while (item && memcmp(&item->key, key, sizeof(*key)) != 0)
		item = item->next;
	return item;
}

void outstanding_remove(struct outstanding_table *table, struct outstanding *item)
{
	struct outstanding **place = bucket_of(table, &item->key);

	while (*place != item)
		place = &(*place)->next;
	*place = item->next;
	table->count--;
	free(item);
}

static int compare(const void *a, const void *b)
{
	const struct outstanding *one = *(struct outstanding *const *)a;
	const struct outstanding *other = *(struct outstanding *const *)b;
	const uint64_t ones[] = {one->start.stream, one->start.thread, one->start.sequence,
				 one->key.kind, (uint64_t)one->key.number};
	const uint64_t others[] = {other->start.stream, other->start.thread, other->start.sequence,
				   other->key.kind, (uint64_t)other->key.number};

	for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++)
		if (ones[i] != others[i])
			return ones[i] < others[i] ? -1 : 1;
	return 0;
}

struct outstanding **outstanding_sorted(const struct outstanding_table *table)
{
	struct outstanding **sorted = calloc(table->count + 1, sizeof(*sorted));
	uint32_t count = 0;

	for (uint32_t i = 0; sorted && table->buckets && i < BUCKETS; i++)
		for (struct outstanding *item = table->buckets[i]; item; item = item->next)
			sorted[count++] = item;
	if (sorted)
		qsort(sorted, count, sizeof(*sorted), compare);
	return sorted;
}

void outstanding_release(struct outstanding_table *table)
{
	for (uint32_t i = 0; table->buckets && i < BUCKETS; i++)
		while (table->buckets[i])
			outstanding_remove(table, table->buckets[i]);
	free(table->buckets);
	table->buckets = NULL;
}
