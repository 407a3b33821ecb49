/* SPDX-License-Identifier: MIT */
/* categories.c - strings that have numbers. */
#include "categories.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 256u
#define NAMES_MAX (1u << 30)

/* FNV-1a: paths are short and nobody chooses them against us but to slow us down, which the table's size bounds */
static uint32_t hash_of(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash ^ hash >> 15;
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *slot_of(const struct categories *names, const char *name)
{
	uint32_t at = hash_of(name) & (names->slots - 1);

	while (names->table[at] && strcmp(names->all[names->table[at] - 1], name) != 0)
		at = (at + 1) & (names->slots - 1);
	return &names->table[at];
}

/* Keeps a quarter of the slots free. */
static int grow(struct categories *names)
{
	uint32_t slots = names->slots ? 2 * names->slots : SLOTS_FIRST;
	uint32_t *table = calloc(slots, sizeof(*table));
	char **all = table ? realloc(names->all, slots * sizeof(*all)) : NULL;

	if (!all) {
		free(table);
		return -1;
	}
	free(names->table);
	names->all = all;
	names->table = table;
	names->slots = slots;
	for (uint32_t i = 0; i < names->count; i++)
		*slot_of(names, names->all[i]) = i + 1;
	return 0;
}

int32_t categories_number(struct categories *names, const char *name)
{
	uint32_t *slot;

	if (names->count >= names->slots - names->slots / 4 &&
	    (names->count >= NAMES_MAX || grow(names)))
		return -1;
	slot = slot_of(names, name);
	if (!*slot) {
		names->all[names->count] = strdup(name);
		if (!names->all[names->count])
			return -1;
		*slot = ++names->count;
	}
	return (int32_t)(*slot - 1);
}

void categories_release(struct categories *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->all[i]);
	free(names->all);
	free(names->table);
	*names = (struct categories){0};
}
