/* SPDX-License-Identifier: MIT */
/* inflight.c - see inflight.h */
#include "inflight.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AWAITED_SHOWN 4 /* of many requests */

/* Growing text: asprintf() onto the end, *text replaced. -ENOMEM leaves it. */
__attribute__((format(printf, 2, 3))) static int append_text(char **text, const char *format, ...)
{
	char *more, *whole;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&more, format, args);
	va_end(args);
	if (length < 0)
		return -ENOMEM;
	length = asprintf(&whole, "%s%s", *text ? *text : "", more);
	free(more);
	if (length < 0)
		return -ENOMEM;
	free(*text);
	*text = whole;
	return 0;
}

/* Kinds that say with whom or with what a call deals. */
static bool is_target(const char *kind)
{
	static const char *const kinds[] = {"rank", "tag",  "comm",     "fd",  "dirfd", "stream",
					    "dir",  "path", "mpi_file", "pid", "win"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kind, kinds[i]))
			return true;
	return false;
}

/* The world rank of a peer: the rank argument that is not our own, in the communicator of the call. */
int32_t inflight_peer(const struct reader *trace, const struct recorder_record *record,
		      const struct reader_function_info *function)
{
	int64_t rank = -1, comm = -1;

	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		if (!strcmp(function->args[i].kind, "rank") && rank < 0)
			rank = record->args[i].i64;
		if (!strcmp(function->args[i].kind, "comm"))
			comm = record->args[i].i64;
	}
	if (rank < 0 || rank > INT32_MAX || comm < 0 || comm > UINT32_MAX)
		return -1;
	return reader_comm_world_rank(trace, record->stream, (uint32_t)comm, (int32_t)rank);
}

int inflight_target(const struct reader *trace, const struct recorder_record *record,
		    const struct reader_function_info *function, char **target)
{
	char text[1024];
	int error = 0;

	for (unsigned i = 0; i < record->arg_count && i < function->arg_count && !error; i++) {
		if (!is_target(function->args[i].kind))
			continue;
		reader_arg_text(trace, record, i, text, sizeof(text));
		error = append_text(target, "%s%s=%s", *target && **target ? ", " : "",
				    function->args[i].name, text);
	}
	return error;
}

/* The place that a call adds to: that of its thread; NULL: out of memory. Calls of a thread come outermost first. */
static struct place *place_of(struct places *places, const struct recorder_record *record)
{
	struct place *last = places->count ? &places->list[places->count - 1] : NULL;
	struct place *larger;

	if (record->level > 0)
		for (unsigned i = places->count; i-- > 0;)
			if (places->list[i].stream == record->stream &&
			    places->list[i].thread == record->thread)
				return &places->list[i];
	larger = realloc(places->list, (places->count + 1) * sizeof(*larger));
	if (!larger)
		return NULL;
	places->list = larger;
	last = &larger[places->count++];
	memset(last, 0, sizeof(*last));
	last->peer = -1;
	last->since = INT64_MIN;
	return last;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int describe(struct reader *trace, const struct recorder_record *record,
		    const struct reader_stream *stream, int64_t now, struct place *place)
{
	const struct reader_function_info *function = reader_function(trace, record);
	bool first = place->since == INT64_MIN;
	struct reader_file file;
	int error = append_text(&place->calls, "%s%s", first ? "" : " > ", function->name);

	if (first) {
		place->stream = record->stream;
		place->thread = record->thread;
		place->pid = stream->pid;
		place->tid = record->tid;
		place->world = record->world;
		place->rank = record->rank;
		place->alive = stream->state == READER_RUNNING;
		place->died = stream->died;
		place->since = record->tstart;
		place->lasted =
			(place->alive ? now : later(stream->end, record->tend)) - record->tstart;
		place->at_least = !place->alive && !stream->end_known;
		place->peer = inflight_peer(trace, record, function);
		if (!error)
			error = waiting_note(&place->waiting, record, function);
		if (!error && place->waiting.count == 0)
			error = inflight_target(trace, record, function, &place->target);
	}
	if (!error && !place->file && !reader_record_file(trace, record, &file))
		error = append_text(&place->file, "%s", file.path);
	return error;
}

/* What a place waits for; its peer is the one of all requests, if there is one. */
static int describe_waiting(struct place *place)
{
	const struct waiting *waiting = &place->waiting;
	int error = 0;

	for (unsigned i = 0; i < waiting->count && i < AWAITED_SHOWN && !error; i++) {
		const struct awaited *awaited = &waiting->list[i];

		error = append_text(&place->target, "%srequest=%lld%s%s", i ? ", " : "",
				    (long long)awaited->number, awaited->call ? ": " : "",
				    awaited->call ? awaited->call : "");
	}
	if (!error && waiting->count > AWAITED_SHOWN)
		error = append_text(&place->target, ", ...%u", waiting->count);
	if (waiting->count > 0)
		place->peer = waiting->list[0].peer;
	for (unsigned i = 1; i < waiting->count; i++)
		if (waiting->list[i].peer != place->peer)
			place->peer = -1;
	return error;
}

static int find_waiting(struct reader *trace, struct places *places)
{
	struct waiting **list = calloc(places->count + 1, sizeof(*list));
	unsigned count = 0;
	int error;

	if (!list)
		return -ENOMEM;
	for (unsigned i = 0; i < places->count; i++)
		if (places->list[i].waiting.count > 0)
			list[count++] = &places->list[i].waiting;
	error = waiting_find(trace, list, count);
	free(list);
	for (unsigned i = 0; i < places->count && !error; i++)
		error = describe_waiting(&places->list[i]);
	return error;
}

/* One text for "none", so that all are there. */
static int complete(struct places *places)
{
	int error = 0;

	for (unsigned i = 0; i < places->count && !error; i++) {
		struct place *place = &places->list[i];

		if (!place->target)
			error = append_text(&place->target, "%s", "");
		if (!error && !place->file)
			error = append_text(&place->file, "%s", "");
	}
	return error;
}

bool places_equal(const struct place *a, const struct place *b)
{
	return a->alive == b->alive && a->died == b->died && !strcmp(a->calls, b->calls) &&
	       !strcmp(a->target, b->target) && !strcmp(a->file, b->file);
}

static int compare_places(const void *a, const void *b)
{
	const struct place *one = a, *other = b;
	int order = strcmp(one->calls, other->calls);

	if (!order)
		order = strcmp(one->target, other->target);
	if (!order)
		order = strcmp(one->file, other->file);
	if (!order)
		order = one->alive - other->alive;
	if (!order)
		order = one->died - other->died;
	if (!order)
		order = (one->world > other->world) - (one->world < other->world);
	if (!order)
		order = (one->rank > other->rank) - (one->rank < other->rank);
	return order ? order : (one->tid > other->tid) - (one->tid < other->tid);
}

static int collect(struct reader *trace, struct reader_cursor *cursor, int64_t now,
		   inflight_want *want, const void *data, struct places *places)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	const struct recorder_record *record;
	int error = 0;

	while (!error && (record = reader_next(cursor))) {
		struct place *place;

		if (!(record->flags & RECORDER_IN_FLIGHT) ||
		    reader_stream(trace, record->stream, &stream) ||
		    (want && !want(data, stream.pid)))
			continue;
		place = place_of(places, record);
		error = place ? describe(trace, record, &stream, now, place) : -ENOMEM;
	}
	return error ? error : reader_cursor_status(cursor);
}

int places_find(struct reader *trace, int64_t now, inflight_want *want, const void *data,
		struct places *places)
{
	struct reader_filter filter = {.sz = sizeof(filter), .in_flight = 2};
	struct reader_info info = {.sz = sizeof(info)};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	int error;

	memset(places, 0, sizeof(*places));
	if (!cursor)
		return -errno;
	reader_info(trace, &info);
	error = collect(trace, cursor, now - info.start, want, data, places);
	reader_cursor_free(cursor);
	if (!error)
		error = find_waiting(trace, places);
	if (!error)
		error = complete(places);
	if (error) {
		places_release(places);
		return error;
	}
	if (places->count > 0)
		qsort(places->list, places->count, sizeof(*places->list), compare_places);
	return 0;
}

void places_release(struct places *places)
{
	for (unsigned i = 0; i < places->count; i++) {
		free(places->list[i].calls);
		free(places->list[i].target);
		free(places->list[i].file);
		waiting_release(&places->list[i].waiting);
	}
	free(places->list);
	memset(places, 0, sizeof(*places));
}
