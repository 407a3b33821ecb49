/* SPDX-License-Identifier: MIT */
/*
 * spread_sort.h - sorting what is evenly spread: numbers that divide it into groups of a few each, which are in order already, and
 * each of which is sorted by itself.
 */
#ifndef RECORDER_ANALYSIS_SPREAD_SORT_H
#define RECORDER_ANALYSIS_SPREAD_SORT_H

#include <stdint.h>

#define SPREAD_BITS 18u
#define SPREAD_GROUPS (1u << SPREAD_BITS)

struct spread {
	/* The group of an item, below SPREAD_GROUPS: those of a lower one come before. */
	uint32_t (*group)(const void *data, const void *item);
	const void *data;
	/* As of qsort(3), of pointers to items. */
	int (*compare)(const void *a, const void *b);
};

/* Sorts pointers to items. 0 or -ENOMEM; then nothing is changed. */
int spread_sort(const struct spread *spread, const void **items, uint32_t count);

#endif
