/* SPDX-License-Identifier: MIT */
/*
 * messages.h - calls of MPI by communicator, and who sent how much to whom.
 */
#ifndef RECORDER_ANALYSIS_MESSAGES_H
#define RECORDER_ANALYSIS_MESSAGES_H

#include "analysis/dictionary.h"
#include "analysis/facts.h"
#include "read/pool.h"

struct comm_row {
	uint64_t identity;
	int32_t size;
	const char *name; /* in `names`; NULL: none */
	struct analysis_sums sums;
	int64_t collective; /* ns */
};

struct message_row {
	unsigned from, to; /* ranks */
	uint64_t calls;
	int64_t bytes;
};

#define PAIRS_RECENT 32u /* a power of two */

/* Zeroed: none. */
struct messages {
	struct dictionary comm_keys, pair_keys; /* give the rows their numbers */
	struct comm_row *comms;
	struct message_row *pairs;
	uint32_t comm_room, pair_room;
	uint32_t recent_comm; /* number that was asked for last */
	/* the same by where they go: a rank exchanges with several in turns */
	uint32_t recent_pairs[PAIRS_RECENT];
	struct pool names;
};

/* Counts a call of MPI, made by `rank`, which moved so many bytes. 0 or -ENOMEM. */
int messages_count(struct messages *messages, const struct facts *facts,
		   const struct recorder_record *record, unsigned rank, int64_t received,
		   int64_t sent);
/* 0 or -ENOMEM. */
int messages_merge(struct messages *into, const struct messages *from);
void messages_release(struct messages *messages);

#endif
