/* SPDX-License-Identifier: MIT */
/*
 * new_segments.h - segments that a process closes while its files are read. Its newest .rec becomes the last closed one then, and another
 * file has its name; what was opened stays what it was.
 */
#ifndef RECORDER_READ_NEW_SEGMENTS_H
#define RECORDER_READ_NEW_SEGMENTS_H

#include "read/trace.h"

/* Takes in a closed one, behind those that are there. 0 or -ENOMEM. */
int segments_add(struct stream *stream, const struct segment *segment);
/* What is known of a segment's files before any is read. */
void segment_init(struct stream *stream, struct segment *segment);
/* Takes in those that the process has closed since the trace was listed. 0 or -ENOMEM. */
int segments_find_new(struct stream *stream);
/* The same of a running process whose LM was read and none of its segments, and by what name the newest is found if it is closed now. */
int segments_find_closed(struct stream *stream);

#endif
