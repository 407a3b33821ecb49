/* SPDX-License-Identifier: MIT */
/*
 * rows.h - arrays that grow.
 */
#ifndef RECORDER_ANALYSIS_ROWS_H
#define RECORDER_ANALYSIS_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/huge_pages.h"

#define ROWS_FIRST 32u
#define ROWS_MANY 65536u /* from here on memory counts more than copying */

/* `rows`, of `size` bytes each, with room for one more than `count`, at first for `first`. NULL: no memory, and all is as it was. */
static inline void *rows_grown_from(uint32_t first, void *rows, uint32_t *room, uint32_t count,
				    size_t size)
{
	uint32_t more = *room < ROWS_MANY ? 2 * *room : *room + *room / 2;
	void *grown;

	if (*room == 0)
		more = first;
	if (count < *room)
		return rows;
	grown = huge_pages_grow(rows, *room * size, more * size);
	if (grown)
		*room = more;
	return grown;
}

static inline void *rows_grown(void *rows, uint32_t *room, uint32_t count, size_t size)
{
	return rows_grown_from(ROWS_FIRST, rows, room, count, size);
}

/* New ones are zeros: for rows that are not written whole when they come. */
static inline void *rows_grown_zeroed(void *rows, uint32_t *room, uint32_t count, size_t size)
{
	uint32_t before = *room;
	char *grown = rows_grown(rows, room, count, size);

	if (grown && *room > before)
		memset(grown + before * size, 0, (*room - before) * size);
	return grown;
}

#endif
