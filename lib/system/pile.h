/* SPDX-License-Identifier: MIT */
/*
 * pile.h - bytes that grow at their end; running out of memory is told.
 */
#ifndef RECORDER_SYSTEM_PILE_H
#define RECORDER_SYSTEM_PILE_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory is an empty one. */
struct pile {
	uint8_t *bytes;
	size_t size, capacity;
};

/* Room for so many bytes behind those that are there; they are not counted yet. NULL: out of memory, and it is as before. */
uint8_t *pile_room(struct pile *pile, size_t size);
/* Room for so many bytes, of which none is kept from before. */
uint8_t *pile_anew(struct pile *pile, size_t size);
void pile_release(struct pile *pile);

#endif
