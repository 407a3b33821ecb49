/* SPDX-License-Identifier: MIT */
/*
 * outstanding.h - requests that go on, by their number in their stream. Those that persist stay while nothing goes on.
 *
 * At most OUTSTANDING_MAX at a time: what a program never completes, or a filter of the recorder has hidden the end of, must not fill the memory.
 */
#ifndef RECORDER_ANALYSIS_OUTSTANDING_H
#define RECORDER_ANALYSIS_OUTSTANDING_H

#include <stdbool.h>
#include <stdint.h>

#define OUTSTANDING_MAX (1u << 18)

enum outstanding_kind {
	OUTSTANDING_REQUEST,
	OUTSTANDING_AIO,
	OUTSTANDING_FILE, /* a transfer that a call begins and another one ends, by the file's number */
};

struct outstanding_key {
	int64_t number;
	uint32_t stream;
	uint32_t kind;
};

/* The call that started it. */
struct operation_start {
	uint32_t stream, thread;
	uint64_t sequence; /* of the record in its thread */
	int64_t begin;     /* ns since the trace's start */
	bool shown;        /* the user asked for it */
};

struct outstanding {
	struct outstanding_key key;
	uint16_t func_id; /* of the call that made it */
	bool io, active, persistent;
	struct operation_start start;
	struct outstanding *next; /* in its bucket */
};

struct outstanding_table {
	struct outstanding **buckets; /* NULL: nothing was ever in it */
	uint32_t count;
};

/* A new one; NULL with errno 0: there are too many, with ENOMEM: no memory. */
struct outstanding *outstanding_add(struct outstanding_table *table,
				    const struct outstanding_key *key);
/* NULL: there is none. */
struct outstanding *outstanding_find(const struct outstanding_table *table,
				     const struct outstanding_key *key);
/* Takes it out and frees it. */
void outstanding_remove(struct outstanding_table *table, struct outstanding *item);
/* All of them, sorted by the calls that started them, in memory to be given to free(); NULL: no memory. */
struct outstanding **outstanding_sorted(const struct outstanding_table *table);
void outstanding_release(struct outstanding_table *table);

#endif
