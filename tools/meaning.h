/* SPDX-License-Identifier: MIT */
/*
 * meaning.h - what a call of MPI says beyond its arguments: which processes of the world its peers are, the bytes that went
 * either way, the communicator of its window or file, and the calls whose requests it completed.
 */
#ifndef RECORDER_TOOLS_MEANING_H
#define RECORDER_TOOLS_MEANING_H

#include <stdbool.h>

#include <recorder/reader.h>

#define MEANING_PEERS 4u     /* arguments of a call that are ranks: the standard has at most two */
#define MEANING_NAME_ROOM 80 /* of a communicator: MPI_MAX_OBJECT_NAME is 64 */

struct meaning; /* of one walk: follows requests, so it must be given the records by time */

struct meaning_peer {
	unsigned arg;
	struct reader_process process;
};

struct meaning_call {
	struct meaning_peer peers[MEANING_PEERS]; /* those that are known */
	unsigned peer_count;
	/* The sources in the status argument of a call that names no source itself; NULL: none is known. */
	unsigned status_arg, status_count;
	bool status_list;                     /* the call has an array of statuses */
	const struct reader_process *sources; /* until the next record */
	struct reader_traffic traffic;
	const char *verb; /* what it does to requests: "completes" or "frees" */
	const char *comm; /* of the window or file; NULL: it has none. Until the next record. */
};

/* NULL: out of memory. */
struct meaning *meaning_new(const struct reader *trace);
void meaning_free(struct meaning *meaning);

/* Whether a function is one of MPI; records of others need not be given. */
bool meaning_has(const struct meaning *meaning, uint16_t func_id);

/* Whether calls of a function make or complete requests: what is said of some follows from others. */
bool meaning_follows(const struct meaning *meaning, uint16_t func_id);
/* Whether what is said of a function's calls follows from stream, result and arguments alone, tag and request aside. */
bool meaning_is_of_arguments(const struct meaning *meaning, uint16_t func_id);
/* Those that meaning_follows(), as a list for reader_filter; "" there are none. */
const char *meaning_followed(const struct meaning *meaning);
/* Notes what a call does to requests, as meaning_of() does too. 0 or -ENOMEM. */
int meaning_take(struct meaning *meaning, const struct recorder_record *record);
/* Forgets all requests. 0 or -ENOMEM. */
int meaning_restart(struct meaning *meaning);

/* 0 or -ENOMEM. */
int meaning_of(struct meaning *meaning, const struct recorder_record *record,
	       struct meaning_call *call);
/* The same of a record that meaning_take() had last. */
int meaning_of_taken(struct meaning *meaning, const struct recorder_record *record,
		     struct meaning_call *call);

/* Request `at` of those that the record given last completed, as reader_completed(). */
bool meaning_completed(const struct meaning *meaning, unsigned at, int64_t *number,
		       struct reader_request *request);

#endif
