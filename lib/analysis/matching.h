/* SPDX-License-Identifier: MIT */
/*
 * matching.h - what goes on between calls: messages, from the call that sent one to the call that it came with; and operations, from the call that
 * started one - a nonblocking call of MPI, a request of asynchronous I/O - to the call that completed it.
 *
 * Give it the records of matching_functions(), all of them and by time: what was left out of one side would shift all that comes behind it. So filters of a user do not belong here;
 * `place` tells which records he has asked for.
 *
 * Messages of processes whose records are not all there are not told, nor are those of calls whose times are made up. Who met whom is not in a trace: it follows
 * from the order of calls in each process, as MPI says (channels.h, posted.h). Partitioned communication is left out.
 */
#ifndef RECORDER_ANALYSIS_MATCHING_H
#define RECORDER_ANALYSIS_MATCHING_H

#include "analysis/channels.h"

struct matching_operation {
	struct message_call start;
	int64_t end; /* of the call that completed it */
	bool ended;  /* the trace has that */
	bool io;     /* on files */
	uint16_t
		func_id; /* of the call that made it, which may have been before it was started (MPI_Send_init) */
	int64_t number; /* of the request: of those of a stream that go on at one time, and of their kind, no other has it */
};

/* Each returns 0 or a negative errno, which matching_take() returns then. */
struct matching_sink {
	int (*message)(void *data, const struct message_call *send,
		       const struct message_call *receive);
	int (*operation)(void *data, const struct matching_operation *operation);
	void *data;
};

struct matching;

/* `sink` must outlive it, as the trace must. NULL: no memory. */
struct matching *matching_new(const struct reader *trace, const struct matching_sink *sink);
void matching_free(struct matching *matching);

/* Whether records of a function are to be given. */
bool matching_wants(const struct matching *matching, uint16_t func_id);
/* Those functions, as a list for reader_filter; "" there are none. */
const char *matching_functions(const struct matching *matching);

/* 0 or a negative errno. */
int matching_take(struct matching *matching, const struct recorder_record *record, uint64_t place);
/* Behind all records: tells the operations that have not ended. 0 or a negative errno. */
int matching_end(struct matching *matching);

#endif
