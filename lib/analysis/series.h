/* SPDX-License-Identifier: MIT */
/*
 * series.h - when time was spent and bytes were moved: the time of the trace in bins, for each layer, and for each group of ranks and use of layers.
 *
 * Self time comes as intervals that are added, and those of calls within that are taken off again. A bin that an interval covers whole is not touched:
 * `through` counts where such bins begin and end, so that the longest call costs no more than the shortest.
 */
#ifndef RECORDER_ANALYSIS_SERIES_H
#define RECORDER_ANALYSIS_SERIES_H

#include "analysis/add.h"
#include "analysis/facts.h"
#include "analysis/overlap.h"

#define SERIES_BINS 1024u
#define SERIES_GROUPS 256u
#define SERIES_HEATS (ANALYSIS_USES + ANALYSIS_DIRECTIONS) /* lines of a group */

struct busy_bins {
	int64_t part[SERIES_BINS]; /* ns, of intervals that cover not all of the bin */
	int64_t through[SERIES_BINS +
			1]; /* how many more cover all of this bin than of that before */
};

struct layer_bins {
	struct busy_bins busy;
	int64_t calls[SERIES_BINS], metadata[SERIES_BINS];
	int64_t bytes_read[SERIES_BINS], bytes_written[SERIES_BINS];
};

struct series {
	const struct facts *facts;
	unsigned count;               /* bins */
	int64_t begin, length, width; /* ns; width: of a bin */
	int64_t recent;               /* the bin that was asked for last */
	unsigned group_size, groups;  /* ranks in one; how many groups */
	struct layer_bins *layers;
	struct busy_bins *heat;   /* by group, in it by use and by direction */
	struct busy_bins *states; /* of processes: OVERLAP_STATES */
};

/* What is in a call, or in several of one bin, for series. */
struct series_call {
	int64_t begin, end,
		busy; /* busy: less than end - begin if the record stands for several calls */
	unsigned layer, rank;
	enum analysis_use use;
	enum analysis_operation operation;
	uint64_t calls;
	int64_t bytes_read, bytes_written;
	unsigned first, last; /* bins; if they are the same, begin and end do not matter */
};

/* 0 or -ENOMEM; then they are to be released, too. */
int series_begin(struct series *series, const struct facts *facts);
void series_release(struct series *series);
/* Finds the bins of a call, and leaves of it what lies in the series' time. */
void series_place(struct series *series, struct series_call *call);
/* Counts what has its bins. */
void series_count(struct series *series, const struct series_call *call);
/* Shares `amount` evenly over the bins of a call. */
void series_spread_far(const struct series *series, int64_t *bins, const struct series_call *call,
		       int64_t amount);
static inline void series_spread(const struct series *series, int64_t *bins,
				 const struct series_call *call, int64_t amount)
{
	if (call->first == call->last)
		add_to(&bins[call->first], amount);
	else
		series_spread_far(series, bins, call, amount);
}
/* Adds the time from `begin` to `end` to bins of the same series. */
void series_add_time(struct series *series, struct busy_bins *bins, int64_t begin, int64_t end);
/* Takes the time of `call`, which has its bins, off a call of `function` around it, whose time counts as `use`. */
void series_take_off(struct series *series, const struct series_call *call,
		     const struct function_facts *function, enum analysis_use use);
/* The bin that a time lies in: its number, and from when to when it goes; `time` lies in the series' time. */
unsigned series_bin_at(struct series *series, int64_t time, int64_t *begin, int64_t *end);
void series_merge(struct series *into, const struct series *from);

/* The time of each bin, from what was counted. */
void busy_bins_sum(const struct busy_bins *bins, unsigned count, int64_t width,
		   int64_t sums[SERIES_BINS]);

#endif
