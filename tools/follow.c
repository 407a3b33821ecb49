/* SPDX-License-Identifier: MIT */
/* follow.c - see follow.h */
#include "follow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"

#define NOTHING UINT32_MAX

struct follow {
	struct reader *trace;
	struct meaning *meaning;
	struct reader_filter
		filter; /* of calls that do something to requests, if the user asks for no others */
	struct reader_piece piece;             /* the present one */
	bool ready;                            /* for its calls */
	uint32_t stream, thread;               /* whose requests are known; NOTHING */
	uint32_t chunk;                        /* of that thread, up to this one, not included */
	struct reader_cursor *others;          /* of the stream, if it has other threads */
	const struct recorder_record *pending; /* of them */
};

struct follow *follow_new(struct reader *trace, const struct reader_filter *filter,
			  struct meaning *meaning)
{
	struct follow *follow = calloc(1, sizeof(*follow));

	if (!follow)
		return NULL;
	follow->trace = trace;
	follow->meaning = meaning;
	follow->filter = *filter;
	follow->filter.in_flight = 0;
	if (!filter->functions)
		follow->filter.functions = meaning_followed(meaning);
	follow->stream = NOTHING;
	return follow;
}

void follow_free(struct follow *follow)
{
	if (!follow)
		return;
	reader_cursor_free(follow->others);
	free(follow);
}

void follow_piece(struct follow *follow, const struct reader_piece *piece)
{
	/* the one before had nothing to take */
	if (!follow->ready && follow->piece.stream == follow->stream &&
	    follow->piece.thread == follow->thread && follow->piece.first == follow->chunk)
		follow->chunk = follow->piece.end;
	follow->piece = *piece;
	follow->ready = false;
}

static int take(struct follow *follow, const struct recorder_record *record)
{
	return meaning_follows(follow->meaning, record->func_id)
		       ? meaning_take(follow->meaning, record)
		       : 0;
}

bool follow_leaves(struct follow *follow, const struct reader_piece *next)
{
	bool same = follow->piece.stream == next->stream && follow->piece.thread == next->thread;

	if (follow->ready)
		return same;
	follow->piece.stream =
		NOTHING; /* nothing is known of it: it is caught up with when it matters */
	return false;
}

/* The other threads of the stream that have records, as a list: empty if there are none. */
static void list_others(const struct follow *follow, struct buffer *tids)
{
	struct reader_thread thread = {.sz = sizeof(thread)};
	uint32_t stream = follow->piece.stream;
	char text[16];

	for (unsigned i = 0; i < reader_thread_count(follow->trace, stream); i++) {
		if (i == follow->piece.thread || reader_thread(follow->trace, stream, i, &thread) ||
		    thread.records == 0)
			continue;
		snprintf(text, sizeof(text), "%s%u", tids->size ? "," : "", thread.tid);
		buffer_add_text(tids, text);
	}
}

static int open_others(struct follow *follow)
{
	struct reader_filter filter = follow->filter;
	struct buffer tids = {0};
	char stream[16];

	reader_cursor_free(follow->others);
	follow->others = NULL;
	follow->pending = NULL;
	list_others(follow, &tids);
	if (tids.size == 0)
		return 0;
	buffer_add(&tids, "", 1);
	snprintf(stream, sizeof(stream), "%u", follow->piece.stream);
	filter.streams = stream;
	if (!filter.tids)
		filter.tids = (const char *)tids.bytes;
	follow->others = reader_cursor_new(follow->trace, &filter);
	buffer_release(&tids);
	if (!follow->others)
		return -errno;
	follow->pending = reader_next(follow->others);
	return reader_cursor_status(follow->others);
}

/* The chunks of the thread that somebody else converts. */
static int catch_up(struct follow *follow)
{
	struct reader_piece gap = {.stream = follow->piece.stream,
				   .thread = follow->piece.thread,
				   .first = follow->chunk,
				   .end = follow->piece.first};
	struct reader_filter filter = follow->filter;
	const struct recorder_record *record;
	struct reader_cursor *cursor;
	int error = 0;

	if (gap.first >= gap.end)
		return 0;
	filter.piece = &gap;
	cursor = reader_cursor_new(follow->trace, &filter);
	if (!cursor)
		return -errno;
	while (!error && (record = reader_next(cursor)))
		error = take(follow, record);
	if (!error)
		error = reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	return error;
}

static int make_ready(struct follow *follow)
{
	int error = 0;

	follow->ready = true;
	if (follow->stream != follow->piece.stream || follow->thread != follow->piece.thread) {
		follow->stream = follow->piece.stream;
		follow->thread = follow->piece.thread;
		follow->chunk = 0;
		error = meaning_restart(follow->meaning);
		if (!error)
			error = open_others(follow);
	}
	if (!error)
		error = catch_up(follow);
	follow->chunk = follow->piece.end;
	return error;
}

/* Takes what the process did before the record. */
static int take_until(struct follow *follow, const struct recorder_record *record)
{
	int error = follow->ready ? 0 : make_ready(follow);

	while (!error && follow->pending && follow->pending->tstart < record->tstart) {
		if (follow->pending->thread != record->thread)
			error = take(follow, follow->pending);
		follow->pending = reader_next(follow->others);
		if (!error)
			error = reader_cursor_status(follow->others);
	}
	return error;
}

int follow_take(struct follow *follow, const struct recorder_record *record)
{
	int error;

	if (!meaning_follows(follow->meaning, record->func_id))
		return 0;
	error = take_until(follow, record);
	return error ? error : meaning_take(follow->meaning, record);
}
