/* SPDX-License-Identifier: MIT */
/*
 * waiting.h - what a thread waits for in MPI_Wait and its like: the calls that made its requests.
 */
#ifndef RECORDER_TOOLS_WAITING_H
#define RECORDER_TOOLS_WAITING_H

#include <recorder/reader.h>

/* A request that is waited for. */
struct awaited {
	int64_t number;
	char *call; /* "MPI_Irecv(source=1, tag=7, comm=MPI_COMM_WORLD)", NULL: not in the trace */
	int32_t peer; /* world rank of the other side, -1 none or any */
};

struct waiting {
	unsigned stream;
	struct awaited *list;
	unsigned count;
};

/* The requests that a call in flight waits for, as far as it says; 0 or -ENOMEM. Zeroed memory has none. */
int waiting_note(struct waiting *waiting, const struct recorder_record *record,
		 const struct reader_function_info *function);
/* Finds, in one walk, the calls that made the requests of all of them; 0 or a negative errno. */
int waiting_find(struct reader *trace, struct waiting *const *list, unsigned count);
void waiting_release(struct waiting *waiting);

#endif
