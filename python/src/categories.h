/* SPDX-License-Identifier: MIT */
/*
 * categories.h - strings that have numbers, from 0 in the order in which they came: the categories of a column.
 *
 * Used without the interpreter's lock: memory is the C library's.
 */
#ifndef RECORDER_PYTHON_CATEGORIES_H
#define RECORDER_PYTHON_CATEGORIES_H

#include <stdint.h>

struct categories {
	char **all;
	uint32_t *table; /* number + 1, by hash; 0 free */
	uint32_t count, slots;
};

/* The number of a name, new or known; -1: no memory (or two thousand million names). */
int32_t categories_number(struct categories *categories, const char *name);
void categories_release(struct categories *categories);

#endif
