/* SPDX-License-Identifier: MIT */
/*
 * operations.h - what goes on between calls: from the call that started an operation - a nonblocking call of MPI, a request of asynchronous I/O - to the one
 * that completed it.
 *
 * Give it the calls of each process by time, all of functions that have a role (roles.h): a filter of a user does not belong here; `shown` tells which calls
 * he has asked for.
 */
#ifndef RECORDER_ANALYSIS_OPERATIONS_H
#define RECORDER_ANALYSIS_OPERATIONS_H

#include "analysis/outstanding.h"
#include "analysis/roles.h"

struct operation {
	struct operation_start start;
	int64_t end; /* of the call that completed it */
	bool ended;  /* the trace has that */
	bool io;     /* on files */
	uint16_t
		func_id; /* of the call that made it, which may have been before it was started (MPI_Send_init) */
	int64_t number; /* of the request: of those of a stream that go on at one time, and of their kind, no other has it */
};

/* 0 or a negative errno, which operations_take() returns then. */
typedef int operations_sink(void *data, const struct operation *operation);

struct operations;

/* `roles`: by function; they and the trace must outlive it. NULL: no memory. */
struct operations *operations_new(const struct reader *trace, const struct role_of_function *roles,
				  operations_sink *sink, void *data);
void operations_free(struct operations *operations);

/* 0 or a negative errno. */
int operations_take(struct operations *operations, const struct recorder_record *record,
		    bool shown);
/* Behind all calls, or all of some processes: tells the operations that have not ended, and forgets them. 0 or a negative errno. */
int operations_end(struct operations *operations);

#endif
