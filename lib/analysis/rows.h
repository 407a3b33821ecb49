/* SPDX-License-Identifier: MIT */
/*
 * rows.h - arrays that grow.
 */
#ifndef RECORDER_ANALYSIS_ROWS_H
#define RECORDER_ANALYSIS_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_FIRST 32u

/* `rows`, of `size` bytes each, with room for one more than `count`; new ones are zeros. NULL: no memory, and all is as it was. */
static inline void *rows_grown(void *rows, uint32_t *room, uint32_t count, size_t size)
{
	uint32_t more = *room ? 2 * *room : ROWS_FIRST;
	char *grown;

	if (count < *room)
		return rows;
	grown = realloc(rows, more * size);
	if (!grown)
		return NULL;
	memset(grown + *room * size, 0, (more - *room) * size);
	*room = more;
	return grown;
}

#endif
