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
	bool verified; /* the rate is measured, not assumed */
	/* whose ticks are the monotonic ns that this one gives: the machine's clock onto another's */
	const struct timeline *onto;
	int64_t offset; /* from the last one's monotonic ns to ns since the trace's start */
};

/* Takes an anchor in; one with ticks 0 is none. 0 or -ENOMEM. */
int timeline_anchor(struct timeline *timeline, const struct anchor *anchor);
/*
 * Makes the segments, after the last anchor. `hz`: rate of the ticks for a clock with one anchor, 0
 * unknown; `nanoseconds`: ticks are nanoseconds. 0 or -ENOMEM.
 */
int timeline_finish(struct timeline *timeline, uint64_t hz, bool nanoseconds);
/*
 * The same for points of one machine's clock on another's, which are anchors with its ns for ticks: a line from each to
 * the next, whatever that lies off. Outside of them time goes on at the rate of the whole if that was measured over TIMELINE_RATE, else
 * ns by ns.
 */
#define TIMELINE_RATE 1000000000
int timeline_finish_points(struct timeline *timeline);
/*
 * When it is finished, and has an anchor: lines from each to the next of its anchors and of these, which lie near; outside of them time goes on as before. What does not rise is left out. The own anchors stay what they are. 0 or
 * -ENOMEM.
 */
int timeline_refine(struct timeline *timeline, const struct anchor *more, uint32_t count);
void timeline_release(struct timeline *timeline);

/* CLOCK_MONOTONIC at `ticks`. */
int64_t timeline_mono(const struct timeline *timeline, uint64_t ticks);
/*
 * Nanoseconds since the trace's start, from -TIMELINE_MAX to TIMELINE_MAX (146 years): what false
 * clocks make of times is held there, so that no difference of two overflows and none is "never".
 */
#define TIMELINE_MAX (INT64_MAX / 2)
int64_t timeline_ns(const struct timeline *timeline, uint64_t ticks);
/* The same from this machine's CLOCK_MONOTONIC. */
int64_t timeline_ns_of_mono(const struct timeline *timeline, int64_t mono);
/*
 * The same for many ticks that lie near each other: within one segment, where nothing can overflow. `factor` is ns / per, << 64, rounded down.
 */
struct timeline_view {
	const struct timeline *timeline;
	uint64_t ticks, span; /* it serves from `ticks` on, less than `span` ticks */
	uint64_t factor;
	int64_t ns; /* at `ticks` */
};

/* For ticks near these. */
struct timeline_view timeline_view(const struct timeline *timeline, uint64_t ticks);

static inline int64_t timeline_view_ns(const struct timeline_view *view, uint64_t ticks)
{
	uint64_t since = ticks - view->ticks, carry;
	unsigned __int128 product = (unsigned __int128)since * view->factor;

	/* the factor is short by less than 1: what that could carry into the ns is looked at more closely */
	if (__builtin_expect(since >= view->span ||
				     __builtin_add_overflow((uint64_t)product, since, &carry),
			     0))
		return timeline_ns(view->timeline, ticks);
	return view->ns + (int64_t)(product >> 64);
}
/* CLOCK_REALTIME - CLOCK_MONOTONIC of the stream's first anchor; false: it has none. */
bool timeline_real_offset(const struct timeline *timeline, int64_t *offset);

#endif
