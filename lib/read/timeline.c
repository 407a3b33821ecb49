/* SPDX-License-Identifier: MIT */
/* timeline.c - see timeline.h */
#include "read/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLEW_MAX 1000 /* ns that an anchor may lie off the line through the first and the last */

int timeline_anchor(struct timeline *timeline, const struct anchor *anchor)
{
	struct anchor *anchors;
	uint32_t capacity;

	if (anchor->ticks == 0)
		return 0;
	/* Chunks sealed in one go carry the same anchor. */
	if (timeline->anchor_count > 0 &&
	    timeline->anchors[timeline->anchor_count - 1].ticks == anchor->ticks)
		return 0;
	if (timeline->anchor_count == timeline->anchor_capacity) {
		capacity = timeline->anchor_capacity ? timeline->anchor_capacity * 2 : 8;
		anchors = realloc(timeline->anchors, capacity * sizeof(*anchors));
		if (!anchors)
			return -ENOMEM;
		timeline->anchors = anchors;
		timeline->anchor_capacity = capacity;
	}
	timeline->anchors[timeline->anchor_count++] = *anchor;
	return 0;
}

/* Saturating: what overflows came from a damaged or hostile trace, but must still be ordered. */
static inline int64_t add_saturating(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return b < 0 ? INT64_MIN : INT64_MAX;
}

/* floor(ticks * ns / per) where the factor does not tell. */
static __attribute__((noinline)) uint64_t divide(const struct timeline_segment *segment,
						 uint64_t ticks, bool *exact)
{
	unsigned __int128 product = (unsigned __int128)ticks * segment->ns;
	unsigned __int128 quotient = product / segment->per;

	*exact = quotient * segment->per == product;
	return quotient > INT64_MAX ? INT64_MAX : (uint64_t)quotient;
}

/*
 * The same; the factor is short by less than 2^-shift, so it tells unless that could carry into
 * the integer.
 */
static inline uint64_t scale(const struct timeline_segment *segment, uint64_t ticks)
{
	unsigned __int128 product = (unsigned __int128)ticks * segment->factor;
	uint64_t low = (uint64_t)(product >> segment->shift);
	bool exact;

	if (__builtin_expect((uint64_t)((product + ticks) >> segment->shift) == low &&
				     product >> segment->shift <= INT64_MAX,
			     1))
		return low;
	return divide(segment, ticks, &exact);
}

static inline int64_t segment_mono(const struct timeline_segment *segment, uint64_t ticks)
{
	bool exact;
	uint64_t ns;

	if (__builtin_expect(ticks >= segment->ticks, 1))
		return add_saturating(segment->mono,
				      (int64_t)scale(segment, ticks - segment->ticks));
	ns = divide(segment, segment->ticks - ticks, &exact);
	return add_saturating(segment->mono, exact ? -(int64_t)ns : -(int64_t)ns - 1);
}

static void set_rate(struct timeline_segment *segment, uint64_t ns, uint64_t per)
{
	segment->ns = ns;
	segment->per = per;
	segment->shift = 63;
	while (segment->shift > 0 && ns / per >> (63 - segment->shift))
		segment->shift--;
	segment->factor = (uint64_t)(((unsigned __int128)ns << segment->shift) / per);
}

/* From anchor `at` on, at the rate of the line from a to b, which rises. */
static void set_line(struct timeline_segment *segment, const struct anchor *at,
		     const struct anchor *a, const struct anchor *b)
{
	segment->ticks = at->ticks;
	segment->mono = at->mono;
	set_rate(segment, (uint64_t)b->mono - (uint64_t)a->mono, b->ticks - a->ticks);
}

static int by_ticks(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->mono < y->mono ? -1 : x->mono > y->mono;
}

/* Equal ticks and clocks that do not rise would make segments that run backwards. How many are kept of at least one. */
static uint32_t sort_anchors(struct anchor *anchors, uint32_t count)
{
	uint32_t kept = 1;

	qsort(anchors, count, sizeof(*anchors), by_ticks);
	for (uint32_t i = 1; i < count; i++) {
		const struct anchor *last = &anchors[kept - 1];

		if (anchors[i].ticks > last->ticks && anchors[i].mono > last->mono)
			anchors[kept++] = anchors[i];
	}
	return kept;
}

static bool is_straight(const struct timeline *timeline, const struct timeline_segment *line)
{
	for (uint32_t i = 1; i + 1 < timeline->anchor_count; i++) {
		int64_t mono = timeline->anchors[i].mono, off;

		if (__builtin_sub_overflow(segment_mono(line, timeline->anchors[i].ticks), mono,
					   &off) ||
		    off > SLEW_MAX || off < -SLEW_MAX)
			return false;
	}
	return true;
}

/* A line from each anchor to the next. The first segment, for what is before, has the rate of the line that is in it already. */
static void make_lines(struct timeline *timeline, const struct anchor *first, uint32_t count)
{
	const struct anchor *last = &first[count - 1];
	struct timeline_segment *segment = timeline->segments, outside = *segment;

	for (const struct anchor *anchor = first; anchor < last; anchor++)
		set_line(++segment, anchor, anchor, anchor + 1);
	*++segment = outside;
	segment->ticks = last->ticks;
	segment->mono = last->mono;
	timeline->segment_count = count + 1;
}

/*
 * One line, or where time was slewed one from each anchor to the next, and the line's rate
 * outside.
 */
static void make_segments(struct timeline *timeline)
{
	const struct anchor *first = timeline->anchors;
	const struct anchor *last = &first[timeline->anchor_count - 1];

	set_line(timeline->segments, first, first, last);
	timeline->segment_count = 1;
	if (!is_straight(timeline, timeline->segments))
		make_lines(timeline, first, timeline->anchor_count);
}

static int begin_segments(struct timeline *timeline)
{
	free(timeline->segments);
	timeline->segments = calloc(timeline->anchor_count + 2u, sizeof(*timeline->segments));
	if (!timeline->segments)
		return -ENOMEM;
	timeline->segment_count = 0;
	if (timeline->anchor_count > 1)
		timeline->anchor_count = sort_anchors(timeline->anchors, timeline->anchor_count);
	return 0;
}

int timeline_finish_points(struct timeline *timeline)
{
	const struct anchor *first = timeline->anchors, *last;
	int error = begin_segments(timeline);

	if (error || timeline->anchor_count == 0)
		return error;
	last = &first[timeline->anchor_count - 1];
	timeline->verified = true;
	timeline->segment_count = 1;
	timeline->segments->ticks = first->ticks;
	timeline->segments->mono = first->mono;
	set_rate(timeline->segments, 1, 1);
	if (last->ticks - first->ticks >= TIMELINE_RATE)
		set_line(timeline->segments, first, first, last);
	if (first < last)
		make_lines(timeline, first, timeline->anchor_count);
	return 0;
}

int timeline_finish(struct timeline *timeline, uint64_t hz, bool nanoseconds)
{
	struct timeline_segment *only;
	int error = begin_segments(timeline);

	if (error)
		return error;
	if (timeline->anchor_count > 1 && !nanoseconds)
		make_segments(timeline);
	timeline->verified = timeline->segment_count > 0 || nanoseconds;
	if (timeline->segment_count > 0)
		return 0;
	only = &timeline->segments[0];
	timeline->segment_count = 1;
	if (timeline->anchor_count > 0) {
		only->ticks = timeline->anchors[0].ticks;
		only->mono = timeline->anchors[0].mono;
	}
	if (nanoseconds || hz == 0) {
		set_rate(only, 1, 1);
		return 0;
	}
	set_rate(only, 1000000000, hz);
	timeline->verified = true;
	return 0;
}

int timeline_refine(struct timeline *timeline, const struct anchor *more, uint32_t count)
{
	uint32_t all = timeline->anchor_count + count;
	struct timeline_segment *segments = calloc(all + 2u, sizeof(*segments));
	struct anchor *anchors = malloc((all + 1u) * sizeof(*anchors));

	if (!segments || !anchors) {
		free(segments);
		free(anchors);
		return -ENOMEM;
	}
	memcpy(anchors, timeline->anchors, timeline->anchor_count * sizeof(*anchors));
	memcpy(anchors + timeline->anchor_count, more, count * sizeof(*anchors));
	all = sort_anchors(anchors, all);
	segments[0] = timeline->segments[0];
	segments[0].ticks = anchors[0].ticks;
	segments[0].mono = anchors[0].mono;
	free(timeline->segments);
	timeline->segments = segments;
	make_lines(timeline, anchors, all);
	free(anchors);
	return 0;
}

void timeline_release(struct timeline *timeline)
{
	free(timeline->anchors);
	free(timeline->segments);
	memset(timeline, 0, sizeof(*timeline));
}

/* The last one that begins at or before `ticks`, else the first. */
static uint32_t find_segment(const struct timeline *timeline, uint64_t ticks)
{
	uint32_t low = 0, high = timeline->segment_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (timeline->segments[middle].ticks <= ticks)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int64_t timeline_mono(const struct timeline *timeline, uint64_t ticks)
{
	return segment_mono(&timeline->segments[find_segment(timeline, ticks)], ticks);
}

int64_t timeline_ns(const struct timeline *timeline, uint64_t ticks)
{
	return timeline_ns_of_mono(timeline, timeline_mono(timeline, ticks));
}

int64_t timeline_ns_of_mono(const struct timeline *timeline, int64_t mono)
{
	const struct timeline *onto = timeline->onto;
	int64_t ns;

	/* before the machine was started: not so but in false traces */
	for (; __builtin_expect(onto != NULL, 0); onto = onto->onto)
		mono = timeline_mono(onto, mono > 0 ? (uint64_t)mono : 0);
	ns = add_saturating(mono, timeline->offset);
	return ns > TIMELINE_MAX ? TIMELINE_MAX : ns < -TIMELINE_MAX ? -TIMELINE_MAX : ns;
}

#define VIEW_MAX ((int64_t)1 << 60) /* ns */

struct timeline_view timeline_view(const struct timeline *timeline, uint64_t ticks)
{
	uint32_t at = find_segment(timeline, ticks);
	const struct timeline_segment *segment = &timeline->segments[at];
	struct timeline_view view = {.timeline = timeline, .ticks = segment->ticks};
	uint64_t end = at + 1 < timeline->segment_count ? segment[1].ticks : UINT64_MAX;

	view.ns = add_saturating(segment->mono, timeline->offset);
	if (timeline->onto || segment->ns >= segment->per || view.ns > VIEW_MAX ||
	    view.ns < -VIEW_MAX || segment->mono > VIEW_MAX || segment->mono < -VIEW_MAX)
		return view; /* it serves nothing */
	view.factor = (uint64_t)(((unsigned __int128)segment->ns << 64) / segment->per);
	/* ns are fewer than ticks */
	view.span = end - segment->ticks < VIEW_MAX ? end - segment->ticks : VIEW_MAX;
	return view;
}

bool timeline_real_offset(const struct timeline *timeline, int64_t *offset)
{
	if (timeline->anchor_count == 0)
		return false;
	return !__builtin_sub_overflow(timeline->anchors[0].real, timeline->anchors[0].mono,
				       offset);
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct timeline timeline_of(const struct anchor *anchors, uint32_t count, uint64_t hz)
{
	struct timeline timeline = {0};

	for (uint32_t i = 0; i < count; i++)
		timeline_anchor(&timeline, &anchors[i]);
	timeline_finish(&timeline, hz, false);
	return timeline;
}

TEST_CASE(timeline_goes_through_its_anchors)
{
	struct anchor anchors[] = {
		{1000, 5000, 0},
		{26001000, 10005000, 0},
		{2600000001000, 1000000005000, 0},
	};
	struct timeline timeline = timeline_of(anchors, 3, 0);

	EXPECT_EQ(timeline.segment_count, 1);
	EXPECT(timeline.verified);
	EXPECT_EQ(timeline_mono(&timeline, 1000), 5000);
	EXPECT_EQ(timeline_mono(&timeline, 2600000001000), 1000000005000);
	EXPECT_EQ(timeline_mono(&timeline, 26001000), 10005000);
	EXPECT_EQ(timeline_mono(&timeline, 1001), 5000);
	EXPECT_EQ(timeline_mono(&timeline, 1003), 5001);
	EXPECT_EQ(timeline_mono(&timeline, 999), 4999);
	EXPECT_EQ(timeline_mono(&timeline, 0), 5000 - 385);
	timeline_release(&timeline);
}

TEST_CASE(timeline_interpolates_where_time_was_slewed)
{
	struct anchor anchors[] = {{1, 0, 0}, {1001, 1000, 0}, {2001, 9000, 0}};
	struct timeline timeline = timeline_of(anchors, 3, 0);

	EXPECT_EQ(timeline.segment_count, 4);
	EXPECT_EQ(timeline_mono(&timeline, 501), 500);
	EXPECT_EQ(timeline_mono(&timeline, 1501), 5000);
	EXPECT_EQ(timeline_mono(&timeline, 2501), 9000 + 2250);
	EXPECT_EQ(timeline_mono(&timeline, 0), -5);
	timeline_release(&timeline);
}

TEST_CASE(timeline_with_one_anchor_uses_the_rate)
{
	struct anchor anchor = {1000, 77, 0};
	struct timeline timeline = timeline_of(&anchor, 1, 2000000000);

	EXPECT_EQ(timeline_mono(&timeline, 3000), 1077);
	timeline_release(&timeline);
	timeline = timeline_of(&anchor, 1, 0);
	EXPECT(!timeline.verified);
	EXPECT_EQ(timeline_mono(&timeline, 3000), 2077);
	timeline_release(&timeline);
}

TEST_CASE(timeline_views_give_the_same)
{
	struct anchor anchors[] = {{1000, 5000, 0},
				   {26001000, 10005000, 0},
				   {27001000, 19005000, 0}};
	struct timeline timeline = timeline_of(anchors, 3, 0);

	timeline.offset = -77;
	EXPECT_EQ(timeline.segment_count, 4);
	for (uint64_t at = 0; at < 28000000; at += 999983) {
		struct timeline_view view = timeline_view(&timeline, at);

		for (uint64_t ticks = 0; ticks < 28000000; ticks += 26013)
			EXPECT_EQ(timeline_view_ns(&view, ticks), timeline_ns(&timeline, ticks));
		/* whole ns, which the factor alone gets wrong */
		for (uint64_t ticks = 1000; ticks < 27002000; ticks += 260000)
			EXPECT_EQ(timeline_view_ns(&view, ticks), timeline_ns(&timeline, ticks));
		EXPECT_EQ(timeline_view_ns(&view, UINT64_MAX), timeline_ns(&timeline, UINT64_MAX));
	}
	timeline_release(&timeline);
}

static struct timeline timeline_of_points(const struct anchor *points, uint32_t count)
{
	struct timeline timeline = {0};

	for (uint32_t i = 0; i < count; i++)
		timeline_anchor(&timeline, &points[i]);
	timeline_finish_points(&timeline);
	return timeline;
}

TEST_CASE(timeline_leads_from_one_machine_to_another)
{
	struct anchor ticks[] = {{1, 10, 0}, {2000000001, 2000000010, 0}};
	struct anchor points[] = {{1000, 501000, 0}, {2000001000, 2000601000, 0}};
	struct timeline own = timeline_of(ticks, 2, 0), machine = timeline_of_points(points, 2);

	own.onto = &machine;
	own.offset = -501000;
	EXPECT_EQ(timeline_ns(&own, 991), 0);
	EXPECT_EQ(timeline_ns(&own, 1000000991), 1000050000);
	EXPECT_EQ(timeline_ns(&own, 2000000991), 2000100000);
	EXPECT_EQ(timeline_ns(&own, 4000000991), 4000200000);
	EXPECT_EQ(timeline_ns_of_mono(&own, 1000), 0);
	timeline_release(&own);
	timeline_release(&machine);
}

TEST_CASE(timeline_knows_no_rate_of_points_that_are_close)
{
	struct anchor points[] = {{1000, 2000, 0}, {1100, 2200, 0}, {1200, 2200, 0}};
	struct timeline machine = timeline_of_points(points, 3);

	EXPECT_EQ(machine.anchor_count, 2);
	EXPECT_EQ(timeline_mono(&machine, 900), 1900);
	EXPECT_EQ(timeline_mono(&machine, 1050), 2100);
	EXPECT_EQ(timeline_mono(&machine, 1300), 2400);
	timeline_release(&machine);
	machine = timeline_of_points(points, 1);
	EXPECT_EQ(timeline_mono(&machine, 900), 1900);
	EXPECT_EQ(timeline_mono(&machine, 1100), 2100);
	timeline_release(&machine);
}

TEST_CASE(timeline_survives_any_anchor)
{
	struct anchor anchors[] = {
		{1, INT64_MIN, 0}, {2, INT64_MAX, 0}, {3, 0, 0}, {UINT64_MAX, 1, 0}, {5, 5, 5}};
	struct timeline timeline = timeline_of(anchors, 5, 0);

	timeline_mono(&timeline, 0);
	timeline_mono(&timeline, UINT64_MAX);
	timeline.offset = INT64_MIN;
	EXPECT_LE(timeline_ns(&timeline, 0), timeline_ns(&timeline, UINT64_MAX));
	EXPECT_LE(timeline_ns(&timeline, UINT64_MAX), TIMELINE_MAX);
	EXPECT_LE(-TIMELINE_MAX, timeline_ns(&timeline, 0));
	timeline_release(&timeline);
}
#endif
