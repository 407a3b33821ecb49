/* SPDX-License-Identifier: MIT */
/*
 * filter_batch.h - records of a thread that are kept, on their way into one DATA chunk.
 *
 * They are encoded with stamps, in the unit of time that they had: decoded again, they have the same times. Where that unit changes, or times begin to be made up
 * ones, another batch begins; so many that came from small chunks share one.
 */
#ifndef RECORDER_TOOLS_FILTER_BATCH_H
#define RECORDER_TOOLS_FILTER_BATCH_H

#include "buffer.h"
#include "format/deflater.h"
#include "format/lists.h"
#include "read/trace.h"

#define FILTER_BATCH_SIZE (1u << 20) /* of raw records; a batch that has as much is to be taken */

/* Zeroed memory is an empty one of no thread. */
struct filter_batch {
	const struct thread *thread;
	uint64_t sequence;    /* of its first record in the new trace */
	uint64_t t_base;      /* ticks: the end of the record before, or begin of the thread */
	uint64_t unit, phase; /* of times */
	bool summed;          /* times are made up */
	struct buffer records;
	uint32_t count, flags;
	uint64_t last; /* largest tend */
	bool disordered;
	struct buffer sites; /* struct list_site; raw records have their numbers */
	struct index site_index;
	/* as filled by filter_batch_encode() */
	struct buffer body, work, words, bits;
	struct deflater *deflater; /* set by who owns it */
};

/* The thread's first record comes next; `t_base` is not after its end. */
void filter_batch_thread(struct filter_batch *batch, const struct thread *thread, uint64_t t_base);
/* Whether records of such times can be added. */
bool filter_batch_takes(const struct filter_batch *batch, uint64_t unit, uint64_t phase,
			bool summed);
/* Says what times are to be added. The batch is empty. */
void filter_batch_times(struct filter_batch *batch, uint64_t unit, uint64_t phase, bool summed);
/* Adds a record as chunk_reader_next() gives it. */
void filter_batch_add(struct filter_batch *batch, const struct raw_record *record);
/* Makes header and batch->body of what is there, and begins the next batch. */
void filter_batch_encode(struct filter_batch *batch, struct chunk_header *header);
void filter_batch_release(struct filter_batch *batch);

#endif
