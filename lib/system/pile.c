/* SPDX-License-Identifier: MIT */
/* pile.c - see pile.h */
#include "system/pile.h"

#include <stdlib.h>

uint8_t *pile_room(struct pile *pile, size_t size)
{
	size_t capacity = pile->capacity ? pile->capacity : 4096;
	uint8_t *bytes;

	if (pile->capacity - pile->size >= size)
		return pile->bytes + pile->size;
	while (capacity - pile->size < size)
		capacity *= 2;
	bytes = realloc(pile->bytes, capacity);
	if (!bytes)
		return NULL;
	pile->bytes = bytes;
	pile->capacity = capacity;
	return bytes + pile->size;
}

void pile_release(struct pile *pile)
{
	free(pile->bytes);
	*pile = (struct pile){NULL, 0, 0};
}

uint8_t *pile_anew(struct pile *pile, size_t size)
{
	pile->size = 0;
	return pile_room(pile, size);
}
