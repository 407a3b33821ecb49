/* SPDX-License-Identifier: MIT */
/*
 * tags.c - which epoch, step and sample calls belong to.
 *
 * The regions of a stream that have such arguments are read once, by time, and become for each thread a line of changes: from when on which tags hold. So a call is looked up
 * by its time, in whatever order calls are read and whether or not the regions are among them; the place found last is tried first.
 *
 *	regions   ├ epoch=0 ────────────────┤├ epoch=1 ─ ...
 *	              ├ step=0 ┤ ├ step=1 ┤
 *	changes   │   │        │ │        │  │
 *	epoch     0   0        0 0        0  1
 *	step      -   0        - 1        -  -
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "read/index.h"

#define CHANGES_MOST (1u << 22) /* of a stream */
#define OPEN_MOST 128u          /* regions in each other; further ones change nothing */
#define NO_LEVEL -1
#define NO_PLACE -1

static const char *const tag_names[READER_TAGS] = {"epoch", "step", "sample"};

struct change {
	int64_t begin;
	int64_t values[READER_TAGS];
	unsigned has;
	int level; /* of the region that holds, NO_LEVEL: none does */
	uint64_t
		ended; /* numbers of the thread's calls up to the last region that ended at `begin` are below it; 0: none did */
};

struct tagged_thread {
	struct change *changes; /* by begin */
	uint32_t count, room;
	uint32_t recent; /* the change that was found last */
};

/* Which arguments of a function are tags. */
struct tag_places {
	int of[READER_TAGS]; /* NO_PLACE: none is */
	bool any;
};

struct reader_tags {
	struct reader *trace;
	struct tag_places *places; /* by function */
	unsigned function_count;
	unsigned which;       /* tags that are asked for: 1 << READER_EPOCH ... */
	struct idmap threads; /* by index + 1 */
	uint32_t changes;     /* of all threads */
	bool full;            /* there were more */
	/* the thread that was asked for last; NULL: it has no tags */
	struct tagged_thread *recent;
	uint64_t recent_index;
};

/* ---- which functions have tags ---- */

const char *reader_tag_name(enum reader_tag tag)
{
	return (unsigned)tag < READER_TAGS ? tag_names[tag] : NULL;
}

static int place_of(const struct reader_function_info *function, enum reader_tag tag)
{
	if (!strcmp(function->layer, "user"))
		for (unsigned i = 0; i < function->arg_count; i++)
			if (function->args[i].class_ == READER_INT &&
			    !strcmp(function->args[i].name, tag_names[tag]))
				return (int)i;
	return NO_PLACE;
}

int reader_has_tags(const struct reader *trace)
{
	for (unsigned i = 0; i < reader_function_count(trace); i++)
		for (unsigned tag = 0; tag < READER_TAGS; tag++)
			if (place_of(reader_function_by_id(trace, i), (enum reader_tag)tag) !=
			    NO_PLACE)
				return 1;
	return 0;
}

/* True: there are functions with tags. */
static bool find_places(struct reader_tags *tags)
{
	bool any = false;

	for (unsigned i = 0; i < tags->function_count; i++) {
		for (unsigned tag = 0; tag < READER_TAGS; tag++) {
			int place = NO_PLACE;

			if (tags->which & 1u << tag)
				place = place_of(reader_function_by_id(tags->trace, i),
						 (enum reader_tag)tag);

			tags->places[i].of[tag] = place;
			tags->places[i].any |= place != NO_PLACE;
		}
		any |= tags->places[i].any;
	}
	return any;
}

static bool has_tags(const struct reader_tags *tags, const struct recorder_record *record)
{
	return record->func_id < tags->function_count && tags->places[record->func_id].any;
}

static int accept_tagged(void *data, const struct recorder_record *record)
{
	return has_tags(data, record);
}

/* Puts a region's own tags over those around it. */
static void put_own(const struct reader_tags *tags, const struct recorder_record *record,
		    unsigned *has, int64_t values[READER_TAGS])
{
	if (!has_tags(tags, record))
		return;
	for (unsigned tag = 0; tag < READER_TAGS; tag++) {
		int place = tags->places[record->func_id].of[tag];

		if (place == NO_PLACE || place >= record->arg_count ||
		    record->args[place].state != RECORDER_ARG_PRESENT)
			continue;
		*has |= 1u << tag;
		values[tag] = record->args[place].i64;
	}
}

/* ---- making the lines ---- */

/* A thread whose regions are being read. */
struct line {
	struct tagged_thread *thread;
	uint32_t depth;
	struct {
		int64_t end;
		uint64_t number_end; /* above its number, 0 in flight */
		struct change change;
	} open[OPEN_MOST];
};

static int make_room(struct tagged_thread *thread)
{
	uint32_t room = thread->room ? 2 * thread->room : 16;
	struct change *changes;

	if (thread->count < thread->room)
		return 0;
	changes = realloc(thread->changes, room * sizeof(*changes));
	if (!changes)
		return -ENOMEM;
	thread->changes = changes;
	thread->room = room;
	return 0;
}

/* From `change`->begin on it holds. Of several at one time the last one does; those before it are for calls that are around its region. */
static int add_change(struct reader_tags *tags, struct tagged_thread *thread,
		      const struct change *change)
{
	struct change *last = thread->count ? &thread->changes[thread->count - 1] : NULL;
	struct change added = *change;

	if (last && last->begin > added.begin)
		added.begin = last->begin;
	if (tags->changes == CHANGES_MOST) {
		tags->full = true;
		/* what holds now is not what held before the room was used up */
		if (last)
			*last = (struct change){.begin = last->begin, .level = NO_LEVEL};
		return 0;
	}
	if (make_room(thread))
		return -ENOMEM;
	thread->changes[thread->count++] = added;
	tags->changes++;
	return 0;
}

/* Regions that have ended by `time` hold no longer. */
static int close_until(struct reader_tags *tags, struct line *line, int64_t time)
{
	int error = 0;

	while (!error && line->depth > 0 && line->open[line->depth - 1].end <= time) {
		struct change change = {.level = NO_LEVEL};
		int64_t end = line->open[--line->depth].end;
		uint64_t number_end = line->open[line->depth].number_end;

		if (line->depth > 0)
			change = line->open[line->depth - 1].change;
		change.begin = end;
		change.ended = number_end;
		error = add_change(tags, line->thread, &change);
	}
	return error;
}

static uint64_t ended_at(const struct tagged_thread *thread, int64_t time)
{
	const struct change *last = thread->count ? &thread->changes[thread->count - 1] : NULL;

	return last && last->begin == time ? last->ended : 0;
}

static int take_region(struct reader_tags *tags, struct line *line,
		       const struct recorder_record *record)
{
	struct change change = {0};
	int error = close_until(tags, line, record->tstart);

	if (error || line->depth == OPEN_MOST)
		return error;
	if (line->depth > 0)
		change = line->open[line->depth - 1].change;
	change.begin = record->tstart;
	change.level = record->level;
	change.ended = ended_at(line->thread, record->tstart);
	put_own(tags, record, &change.has, change.values);
	line->open[line->depth].end = record->tend;
	line->open[line->depth].number_end =
		record->flags & RECORDER_IN_FLIGHT ? 0 : record->sequence + 1;
	line->open[line->depth++].change = change;
	return add_change(tags, line->thread, &change);
}

static struct line *line_of(struct reader_tags *tags, struct idmap *lines, uint32_t index)
{
	struct line *line = idmap_get(lines, index + 1);

	if (line)
		return line;
	line = calloc(1, sizeof(*line));
	if (!line || idmap_set(lines, index + 1, line)) {
		free(line);
		return NULL;
	}
	line->thread = calloc(1, sizeof(*line->thread));
	if (!line->thread || idmap_set(&tags->threads, index + 1, line->thread)) {
		free(line->thread);
		line->thread = NULL;
		return NULL;
	}
	return line;
}

static int read_regions(struct reader_tags *tags, struct idmap *lines, struct reader_cursor *cursor)
{
	const struct recorder_record *record;
	int error = 0;

	while (!error && (record = reader_next(cursor))) {
		struct line *line = line_of(tags, lines, record->thread);

		error = line ? take_region(tags, line, record) : -ENOMEM;
	}
	for (uint32_t i = 0; i < lines->count; i++) {
		struct line *line = lines->entries[i].value;

		if (!error)
			error = close_until(tags, line, INT64_MAX);
		free(line);
	}
	idmap_release(lines);
	return error ? error : reader_cursor_status(cursor);
}

static int read_stream(struct reader_tags *tags, unsigned stream)
{
	char number[16];
	struct reader_filter filter = {.sz = sizeof(filter),
				       .streams = number,
				       .layers = "user",
				       .in_flight = 1,
				       .accept = accept_tagged,
				       .accept_data = tags};
	struct idmap lines = {0};
	struct reader_cursor *cursor;
	int error;

	snprintf(number, sizeof(number), "%u", stream);
	cursor = reader_cursor_new(tags->trace, &filter);
	if (!cursor)
		return -errno;
	error = read_regions(tags, &lines, cursor);
	reader_cursor_free(cursor);
	return error;
}

static struct reader_tags *read_tags(struct reader *trace, unsigned stream, unsigned which)
{
	struct reader_tags *tags = calloc(1, sizeof(*tags));
	int error = -ENOMEM;

	if (!tags)
		return NULL;
	tags->trace = trace;
	tags->which = which;
	tags->recent_index = UINT64_MAX;
	tags->function_count = reader_function_count(trace);
	tags->places = calloc((size_t)tags->function_count + 1, sizeof(*tags->places));
	if (tags->places)
		error = find_places(tags) ? read_stream(tags, stream) : 0;
	if (!error)
		return tags;
	reader_tags_free(tags);
	errno = -error;
	return NULL;
}

struct reader_tags *reader_tags_some(struct reader *trace, unsigned stream, unsigned which)
{
	const unsigned samples = 1u << READER_SAMPLE;
	struct reader_tags *tags = read_tags(trace, stream, which);

	if (!tags || !tags->full || !(which & samples))
		return tags;
	reader_tags_free(tags);
	return read_tags(trace, stream, which & ~samples);
}

struct reader_tags *reader_tags_new(struct reader *trace, unsigned stream)
{
	return reader_tags_some(trace, stream, (1u << READER_TAGS) - 1);
}

void reader_tags_free(struct reader_tags *tags)
{
	if (!tags)
		return;
	for (uint32_t i = 0; i < tags->threads.count; i++) {
		struct tagged_thread *thread = tags->threads.entries[i].value;

		free(thread->changes);
		free(thread);
	}
	idmap_release(&tags->threads);
	free(tags->places);
	free(tags);
}

/* ---- looking up ---- */

int reader_tags_any(const struct reader_tags *tags)
{
	return tags && tags->changes > 0;
}

static struct tagged_thread *thread_of(struct reader_tags *tags, uint32_t index)
{
	if (tags->recent_index != index) {
		tags->recent = idmap_get(&tags->threads, index + 1);
		tags->recent_index = index;
	}
	return tags->recent;
}

/* How many changes there are up to a time. */
static uint32_t changes_until(const struct tagged_thread *thread, int64_t time)
{
	uint32_t low = 0, high = thread->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (thread->changes[middle].begin <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool holds(const struct tagged_thread *thread, uint32_t number, int64_t time)
{
	return number < thread->count && thread->changes[number].begin <= time &&
	       (number + 1 == thread->count || thread->changes[number + 1].begin > time);
}

/* The change that holds at a time, -1: none does yet. */
static int64_t find_change(struct tagged_thread *thread, int64_t time)
{
	if (holds(thread, thread->recent, time))
		return thread->recent;
	if (holds(thread, thread->recent + 1, time))
		return ++thread->recent;
	thread->recent = changes_until(thread, time);
	return thread->recent > 0 ? (int64_t)--thread->recent : -1;
}

/* Whether a call that ended before a region did, within the tick in which it ended, was made before that: its number tells. */
static bool came_before_end(const struct change *change, const struct recorder_record *record)
{
	return !(record->flags & RECORDER_IN_FLIGHT) && change->ended > record->sequence;
}

/*
 * Of changes at the instant in which a call begins, the one of the region around it: itself, and what began within the same tick before the region, is not in that; and what
 * ended before a region that ends within the same tick is in that still.
 */
static int64_t around(const struct tagged_thread *thread, int64_t number,
		      const struct recorder_record *record)
{
	while (number >= 0 && thread->changes[number].begin == record->tstart &&
	       (thread->changes[number].level >= record->level ||
		came_before_end(&thread->changes[number], record)))
		number--;
	return number;
}

static void tell(const struct tagged_thread *thread, int64_t number,
		 struct reader_tag_values *values)
{
	*values = (struct reader_tag_values){.end = INT64_MAX};
	if (number + 1 < thread->count)
		values->end = thread->changes[number + 1].begin;
	if (number < 0)
		return;
	values->has = thread->changes[number].has;
	memcpy(values->values, thread->changes[number].values, sizeof(values->values));
}

void reader_tags_at(struct reader_tags *tags, unsigned thread, int64_t time,
		    struct reader_tag_values *values)
{
	struct tagged_thread *line = thread_of(tags, thread);

	if (line)
		tell(line, find_change(line, time), values);
	else
		*values = (struct reader_tag_values){.end = INT64_MAX};
}

void reader_tags_of(struct reader_tags *tags, const struct recorder_record *record,
		    struct reader_tag_values *values)
{
	struct tagged_thread *line = thread_of(tags, record->thread);
	int64_t number;

	if (!line) {
		*values = (struct reader_tag_values){.end = INT64_MAX};
		return;
	}
	number = find_change(line, record->tstart);
	tell(line, around(line, number, record), values);
	put_own(tags, record, &values->has, values->values);
}

#ifdef UNIT_TEST
#include "unittest.h"

static int64_t around_at(const struct tagged_thread *thread, uint16_t level, uint64_t sequence)
{
	struct recorder_record record = {.tstart = 20, .level = level, .sequence = sequence};

	return around(thread, (int64_t)thread->count - 1, &record);
}

TEST_CASE(tags_of_one_tick_go_by_level_and_by_the_order_of_ends)
{
	/* a region of level 1 ends in the tick in which the next one begins; it was call number 5 to end */
	struct change changes[] = {{.begin = 0, .level = 0},
				   {.begin = 10, .level = 1},
				   {.begin = 20, .level = 0, .ended = 6},
				   {.begin = 20, .level = 1, .ended = 6}};
	struct tagged_thread thread = {.changes = changes, .count = 4};

	EXPECT_EQ(around_at(&thread, 2, 4), 1);
	EXPECT_EQ(around_at(&thread, 2, 6), 3);
	/* between both, and the second one itself */
	EXPECT_EQ(around_at(&thread, 1, 6), 2);
}
#endif
