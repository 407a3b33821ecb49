/* SPDX-License-Identifier: MIT */
/*
 * aggregate.h - one file of a node instead of two of each process: RECORDER_AGGREGATE.
 *
 * All processes of a machine that do so append to DIR/HOST-XXXXXXXX.node, each chunk with one write and a tag that says whose
 * it is (lib/format/frame.h): metadata as well as records. Appends of processes that share a kernel do not mix on any file system, as they go
 * through one page cache and take the file's lock; so the name has a number made of the boot id, and two kernels never share a file.
 *
 * Nobody waits for anybody, and nobody is told: each process decides when its stream begins, by what the launcher's environment says,
 * and by how many streams of the run have begun on its node (livecount.h). A stream stays with the kind of file that it began with.
 */
#ifndef RECORDER_RECORD_AGGREGATE_H
#define RECORDER_RECORD_AGGREGATE_H

#include <stdbool.h>

struct stat;

/* Above so many streams on a node "auto" makes one file. */
#define AGGREGATE_STREAMS 64

/* Whether the stream that begins is to go into the file of the node; `first`: it is the first one of the trace. After live_open(). */
bool aggregate_wanted(bool first);
/* Why it does not though RECORDER_AGGREGATE=node asks for it, as a word; "" where it does, or nobody asked. */
const char *aggregate_refused(void);
/* Opens the file of the node to be appended to, and makes it if there is none. A descriptor or a negative errno: the stream has to
 * do with files of its own then, and aggregate_refused() says so. */
int aggregate_open(struct stat *status);
/* Its path, once it was opened. */
const char *aggregate_path(void);
/* Whether a process left live files under that name of a stream. `own`: an image of this very process did. */
bool aggregate_name_taken(const char *stream, bool *own);

#endif
