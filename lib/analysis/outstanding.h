/* SPDX-License-Identifier: MIT */
/*
 * outstanding.h - requests that go on, by their number in their stream. Those that persist stay while nothing goes on.
 *
 * At most OUTSTANDING_MAX at a time: what a program never completes, or a filter of the recorder has hidden the end of, must not fill the memory.
 */
#ifndef RECORDER_ANALYSIS_OUTSTANDING_H
#define RECORDER_ANALYSIS_OUTSTANDING_H

#include "analysis/channels.h"

#define OUTSTANDING_MAX (1u << 18)

enum outstanding_kind {
	OUTSTANDING_REQUEST,
	OUTSTANDING_MESSAGE,
	OUTSTANDING_AIO,
	OUTSTANDING_FILE, /* a transfer that a call begins and another one ends, by the file's number */
};

struct outstanding_key {
	int64_t number;
	uint32_t stream;
	uint32_t kind;
};

struct outstanding {
	struct outstanding_key key;
	uint16_t func_id; /* of the call that made it */
	bool io, active, persistent;
	struct message_call start; /* the call that started it */
	uint32_t comm;             /* ranks in its status are of this one */
	struct receive *receive;   /* that it is; NULL: it is none */
	/* What a persistent one does when it is started. */
	bool sends, receives, any_source, any_tag;
	struct envelope envelope;
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
