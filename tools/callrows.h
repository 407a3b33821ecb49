/* SPDX-License-Identifier: MIT */
/*
 * callrows.h - records as rows of a table, which wait until the calls inside theirs are known.
 *
 * Records come by time, so a call comes before those that it makes: only when its thread has left it, is it known how much of its time was its own.
 * Until then its row waits:
 *
 *	a thread:  MPI_File_write_all  >  pwrite        waiting, by level; a call at level 0 lets go of both, the innermost first
 *
 * so at most as many rows wait as calls are open. Numbers are given in the order of time and are those of the calls around: rows come
 * a little out of that order.
 */
#ifndef RECORDER_TOOLS_CALLROWS_H
#define RECORDER_TOOLS_CALLROWS_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "buffer.h"
#include "numbered.h"

#define ROW_NONE INT64_MIN /* not known, or there is none */

struct call_row {
	int64_t id, parent; /* parent 0: none */
	uint32_t stream, tid, thread, calls;
	int32_t world, rank;
	uint16_t level, flags;
	bool aside; /* goes on beside the thread: its time is none of the call's around it */
	const char *layer, *function, *operation; /* words that live as long as the rows */
	int64_t tstart, tend, duration, self;
	bool real; /* the result is `ret_real` */
	int64_t ret;
	double ret_real;
	char failure[48];                      /* "" did not fail */
	int64_t file, to_file, comm, callsite; /* 0: none; `to_file`: what a copy writes */
	int64_t bytes, offset, to_offset, peer, peer_world, tag, sent, received;
	int64_t tags[READER_TAGS]; /* of the program: epoch, step, sample */
	struct buffer args;        /* empty: none */
};

/* Zeroed, but for what the caller sets: no row waits. */
struct call_rows {
	void (*take)(
		void *data,
		const struct call_row *row); /* a row that is complete; valid during the call */
	void *data;
	/* inside */
	struct numbered nests; /* by stream and thread */
	int64_t last;          /* number given */
	uint64_t since;        /* rows since all were looked at */
};

/*
 * A row for a record, to be filled in at once: number, parent, times, place and flags are set. It is the next one of its thread, and what the thread has left
 * by that is taken.
 */
struct call_row *call_rows_next(struct call_rows *rows, const struct recorder_record *record,
				bool aside);
/* All rows that wait are taken. */
void call_rows_end(struct call_rows *rows);

#define ROW_NOTE_ROOM 96
/* What flags say, as words with commas; NULL: nothing. */
const char *row_note(uint16_t flags, char note[ROW_NOTE_ROOM]);

#endif
