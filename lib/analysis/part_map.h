/* SPDX-License-Identifier: MIT */
/*
 * part_map.h - from the numbers of requests, which never come again, to what they stand for.
 */
#ifndef RECORDER_ANALYSIS_PART_MAP_H
#define RECORDER_ANALYSIS_PART_MAP_H

#include <stdint.h>

struct part;

struct part_place {
	int64_t number; /* 0: free */
	struct part *part;
};

/* Zeroed: empty. `places` may be walked over. */
struct part_map {
	struct part_place *places;
	uint32_t size; /* a power of two, or 0 */
	uint32_t count;
};

/* NULL: there is none. */
struct part *part_map_get(const struct part_map *map, int64_t number);
/* `number` is not 0 and not in the map. 0 or -ENOMEM. */
int part_map_add(struct part_map *map, int64_t number, struct part *part);
/* NULL: there was none. */
struct part *part_map_remove(struct part_map *map, int64_t number);
void part_map_release(struct part_map *map);

#endif
