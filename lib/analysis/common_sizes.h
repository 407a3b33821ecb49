/* SPDX-License-Identifier: MIT */
/*
 * common_sizes.h - how many transfers there were of each size.
 *
 * Up to COMMON_SIZES different sizes are told apart, each exactly. When there are more, sizes that are alike in their leading bits become one, at first those beyond 19 bits,
 * then one bit less from level to level: the level is the least at which all fit. It depends on which sizes there are alone, so parts of a trace that are put
 * together in any order have what the whole would have.
 */
#ifndef RECORDER_ANALYSIS_COMMON_SIZES_H
#define RECORDER_ANALYSIS_COMMON_SIZES_H

#include <stdint.h>

#define COMMON_SIZES 4096u
#define COMMON_SIZES_LEVELS 14u /* at the last one there cannot be more */

struct common_size {
	int64_t size;   /* the least of those that are alike */
	uint64_t calls; /* 0: the place is free */
};

/* Zeroed: none. */
struct common_sizes {
	struct common_size *places; /* a hash table */
	uint32_t room, count;
	uint32_t level;
	uint32_t recent; /* place of the size that was counted last */
};

/* 0 or -ENOMEM; nothing is counted of a negative size, or of no calls. */
int common_sizes_add(struct common_sizes *sizes, int64_t size, uint64_t calls);
int common_sizes_merge(struct common_sizes *into, const struct common_sizes *from);
/* The largest of the sizes that are alike with `size`. */
int64_t common_sizes_last(const struct common_sizes *sizes, int64_t size);
void common_sizes_release(struct common_sizes *sizes);

#endif
