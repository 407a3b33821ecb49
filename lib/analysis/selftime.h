/* SPDX-License-Identifier: MIT */
/*
 * selftime.h - what each call lies in, so that its time can be taken off that of the call around it. Calls come by the time of their begin, as a cursor gives
 * them: those around come before those within.
 */
#ifndef RECORDER_ANALYSIS_SELFTIME_H
#define RECORDER_ANALYSIS_SELFTIME_H

#include "analysis/tallies.h"
#include "read/index.h"

/* A call that later ones may lie in, and what it counts in. */
struct open_call {
	int64_t end;
	struct tally_kind kind;
};

/* The last call of a thread on each level. */
struct call_stack {
	struct open_call *calls;
	uint32_t room;
};

/* Those of the threads of one stream, by index + 1. Zeroed: none has made a call. */
struct call_stacks {
	struct idmap threads;
	struct call_stack *recent; /* NULL: none yet */
	uint32_t recent_thread;
};

/*
 * Keeps a call, and finds in `around` the kind of the innermost one that it lies in (NULL: none), which is valid until the next
 * call of this function. 0 or -ENOMEM.
 */
int call_stacks_take(struct call_stacks *stacks, const struct recorder_record *record,
		     const struct tally_kind *kind, const struct tally_kind **around);
/* As if there had been no calls. */
void call_stacks_release(struct call_stacks *stacks);

#endif
