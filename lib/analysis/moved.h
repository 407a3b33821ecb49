/* SPDX-License-Identifier: MIT */
/*
 * moved.h - what was moved when: by file system, and to and from files of data. A series for each height of layers, as what is moved at one shows
 * again below it; which of them counts is known when all calls have been seen.
 */
#ifndef RECORDER_ANALYSIS_MOVED_H
#define RECORDER_ANALYSIS_MOVED_H

#include "analysis/filesystems.h"
#include "analysis/series.h"

#define MOVED_DATA FILESYSTEMS_MOST /* files of data, wherever they are */
#define MOVED_PLACES (FILESYSTEMS_MOST + 1)

struct moved_bins {
	int64_t calls[SERIES_BINS]; /* reads and writes */
	int64_t metadata[SERIES_BINS];
	int64_t bytes_read[SERIES_BINS], bytes_written[SERIES_BINS];
};

/* Zeroed: nothing. */
struct moved {
	struct moved_bins *rows[MOVED_PLACES][HEIGHT_NONE]; /* NULL: no calls */
};

/* Counts what has its bins. 0 or -ENOMEM. */
int moved_count(struct moved *moved, const struct series *series, const struct series_call *call,
		unsigned place);
/* The series of a place that counts: of the lowest height at which bytes were moved, or at which there were calls. NULL: no calls. */
const struct moved_bins *moved_at(const struct moved *moved, unsigned place);
/* 0 or -ENOMEM. */
int moved_merge(struct moved *into, const struct moved *from);
void moved_release(struct moved *moved);

#endif
