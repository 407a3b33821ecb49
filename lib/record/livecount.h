/* SPDX-License-Identifier: MIT */
/*
 * livecount.h - how many streams of the run have begun on this node, be they at work or ended: a file in the directory of live files, with a byte for each.
 *
 * It lives as long as that directory: from when the first process of the run begins to record until none is left. Appends are atomic, so
 * nobody waits for anybody; and the file is in memory, as live files are, whatever file system the trace is on. Where nobody was left for a while, as when
 * each process begins after the one before has ended, whoever makes the file anew looks into the trace for the streams that were there.
 */
#ifndef RECORDER_RECORD_LIVECOUNT_H
#define RECORDER_RECORD_LIVECOUNT_H

#include <stdbool.h>

/*
 * Notes that a stream begins, and says how many did before it, as far as `enough`. `first`: none did, as the trace is new. After live_open(), where the process may write files of so many
 * bytes; 0 also where nothing can be counted.
 */
unsigned livecount_add(unsigned enough, bool first);
/* The stream has ended: removes the directory if no other one is at work in it. */
void livecount_close(void);

#endif
