/* SPDX-License-Identifier: MIT */
/*
 * mappings.h - which files the program has mapped, and where: what msync(2), munmap(2) and the like are about.
 *
 * Kept by the wrappers of mmap, munmap and mremap, whether or not these are recorded. Known are the files that the program maps
 * itself, not those that the loader does. No lock is taken, so that it works in signal handlers (ranges.h).
 * There is room for 8,192 mappings at a time; further ones are mappings of no known file.
 *
 * A forked child, whose files have other numbers, asks the kernel once what it has mapped, if its parent had mapped a file.
 */
#ifndef RECORDER_RECORD_MAPPINGS_H
#define RECORDER_RECORD_MAPPINGS_H

#include <stdint.h>

/* The part of a range that is a file's: of several the lowest. */
struct mapped_part {
	uint32_t file; /* 0: no known file is mapped there */
	int64_t offset;
	uint64_t bytes;
};

struct mapped_part mapping_find(const void *address, uint64_t length);
/* What was mapped there is there no more; a file is, or, with file 0, something else. */
void mapping_added(const void *address, uint64_t length, uint32_t file, int64_t offset);
/* To be called before it is done, so that nothing is taken away that another thread maps there at once. */
void mapping_removed(const void *address, uint64_t length);
/* Done: the mapping at `from` lies at `to`, and is longer or shorter. */
void mapping_moved(const void *from, uint64_t length, const void *to, uint64_t new_length);

#endif
