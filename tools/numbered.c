/* SPDX-License-Identifier: MIT */
/* numbered.c - see numbered.h */
#include "numbered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 64u

static struct numbered_entry *find(const struct numbered *table, uint32_t stream, uint32_t number)
{
	size_t mask = table->room - 1;
	size_t at = (stream * 0x9e3779b97f4a7c15u ^ number * 0xc4ceb9fe1a85ec53u) >> 20;

	for (at &= mask; table->entries[at].used; at = (at + 1) & mask)
		if (table->entries[at].stream == stream && table->entries[at].number == number)
			break;
	return &table->entries[at];
}

static int grow(struct numbered *table)
{
	struct numbered larger = {.count = table->count,
				  .room = table->room ? 2 * table->room : ROOM_MIN};

	larger.entries = calloc(larger.room, sizeof(*larger.entries));
	if (!larger.entries)
		return -ENOMEM;
	for (size_t i = 0; i < table->room; i++) {
		const struct numbered_entry *entry = &table->entries[i];

		if (entry->used)
			*find(&larger, entry->stream, entry->number) = *entry;
	}
	free(table->entries);
	*table = larger;
	return 0;
}

void **numbered_at(struct numbered *table, uint32_t stream, uint32_t number)
{
	struct numbered_entry *entry;

	if (2 * table->count >= table->room && grow(table))
		return NULL;
	entry = find(table, stream, number);
	if (!entry->used) {
		*entry = (struct numbered_entry){stream, number, true, NULL};
		table->count++;
	}
	return &entry->value;
}

void numbered_release(struct numbered *table, void (*free_value)(void *value))
{
	for (size_t i = 0; free_value && i < table->room; i++)
		free_value(table->entries[i].value);
	free(table->entries);
	memset(table, 0, sizeof(*table));
}
