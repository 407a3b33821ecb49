/* SPDX-License-Identifier: MIT */
/*
 * timeline.h - from a stream's ticks to nanoseconds of the trace, doc/format.md section 8.
 */
#ifndef RECORDER_READ_TIMELINE_H
#define RECORDER_READ_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/wire.h"

/* From `ticks` on, monotonic time is mono + floor((t - ticks) * ns / per). */
struct timeline_segment {
	uint64_t ticks;
	int64_t mono; /* ns at `ticks` */
	uint64_t ns, per;
	uint64_t factor; /* ns / per, << shift, rounded down: spares a division */
	unsigned shift;
};

/* Zeroed memory is a clock without anchors. */
struct timeline {
	struct anchor *anchors;
	uint32_t anchor_count, anchor_capacity;
	struct timeline_segment *segments; /* by ticks; the first one also serves all before it */
	uint32_t segment_count;
	bool verified;  /* the rate is measured, not assumed */
	int64_t offset; /* from monotonic ns to ns since the trace's start */
};

/* Takes an anchor in; one with ticks 0 is none. 0 or -ENOMEM. */
int timeline_anchor(struct timeline *timeline, const struct anchor *anchor);
/*
 * Makes the segments, after the last anchor. `hz`: rate of the ticks for a clock with one anchor, 0
 * unknown; `nanoseconds`: ticks are nanoseconds. 0 or -ENOMEM.
 */
int timeline_finish(struct timeline *timeline, uint64_t hz, bool nanoseconds);
void timeline_release(struct timeline *timeline);

/* CLOCK_MONOTONIC at `ticks`. */
int64_t timeline_mono(const struct timeline *timeline, uint64_t ticks);
/*
 * Nanoseconds since the trace's start, from -TIMELINE_MAX to TIMELINE_MAX (146 years): what false
 * clocks make of times is held there, so that no difference of two overflows and none is "never".
 */
#define TIMELINE_MAX (INT64_MAX / 2)
int64_t timeline_ns(const struct timeline *timeline, uint64_t ticks);
/* CLOCK_REALTIME - CLOCK_MONOTONIC of the stream's first anchor; false: it has none. */
bool timeline_real_offset(const struct timeline *timeline, int64_t *offset);

#endif
