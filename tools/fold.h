/* SPDX-License-Identifier: MIT */
/*
 * fold.h - completing a trace after its processes: what lies in the live files of dead processes of this machine goes into
 * their stream files, LM and END are completed, and the live files are removed.
 *
 * A stream is locked while it is folded, so that several launchers of one node can do it at once.
 * Doing it again changes nothing.
 */
#ifndef RECORDER_TOOLS_FOLD_H
#define RECORDER_TOOLS_FOLD_H

#include <stdbool.h>
#include <stdint.h>

struct fold_result {
	unsigned folded;          /* streams that were completed */
	unsigned clean;           /* that needed nothing */
	unsigned running;         /* whose process is alive */
	unsigned dying;           /* of those: killed, and soon gone */
	unsigned elsewhere;       /* incomplete, and of another machine */
	unsigned failed;          /* a message told of each */
	uint64_t records;         /* that were rescued */
	uint64_t in_flight;       /* calls that will never end */
	char elsewhere_host[256]; /* one of the other machines */
};

/*
 * Folds all streams of the trace at `dir`. `died` is when its processes were seen to be dead (Unix ns),
 * 0 if that is not known. `thorough` also reads streams that ended in order. 0, or a negative errno if `dir` cannot be read.
 */
int fold_trace(const char *dir, int64_t died, bool thorough, struct fold_result *result);

#endif
