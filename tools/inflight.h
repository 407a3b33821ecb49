/* SPDX-License-Identifier: MIT */
/*
 * inflight.h - the calls in flight of a trace, thread by thread and then grouped: who is where.
 */
#ifndef RECORDER_TOOLS_INFLIGHT_H
#define RECORDER_TOOLS_INFLIGHT_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "waiting.h"

/* Where one thread is. */
struct place {
	unsigned stream;
	uint32_t thread; /* its index in the stream */
	uint32_t pid, tid;
	int32_t world, rank;
	bool alive;
	bool died;      /* its process did not end in order */
	int64_t since;  /* start of the outermost call, ns since the trace's start */
	int64_t lasted; /* ns until now, or until its process died ... */
	bool at_least;  /* ... or until its last sign of life: nothing tells when it died */
	int32_t peer;   /* world rank of the other side, -1 none or any */
	char *calls;    /* "MPI_File_write > pwrite" */
	char *target;   /* "source=1, tag=7, comm=MPI_COMM_WORLD", "" none */
	char *file;     /* path, "" none */
	struct waiting waiting;
};

struct places {
	struct place *list; /* those of a group stand together, by rank */
	unsigned count;
};

/* Whether process `pid` is wanted. */
typedef bool inflight_want(const void *data, uint32_t pid);

/* 0 or a negative errno, see reader_error(). `now` is Unix ns. */
int places_find(struct reader *trace, int64_t now, inflight_want *want, const void *data,
		struct places *places);
void places_release(struct places *places);
/* The world rank of the other side of a call, -1 none or any. */
int32_t inflight_peer(const struct reader *trace, const struct recorder_record *record,
		      const struct reader_function_info *function);
/* Appends the arguments that say with whom or with what a call deals to *target; 0 or -ENOMEM. */
int inflight_target(const struct reader *trace, const struct recorder_record *record,
		    const struct reader_function_info *function, char **target);
/* Whether two places are of one group. */
bool places_equal(const struct place *a, const struct place *b);

#endif
