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

#include "read/chunk_reader.h"
#include "read/filter.h"

/* Of a decoded record: where it lies and its place in the order. */
struct source_entry {
	int64_t tstart; /* ns */
	uint32_t offset;
	uint16_t level;
	uint16_t open; /* a call in flight */
	uint64_t sequence;
};

/* Raw records and their entries. */
struct batch {
	struct raw_buffer raw;
	struct source_entry *entries;
	uint32_t count, capacity;
};

struct source {
	const struct thread *thread;
	uint32_t order;        /* among sources: world, rank, stream, thread */
	uint32_t next_chunk;   /* to be loaded */
	uint32_t next_carrier; /* to be looked at, in thread->carriers */
	uint32_t next_entry;   /* of the chunk */
	struct batch chunk;
	struct batch ahead;    /* carried records; its entries are a heap */
	int64_t carrier_bound; /* no record still to be fetched ahead begins before this, ns */
	int64_t chunk_bound; /* no record of the next chunk, but carried ones, begins before this */
	int64_t key;         /* tstart of the next record or a lower bound of it */
	bool ready;          /* the key is that of a record */
	bool unordered;      /* too many carried records: those left come with their chunks */
};

/* What the sources of a cursor share. */
struct source_context {
	struct reader *trace;
	const struct filter *filter;
	struct chunk_reader *chunks;
	int64_t from; /* records with an earlier tstart are not wanted */
	struct source_entry *sort_space;
	uint32_t sort_capacity;
};

/* Before the first record with tstart >= context->from. 0 or -ENOMEM. */
int source_rewind(struct source *source, struct source_context *context);
/*
 * Brings the source nearer to its next record: after it, `key` is higher or `ready` is set. Returns
 * 1; 0: there are no more records;
 * -ENOMEM.
 */
int source_advance(struct source *source, struct source_context *context);
/*
 * The record at the key of a ready source, which stays valid until the source is advanced. The
 * source then is not ready.
 */
const struct raw_record *source_take(struct source *source, struct source_entry *entry);
void source_release(struct source *source);

#endif
