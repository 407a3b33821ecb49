/* SPDX-License-Identifier: MIT */
/*
 * filter_stream.h - one stream of a trace, with the records alone that a filter asks for, as files of another trace.
 *
 *	STREAM.rec   DEFS (threads), then for each thread DEFS and DATA in turn, OPEN, and in the end LOST and END
 *	STREAM.lm    what the stream's said, with counts that are true of the new files
 *
 * The records are those that libreader gives, so that it does not matter where they lie (in the file of a node or a packed trace, in rings) and in which encoding; what it
 * says is lost or unreadable is stated as lost. Times stay: the clock's readings are copied where they make a difference.
 */
#ifndef RECORDER_TOOLS_FILTER_STREAM_H
#define RECORDER_TOOLS_FILTER_STREAM_H

#include "chunkfile.h"
#include "filter_batch.h"
#include "filter_defs.h"
#include "read/filter.h"

struct chunk_reader;

/* What is at work for one stream after the other. */
struct filter_work {
	struct reader *trace;
	const struct filter *filter;
	int to_fd; /* directory */
	struct chunk_reader *chunks;
	struct converter *converter;
	struct filter_batch batch;
	struct buffer words, packed; /* definitions, metadata */
	/* of the stream at work */
	const struct stream *from;
	struct chunkfile rec;
	struct filter_defs defs;
	uint64_t *calls; /* by function of the trace */
	uint64_t stored, lost, in_flight;
	uint64_t unreadable; /* in what was asked for; part of lost, as is the next */
	uint64_t vanished;   /* by the metadata there were more, and nothing tells where */
	uint64_t chunk_count;
	/* of all so far */
	uint64_t all_stored, all_calls, all_lost;
};

void filter_work_init(struct filter_work *work, struct reader *trace, const struct filter *filter,
		      int to_fd);
void filter_work_release(struct filter_work *work);
/* Ends the process with a message if something cannot be written. */
void filter_stream_copy(struct filter_work *work, const struct stream *from);
/* Of a stream that is not asked for: what the clocks of others are measured by. */
void filter_stream_leave_out(struct filter_work *work, const struct stream *from);
/* Appends a chunk. `packed`: of a body, which may be NULL. */
void filter_append(struct chunkfile *file, struct chunk_header *header, const void *body);

#endif
