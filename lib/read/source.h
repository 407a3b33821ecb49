/* SPDX-License-Identifier: MIT */
/*
 * source.h - the records of one thread in the order of tstart.
 *
 * They are stored in the order of tend. Within a chunk they are sorted; between chunks only
 * *carried* records are out of order, those that began before their chunk: they are fetched
 * ahead, from chunks that say so in their headers. At any time a source holds at most one decoded
 * chunk and the carried records of calls that are open at that time.
 */
#ifndef RECORDER_READ_SOURCE_H
#define RECORDER_READ_SOURCE_H

#include "read/ahead.h"
#include "read/chunk_reader.h"
#include "read/filter.h"

struct source {
	const struct thread *thread;
	uint32_t order; /* among sources: world, rank, stream, thread */
	uint32_t first_chunk;
	uint32_t next_chunk;   /* to be loaded */
	uint32_t end_chunk;    /* this one and those behind it are not */
	uint32_t next_carrier; /* to be looked at, in thread->carriers */
	struct records chunk;
	uint32_t *queue; /* numbers of its records in the order of tstart */
	uint32_t queue_next, queue_end, queue_capacity;
	bool sorted;           /* they came in that order */
	struct ahead ahead;    /* carried records */
	int64_t carrier_bound; /* no record still to be fetched ahead begins before this, ns */
	int64_t chunk_bound; /* no record of the next chunk, but carried ones, begins before this */
	int64_t key;         /* tstart of the next record or a lower bound of it */
	bool ready;          /* the key is that of a record */
	bool unordered;      /* too many carried records: those left come with their chunks */
	bool by_chunk;       /* they all do */
};

/* What the sources of a cursor share. */
struct source_context {
	struct reader *trace;
	const struct filter *filter;
	struct chunk_reader *chunks;
	struct converter *converter;
	int64_t from; /* records with an earlier tstart are not wanted */
	uint32_t *sort_space;
	uint32_t sort_capacity;
};

/* All of a thread. */
void source_init(struct source *source, const struct thread *thread);
/* Some chunks of it, one after the other: what is carried comes with its chunk. */
void source_init_piece(struct source *source, const struct thread *thread, uint32_t first,
		       uint32_t end);
/* Before the first record with tstart >= context->from. 0 or -ENOMEM. */
int source_rewind(struct source *source, struct source_context *context);
/*
 * Brings the source nearer to its next record: after it, `key` is higher or `ready` is set. Returns
 * 1; 0: there are no more records;
 * -ENOMEM.
 */
int source_advance(struct source *source, struct source_context *context);
/* Takes the record at the key of a ready source, which then is not ready: its number in `chunk`, -1 if it was fetched ahead. */
int64_t source_take_chunk(struct source *source);
/* In that case the record, which stays valid until the source is advanced. */
const struct raw_record *source_take_ahead(struct source *source, struct source_entry *entry);
/* The function of a record that was fetched ahead. */
const struct function *source_function(const struct thread *thread, const struct raw_record *raw);
void source_release(struct source *source);

#endif
