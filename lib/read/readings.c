/* SPDX-License-Identifier: MIT */
/* readings.c - see readings.h */
#include "read/readings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "clock.reading."
#define VALUE_MAX ((int64_t)1 << 61)
#define BOUND_MAX 1000000 /* ns: one that took longer tells too little */
#define OFF_MAX                                                                                    \
	1000 /* ns from the own line, and one in a thousand of the time from the nearest own anchor */
#define NEAR 100         /* ns: lines that near to all readings stay as they are */
#define BETWEEN 50       /* ns from the line between two readings: others there were not written */
#define APART 1000000000 /* ns: at least so often the clocks are read */
#define JUMP 1000000     /* ns: less is no sleep and no step */

/* ---- reading ---- */

/* Digits up to a blank or the end; false: no number, or too large. */
static bool take_number(const char **at, const char *end, int64_t *number)
{
	const char *digits = *at;

	*number = 0;
	while (*at < end && **at >= '0' && **at <= '9') {
		if (*number >= VALUE_MAX / 10)
			return false;
		*number = *number * 10 + (*(*at)++ - '0');
	}
	return *at > digits;
}

static bool is_reading(const struct reader_value *value, struct reading *reading)
{
	int64_t *const numbers[] = {&reading->mono, &reading->boot, &reading->real, &reading->ticks,
				    &reading->bound};
	const char *at, *end;

	if (value->type != READER_BYTES)
		return false;
	at = (const char *)value->bytes;
	end = at + value->size;
	for (unsigned i = 0; i < 5; i++) {
		if (i > 0 && (at == end || *at++ != ' '))
			return false;
		if (!take_number(&at, end, numbers[i]))
			return false;
	}
	return at == end && reading->mono > 0 && reading->bound <= BOUND_MAX;
}

static int add(struct readings *readings, const struct reading *reading)
{
	if (readings->count == readings->capacity) {
		uint32_t capacity = readings->capacity ? readings->capacity * 2 : 16;
		struct reading *list = realloc(readings->list, capacity * sizeof(*list));

		if (!list)
			return -ENOMEM;
		readings->list = list;
		readings->capacity = capacity;
	}
	readings->list[readings->count++] = *reading;
	return 0;
}

int readings_add(struct readings *readings, const struct metadata *lm)
{
	int error = 0;

	for (uint32_t i = 0; i < lm->count && !error; i++) {
		struct reading reading;

		if (strncmp(lm->items[i].key, PREFIX, strlen(PREFIX)) != 0)
			continue;
		readings->any = true;
		if (is_reading(&lm->items[i].value, &reading))
			error = add(readings, &reading);
	}
	return error;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_mono(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;
	int order = compare(x->mono, y->mono);

	if (!order)
		order = compare(x->ticks, y->ticks);
	if (!order)
		order = compare(x->bound, y->bound);
	if (!order)
		order = compare(x->boot, y->boot);
	return order ? order : compare(x->real, y->real);
}

void readings_sort(struct readings *readings)
{
	if (readings->count > 0)
		qsort(readings->list, readings->count, sizeof(*readings->list), by_mono);
}

void readings_release(struct readings *readings)
{
	free(readings->list);
	memset(readings, 0, sizeof(*readings));
}

/* ---- what is believed ---- */

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* To the nearest of the anchors, which are by time. */
static uint64_t from_anchors(const struct timeline *timeline, int64_t mono)
{
	uint32_t low = 0, high = timeline->anchor_count;
	uint64_t nearest = UINT64_MAX;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (timeline->anchors[middle].mono < mono)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < timeline->anchor_count)
		nearest = distance(timeline->anchors[low].mono, mono);
	if (low > 0 && distance(timeline->anchors[low - 1].mono, mono) < nearest)
		nearest = distance(timeline->anchors[low - 1].mono, mono);
	return nearest;
}

/* How long the machine slept from the first to the last of them. */
static uint64_t slept_in_all(const struct readings *readings)
{
	const struct reading *first = readings->list, *last;
	int64_t slept;

	if (readings->count == 0)
		return 0;
	last = &first[readings->count - 1];
	slept = (last->boot - last->mono) - (first->boot - first->mono);
	return slept > 0 ? (uint64_t)slept : 0;
}

static bool is_believed(const struct timeline *timeline, const struct reading *reading,
			uint64_t slept)
{
	uint64_t off, allowed;

	if (reading->ticks == 0)
		return false;
	off = distance(timeline_mono(timeline, (uint64_t)reading->ticks), reading->mono);
	allowed = OFF_MAX + (uint64_t)reading->bound + from_anchors(timeline, reading->mono) / 1000;
	return off <= allowed + slept;
}

static bool is_near(const struct timeline *timeline, const struct reading *reading)
{
	return distance(timeline_mono(timeline, (uint64_t)reading->ticks), reading->mono) <=
	       NEAR + (uint64_t)(reading->bound + 1) / 2;
}

int readings_refine(const struct readings *readings, struct timeline *timeline)
{
	uint64_t slept = slept_in_all(readings);
	uint32_t count = 0;
	bool refines = false;
	struct anchor *believed;
	int error = 0;

	if (readings->count == 0 || timeline->anchor_count == 0 || !timeline->verified)
		return 0;
	believed = malloc(readings->count * sizeof(*believed));
	if (!believed)
		return -ENOMEM;
	for (uint32_t i = 0; i < readings->count; i++) {
		const struct reading *reading = &readings->list[i];

		if (!is_believed(timeline, reading, slept))
			continue;
		refines |= !is_near(timeline, reading);
		believed[count++] =
			(struct anchor){(uint64_t)reading->ticks, reading->mono, reading->real};
	}
	if (refines)
		error = timeline_refine(timeline, believed, count);
	free(believed);
	return error;
}

/* ---- what is known then ---- */

/* ns a tick between two of them; 0: not known. */
static double rate_of(const struct reading *a, const struct reading *b)
{
	if (b->ticks <= a->ticks || b->mono <= a->mono)
		return 0;
	return (double)(b->mono - a->mono) / (double)(b->ticks - a->ticks);
}

/*
 * The clock's rate changed between two neighbours from what it was before them to what it is after them: times off the line by no more than if it did so at once, in their middle.
 */
static double bend(double before, double after, const struct reading *a, const struct reading *b)
{
	double apart = (double)(b->mono < a->mono + APART ? b->mono - a->mono : APART);
	double change = before > after ? before - after : after - before;

	return before > 0 && after > 0 ? change / before * apart / 4 : 0;
}

static double largest_bend(const struct readings *readings)
{
	double largest = 0;

	for (uint32_t i = 1; i + 1 < readings->count; i++) {
		const struct reading *at = &readings->list[i];
		double before = rate_of(at - 1, at), after = rate_of(at, at + 1);
		double first = bend(before, after, at - 1, at),
		       last = bend(before, after, at, at + 1);

		largest = first > largest ? first : largest;
		largest = last > largest ? last : largest;
	}
	return largest;
}

int64_t readings_error(const struct readings *readings, const struct timeline *timeline)
{
	uint64_t slept = slept_in_all(readings), largest = 0;
	struct readings believed = {0};
	double bent;
	int64_t error = -1;

	if (readings->count == 0 || timeline->anchor_count == 0 || !timeline->verified)
		return -1;
	believed.list = malloc(readings->count * sizeof(*believed.list));
	if (!believed.list)
		return -1;
	for (uint32_t i = 0; i < readings->count; i++) {
		const struct reading *reading = &readings->list[i];
		uint64_t off;

		if (!is_believed(timeline, reading, slept))
			continue;
		off = distance(timeline_mono(timeline, (uint64_t)reading->ticks), reading->mono) +
		      (uint64_t)(reading->bound + 1) / 2;
		largest = off > largest ? off : largest;
		believed.list[believed.count++] = *reading;
	}
	bent = largest_bend(&believed);
	if (believed.count > 0 && bent < (double)TIMELINE_MAX && largest < TIMELINE_MAX)
		error = (int64_t)largest + BETWEEN + (int64_t)bent + 1;
	free(believed.list);
	return error;
}

static int64_t add_up(int64_t a, int64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? INT64_MAX : a;
}

/* Between two neighbours: the clock that counts sleep went on without the other one, and the time of day without both. */
static void look_between(const struct reading *a, const struct reading *b,
			 struct readings_events *events)
{
	int64_t unsure = JUMP + a->bound + b->bound;
	int64_t slept = (b->boot - b->mono) - (a->boot - a->mono);
	int64_t stepped = (b->real - b->boot) - (a->real - a->boot);

	if (slept > unsure) {
		events->sleeps++;
		events->slept = add_up(events->slept, slept);
	}
	unsure += (b->mono - a->mono) / 1000; /* slewed */
	if (stepped <= unsure && stepped >= -unsure)
		return;
	events->steps++;
	if (distance(stepped, 0) > distance(events->stepped, 0))
		events->stepped = stepped;
}

struct readings_events readings_events(const struct readings *readings)
{
	struct readings_events events = {0};

	for (uint32_t i = 1; i < readings->count; i++)
		look_between(&readings->list[i - 1], &readings->list[i], &events);
	return events;
}

#ifdef UNIT_TEST
#include "unittest.h"

#define SEC 1000000000ll

/* A machine whose counter has 2.6 ticks a ns, and whose clocks are as they ought to be, at a time. */
static struct reading reading_at(int64_t mono)
{
	return (struct reading){mono, mono + 5, mono + 1700000000 * SEC, mono * 13 / 5, 100};
}

static int add_text(struct readings *readings, const char *text)
{
	struct metadata_item items[] = {
		{.key = "clock.kind", .value = {.type = READER_BYTES, .bytes = "tsc", .size = 3}},
		{.key = "clock.reading.7",
		 .value = {.type = READER_BYTES, .bytes = text, .size = (uint32_t)strlen(text)}}};
	struct metadata lm = {.items = items, .count = 2};

	return readings_add(readings, &lm);
}

static struct readings readings_of(const struct reading *list, uint32_t count)
{
	struct readings readings = {0};

	for (uint32_t i = 0; i < count; i++)
		add(&readings, &list[i]);
	readings_sort(&readings);
	return readings;
}

/* A process that lived from second 10 to 20. */
static struct timeline process_line(void)
{
	struct timeline timeline = {0};

	timeline_anchor(&timeline, &(struct anchor){26 * SEC, 10 * SEC, 0});
	timeline_anchor(&timeline, &(struct anchor){52 * SEC, 20 * SEC, 0});
	timeline_finish(&timeline, 0, false);
	return timeline;
}

TEST_CASE(readings_are_five_numbers)
{
	static const char *const wrong[] = {"",
					    "1",
					    "1 2 3 4",
					    "1 2 3 4 5 6",
					    "1 2 3 4 5 ",
					    " 1 2 3 4 5",
					    "1  2 3 4 5",
					    "-1 2 3 4 5",
					    "0 2 3 4 5",
					    "1 2 3 4 1000001",
					    "1 2 3 4 x",
					    "9223372036854775807 2 3 4 5",
					    "1 99999999999999999999999999 3 4 5"};
	struct readings readings = {0};

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		EXPECT_EQ(add_text(&readings, wrong[i]), 0);
	EXPECT_EQ(readings.count, 0);
	EXPECT(readings.any);
	EXPECT_EQ(add_text(&readings, "1 2 3 4 5"), 0);
	EXPECT_EQ(readings.count, 1);
	EXPECT_EQ(readings.list[0].real, 3);
	EXPECT_EQ(readings.list[0].bound, 5);
	readings_release(&readings);
}

TEST_CASE(readings_that_agree_change_nothing)
{
	struct reading list[] = {reading_at(21 * SEC), reading_at(9 * SEC), reading_at(15 * SEC)};
	struct readings readings = readings_of(list, 3);
	struct timeline timeline = process_line();

	EXPECT_EQ(readings.list[0].mono, 9 * SEC);
	EXPECT_EQ(readings_refine(&readings, &timeline), 0);
	EXPECT_EQ(timeline.segment_count, 1);
	EXPECT_EQ(readings_error(&readings, &timeline), 50 + BETWEEN + 1);
	timeline_release(&timeline);
	readings_release(&readings);
}

TEST_CASE(readings_tell_where_the_clock_drifted)
{
	/* 40 us ahead in the middle of what the two anchors tell */
	struct reading list[] = {reading_at(9 * SEC), reading_at(15 * SEC), reading_at(21 * SEC)};
	struct readings readings;
	struct timeline timeline = process_line();

	list[1].mono += 40000;
	readings = readings_of(list, 3);
	EXPECT_EQ(readings_refine(&readings, &timeline), 0);
	EXPECT_EQ(timeline_mono(&timeline, 39 * SEC), 15 * SEC + 40000);
	EXPECT_EQ(timeline_mono(&timeline, 26 * SEC), 10 * SEC);
	EXPECT_EQ(timeline_mono(&timeline, 52 * SEC), 20 * SEC);
	EXPECT_EQ(timeline_mono(&timeline, 65 * SEC / 2), 12 * SEC + SEC / 2 + 20000);
	/* the rate changed by 13.3 ppm, within the second at which clocks are read */
	EXPECT_LE(readings_error(&readings, &timeline), 50 + BETWEEN + 3400);
	EXPECT_LE(50 + BETWEEN + 3200, readings_error(&readings, &timeline));
	EXPECT_EQ(timeline.anchor_count, 2);
	timeline_release(&timeline);
	readings_release(&readings);
}

TEST_CASE(readings_of_another_counter_are_not_believed)
{
	struct reading list[] = {reading_at(12 * SEC), reading_at(14 * SEC), reading_at(1)};
	struct readings readings;
	struct timeline timeline = process_line();

	list[0].ticks += SEC;
	list[1].ticks = 0;
	list[2].ticks = VALUE_MAX - 1;
	readings = readings_of(list, 3);
	EXPECT_EQ(readings_refine(&readings, &timeline), 0);
	EXPECT_EQ(timeline.segment_count, 1);
	EXPECT_EQ(readings_error(&readings, &timeline), -1);
	timeline_release(&timeline);
	readings_release(&readings);
}

TEST_CASE(steps_of_the_time_of_day_move_nothing)
{
	struct reading list[] = {reading_at(9 * SEC), reading_at(12 * SEC), reading_at(15 * SEC),
				 reading_at(18 * SEC)};
	struct readings readings;
	struct timeline timeline = process_line();
	struct readings_events events;

	list[1].real += 3600 * SEC; /* forward, and back by more */
	list[2].real -= 7200 * SEC;
	list[3].real -= 7200 * SEC;
	readings = readings_of(list, 4);
	EXPECT_EQ(readings_refine(&readings, &timeline), 0);
	EXPECT_EQ(timeline.segment_count, 1);
	EXPECT_EQ(readings_error(&readings, &timeline), 50 + BETWEEN + 1);
	events = readings_events(&readings);
	EXPECT_EQ(events.steps, 2);
	EXPECT_EQ(events.stepped, -10800 * SEC);
	EXPECT_EQ(events.sleeps, 0);
	timeline_release(&timeline);
	readings_release(&readings);
}

TEST_CASE(sleep_is_told)
{
	struct reading list[] = {reading_at(9 * SEC), reading_at(12 * SEC), reading_at(15 * SEC)};
	struct readings readings;
	struct timeline timeline = process_line();
	struct readings_events events;

	/* after 14 s for 3 s: the counter went on, and the time of day; so the process's last anchor, and its line, are off */
	list[2].boot += 3 * SEC;
	list[2].real += 3 * SEC;
	list[2].ticks += 3 * SEC * 13 / 5;
	timeline.anchors[1].ticks += (uint64_t)(3 * SEC * 13 / 5);
	timeline_finish(&timeline, 0, false);
	readings = readings_of(list, 3);
	events = readings_events(&readings);
	EXPECT_EQ(events.sleeps, 1);
	EXPECT_EQ(events.slept, 3 * SEC);
	EXPECT_EQ(events.steps, 0);
	EXPECT_EQ(readings_refine(&readings, &timeline), 0);
	EXPECT_EQ(timeline_mono(&timeline, 12 * SEC * 13 / 5), 12 * SEC);
	EXPECT_EQ(timeline_mono(&timeline, 18 * SEC * 13 / 5), 15 * SEC);
	timeline_release(&timeline);
	readings_release(&readings);
}

TEST_CASE(readings_of_any_kind_are_survived)
{
	static const int64_t values[] = {1, 2, SEC, 1 << 20, VALUE_MAX - 1};
	struct timeline timeline = process_line();
	struct readings readings = {0};
	uint32_t dice = 1;

	for (unsigned i = 0; i < 500; i++) {
		int64_t numbers[5];

		for (unsigned k = 0; k < 5; k++) {
			dice = dice * 1664525 + 1013904223;
			numbers[k] = values[(dice >> 16) % 5] + (int64_t)(dice >> 28) - 1;
			numbers[k] = numbers[k] < VALUE_MAX ? numbers[k] : VALUE_MAX - 1;
		}
		add(&readings, &(struct reading){numbers[0], numbers[1], numbers[2], numbers[3],
						 numbers[4] % BOUND_MAX});
	}
	add(&readings, &(struct reading){1, VALUE_MAX - 1, 0, VALUE_MAX - 1, BOUND_MAX});
	add(&readings, &(struct reading){VALUE_MAX - 1, 0, VALUE_MAX - 1, 1, 0});
	readings_sort(&readings);
	readings_events(&readings);
	EXPECT_EQ(readings_refine(&readings, &timeline), 0);
	readings_error(&readings, &timeline);
	for (uint64_t ticks = 1; ticks < (uint64_t)1 << 62; ticks *= 2)
		EXPECT_LE(timeline_mono(&timeline, ticks), timeline_mono(&timeline, ticks * 2));
	timeline_release(&timeline);
	readings_release(&readings);
}
#endif
