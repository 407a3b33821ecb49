/* SPDX-License-Identifier: MIT */
/* beneath.c - see beneath.h */
#include "read/beneath.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/metafile.h"
#include "read/streams.h"
#include "read/trace.h"

#define THREADS 64u /* that a cursor is kept for, by their hash */
#define CALLS_MOST                                                                                 \
	256u /* of a thread that are kept; what lies in more than that is taken for a callee of the last of them */
#define STREAM_ROOM 12u /* of a number and the comma behind it */

/* ---- which streams ---- */

static bool is_from_outside(const struct stream *stream)
{
	return !strcmp(metadata_text(&stream->lm, "source"), "system");
}

static int compare_processes(const struct stream *x, const struct stream *y)
{
	int boot = strcmp(x->boot_id, y->boot_id);

	if (boot)
		return boot;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->pid_start != y->pid_start)
		return x->pid_start < y->pid_start ? -1 : 1;
	return 0;
}

static int by_process(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;
	int order = compare_processes(x, y);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* In a space of process numbers of its own there can be processes that are called and begun as others elsewhere are. Old traces do not say of all streams which space they are of. */
static bool may_be_of_one_space(const struct stream *x, const struct stream *y)
{
	return x->pid_ns == 0 || y->pid_ns == 0 || x->pid_ns == y->pid_ns;
}

/* The numbers of those that are from inside of the process that `outside` is of, as a filter's list; NULL: there are none, or there is no memory (*error). */
static const char *list_inside(struct reader *trace, const struct stream *outside,
			       struct stream *const *streams, unsigned count, int *error)
{
	size_t size = 0, room = (size_t)count * STREAM_ROOM;
	char *list = NULL;

	for (unsigned i = 0; i < count && !*error; i++) {
		if (!stream_is_from_inside(streams[i]) || !may_be_of_one_space(streams[i], outside))
			continue;
		if (!list) {
			list = pool_alloc(&trace->pool, room);
			*error = list ? 0 : -ENOMEM;
		}
		if (list)
			size += (size_t)snprintf(list + size, room - size, "%s%u", size ? "," : "",
						 streams[i]->number);
		/* what a process calls itself is all that is known of it inside */
		streams[i]->outer_pid = outside->outer_pid;
	}
	return list;
}

static bool is_of_rank(const struct stream *stream, const struct stream *of)
{
	return stream->world == of->world && stream->rank == of->rank;
}

/* A rank has one process of its own: what was recorded in processes knows it, else it is the one that those who look from outside take for it. Streams of a rank follow each other. */
static void choose_main(struct stream *const *streams, unsigned count)
{
	for (unsigned first = 0, end; first < count; first = end) {
		bool inside = false;

		for (end = first; end < count && is_of_rank(streams[end], streams[first]); end++)
			inside |= streams[end]->main && stream_is_from_inside(streams[end]);
		for (unsigned i = first; i < end && inside; i++)
			streams[i]->main &= stream_is_from_inside(streams[i]);
	}
}

/* What is of no rank counts only where nothing is. */
static void choose_asides(struct stream *const *streams, unsigned count)
{
	bool ranks = false;

	for (unsigned i = 0; i < count; i++)
		ranks |= strcmp(streams[i]->rank_source, "none") != 0;
	for (unsigned i = 0; i < count; i++)
		streams[i]->aside = !stream_is_from_inside(streams[i]) &&
				    (!is_from_outside(streams[i]) || streams[i]->beneath ||
				     (ranks && !strcmp(streams[i]->rank_source, "none")));
}

/* Streams of processes that are called and begun alike. */
static int join_process(struct reader *trace, struct stream **streams, unsigned count)
{
	int error = 0;

	for (unsigned i = 0; i < count && !error; i++) {
		if (!is_from_outside(streams[i]))
			continue;
		streams[i]->beneath = list_inside(trace, streams[i], streams, count, &error);
		trace->has_beneath |= streams[i]->beneath != NULL;
	}
	return error;
}

static int join_processes(struct reader *trace)
{
	unsigned count = trace->stream_count, first = 0;
	struct stream **sorted = malloc(count * sizeof(*sorted));
	int error = 0;

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, trace->streams, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_process);
	for (unsigned i = 1; i <= count && !error; i++) {
		if (i < count && !compare_processes(sorted[first], sorted[i]))
			continue;
		if (*sorted[first]->boot_id && sorted[first]->pid > 0)
			error = join_process(trace, sorted + first, i - first);
		first = i;
	}
	free(sorted);
	return error;
}

int beneath_join(struct reader *trace)
{
	bool outside = false;
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count; i++)
		outside |= is_from_outside(trace->streams[i]);
	if (outside) {
		choose_main(trace->streams, trace->stream_count);
		error = join_processes(trace);
	}
	choose_asides(trace->streams, trace->stream_count);
	return error;
}

/* ---- the calls around ---- */

struct around {
	int64_t tstart, tend;
	uint16_t level;
};

/* A thread, as far as it has been read: all calls that may be around a record that begins at `from` or later. */
struct calls {
	uint32_t stream, tid; /* of what is beneath */
	struct reader_cursor *cursor;
	struct around next; /* that was read, and begins later */
	bool has_next;
	int64_t from;
	struct around open
		[CALLS_MOST]; /* by begin; those that have ended go as soon as there is no room: records that come by their ends may lie in them */
	unsigned count;
};

struct beneath {
	struct reader *trace;
	struct calls *threads[THREADS];
};

struct beneath *beneath_new(struct reader *trace)
{
	struct beneath *beneath = calloc(1, sizeof(*beneath));

	if (beneath)
		beneath->trace = trace;
	return beneath;
}

void beneath_free(struct beneath *beneath)
{
	for (unsigned i = 0; beneath && i < THREADS; i++) {
		if (beneath->threads[i])
			reader_cursor_free(beneath->threads[i]->cursor);
		free(beneath->threads[i]);
	}
	free(beneath);
}

static int read_next(struct calls *calls)
{
	const struct recorder_record *record = reader_next(calls->cursor);

	calls->has_next = record;
	if (record)
		calls->next = (struct around){record->tstart, record->tend, record->level};
	return reader_cursor_status(calls->cursor);
}

/* Begins with the calls that may be around `time`. */
static int start(struct beneath *beneath, struct calls *calls, int64_t time)
{
	struct reader_filter filter = {.sz = sizeof(filter), .in_flight = 1, .after = time};
	char tid[STREAM_ROOM];

	snprintf(tid, sizeof(tid), "%u", calls->tid);
	filter.tids = tid;
	filter.streams = beneath->trace->streams[calls->stream]->beneath;
	reader_cursor_free(calls->cursor);
	calls->count = 0;
	calls->from = time;
	calls->cursor = reader_cursor_new(beneath->trace, &filter);
	return calls->cursor ? read_next(calls) : -errno;
}

/* Forgets the calls that ended before `time`. */
static void drop_ended(struct calls *calls, int64_t time)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < calls->count; i++)
		if (calls->open[i].tend >= time)
			calls->open[kept++] = calls->open[i];
	calls->count = kept;
	calls->from = time;
}

/* Reads on until all calls that may be around a record that begins then are known. */
static int advance(struct beneath *beneath, struct calls *calls, int64_t tstart)
{
	int error = 0;

	if (!calls->cursor || tstart - BENEATH_SLACK < calls->from)
		error = start(beneath, calls, tstart - BENEATH_SLACK);
	while (!error && calls->has_next && calls->next.tstart <= tstart + BENEATH_SLACK) {
		if (calls->count == CALLS_MOST)
			drop_ended(calls, tstart - BENEATH_SLACK);
		if (calls->count < CALLS_MOST && calls->next.tend >= tstart - BENEATH_SLACK)
			calls->open[calls->count++] = calls->next;
		error = read_next(calls);
	}
	return error;
}

static struct calls *calls_of(struct beneath *beneath, const struct recorder_record *record)
{
	uint32_t hash = (record->stream * 0x9e3779b1u ^ record->tid) * 0x85ebca6bu >> 26;
	struct calls **place = &beneath->threads[hash % THREADS];

	if (!*place)
		*place = calloc(1, sizeof(**place));
	else if ((*place)->stream == record->stream && (*place)->tid == record->tid)
		return *place;
	if (!*place)
		return NULL;
	reader_cursor_free((*place)->cursor);
	(*place)->cursor = NULL;
	(*place)->stream = record->stream;
	(*place)->tid = record->tid;
	return *place;
}

/* A call in flight is only known to have begun. */
static bool lies_in(const struct recorder_record *record, const struct around *call)
{
	int64_t tend = record->flags & RECORDER_IN_FLIGHT ? record->tstart : record->tend;
	int64_t middle = record->tstart + (tend - record->tstart) / 2;

	return call->tstart <= middle && middle <= call->tend &&
	       call->tstart - record->tstart <= BENEATH_SLACK && tend - call->tend <= BENEATH_SLACK;
}

static void place_in(struct recorder_record *record, const struct around *call)
{
	uint32_t level = call->level + 1u + record->level;

	record->level = level < UINT16_MAX ? (uint16_t)level : UINT16_MAX;
	if (record->flags & RECORDER_IN_FLIGHT)
		return;
	if (record->tstart < call->tstart)
		record->tstart = call->tstart;
	if (record->tend > call->tend)
		record->tend = call->tend;
	if (record->busy > record->tend - record->tstart)
		record->busy = record->tend - record->tstart;
}

int beneath_place(struct beneath *beneath, struct recorder_record *record)
{
	struct calls *calls;
	int error;

	if (!beneath->trace->streams[record->stream]->beneath)
		return 0;
	calls = calls_of(beneath, record);
	if (!calls)
		return -ENOMEM;
	error = advance(beneath, calls, record->tstart);
	for (unsigned i = calls->count; i-- > 0 && !error;)
		if (lies_in(record, &calls->open[i])) {
			place_in(record, &calls->open[i]);
			break;
		}
	return error;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(a_record_lies_in_the_call_that_has_its_middle_and_both_ends_but_for_a_little)
{
	struct around call = {.tstart = 10000, .tend = 20000, .level = 3};
	struct recorder_record inside = {.tstart = 12000, .tend = 13000, .busy = 1000};
	struct recorder_record early = {.tstart = 9500, .tend = 13000, .busy = 3500};
	struct recorder_record before = {.tstart = 9500, .tend = 10400};
	struct recorder_record longer = {.tstart = 12000, .tend = 21001};
	struct recorder_record flying = {
		.tstart = 12000, .tend = 90000, .flags = RECORDER_IN_FLIGHT, .level = 1};

	EXPECT(lies_in(&inside, &call));
	EXPECT(lies_in(&early, &call));
	EXPECT(!lies_in(&before, &call));
	EXPECT(!lies_in(&longer, &call));
	EXPECT(lies_in(&flying, &call));
	place_in(&early, &call);
	EXPECT_EQ(early.tstart, 10000);
	EXPECT_EQ(early.tend, 13000);
	EXPECT_EQ(early.busy, 3000);
	EXPECT_EQ(early.level, 4);
	place_in(&flying, &call);
	EXPECT_EQ(flying.level, 5);
	EXPECT_EQ(flying.tend, 90000);
}

TEST_CASE(calls_go_when_there_is_no_room_once_they_have_ended)
{
	struct calls calls = {.count = 2, .open = {{10, 20, 0}, {12, 40, 1}}};

	drop_ended(&calls, 21);
	EXPECT_EQ(calls.count, 1);
	EXPECT_EQ(calls.open[0].level, 1);
	EXPECT_EQ(calls.from, 21);
}
#endif
