/* SPDX-License-Identifier: MIT */
/*
 * overlap.h - what the threads of a process do at the same time: how long calls on files run beside computing, beside MPI, and alone.
 *
 * A sweep over the calls of one stream, by time. Between two events (a call begins or ends, a thread begins or ends) the state of the process does not change:
 * that time is added to the sum of this state, so that sums are those of unions of intervals, however many threads there are. Memory is for the
 * calls that are open.
 *
 *	thread 1  ....ffff......mm....      f  in a call on files (data or software, not pipes, sockets, terminals)
 *	thread 2  ..ffff............        m  in MPI, without a call on files around or within
 *	                                    .  outside all recorded calls but the program's own, which it names: taken to compute
 *
 * The main thread computes from the begin of the process to its end, others from their first call to their last one, but for those
 * that MPI and the libraries below it have started. A thread in any other call waits.
 */
#ifndef RECORDER_ANALYSIS_OVERLAP_H
#define RECORDER_ANALYSIS_OVERLAP_H

#include <stdbool.h>

#include "analysis/facts.h"
#include "read/index.h"

/* States are sets of what at least one thread is in. */
enum overlap_part {
	OVERLAP_FILES = 1,
	OVERLAP_MESSAGES = 2,
	OVERLAP_PROGRAM = 4,
	OVERLAP_STATES = 8,
};

struct overlap_row {
	int64_t time[OVERLAP_STATES];
};

/* What a thread is in, as the kinds of its open calls. */
enum overlap_kind {
	OVERLAP_KIND_FILES,
	OVERLAP_KIND_MESSAGES,
	OVERLAP_KIND_OTHER,
	OVERLAP_KIND_PROGRAM, /* the program's own functions: it computes there */
	OVERLAP_KINDS
};

/* Where a thread is: in the first kind of calls that it has open, else in none. */
enum { OVERLAP_COMPUTES = OVERLAP_KINDS, OVERLAP_WAITS, OVERLAP_PLACES };

struct overlap_thread;

struct overlap_end {
	int64_t at;
	struct overlap_thread *thread;
	enum overlap_kind kind;
};

/* Times in the states that lie between begin and end. */
struct overlap_bin {
	int64_t begin, end; /* equal: none do */
	int64_t times[OVERLAP_STATES];
};

/* Whether a time lies in the bin, which then has it. */
static inline bool overlap_bin_take(struct overlap_bin *bin, unsigned state, int64_t begin,
				    int64_t end)
{
	if (begin < bin->begin || end > bin->end)
		return false;
	bin->times[state] += end - begin;
	return true;
}

/* Time that a process was in a state, to whoever adds it up. */
typedef void overlap_taker(void *data, unsigned state, int64_t begin, int64_t end);

/* Zeroed and begun: nobody has made a call. */
struct overlap_sweep {
	overlap_taker *take; /* gets what does not lie in the bin, and may make it another one */
	void *data;
	struct overlap_bin *bin; /* NULL: there is none */
	const struct facts *facts;
	unsigned stream;
	int64_t now, last;             /* the process ends at `last` */
	struct idmap threads;          /* by index + 1 */
	struct overlap_thread *recent; /* NULL: none yet */
	uint32_t recent_index;
	struct overlap_end *ends; /* a heap, the earliest first */
	uint32_t count, room;
	uint32_t in[OVERLAP_PLACES]; /* how many threads are there */
	unsigned state;              /* that is: a set of enum overlap_part */
	bool alone;                  /* one call is open, and that is the last that was made */
	unsigned between;            /* then: the state when it has ended */
};

/* 0 or -ENOMEM; to be released either way. `bin` may be NULL. */
int overlap_begin(struct overlap_sweep *sweep, const struct facts *facts, unsigned stream,
		  overlap_taker *take, void *data, struct overlap_bin *bin);
/* A call; they come by the time of their begin. 0 or -ENOMEM. */
int overlap_call(struct overlap_sweep *sweep, const struct recorder_record *record,
		 enum overlap_kind kind);
/* No more calls come. */
void overlap_end(struct overlap_sweep *sweep);
void overlap_release(struct overlap_sweep *sweep);

#endif
