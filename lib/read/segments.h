/* SPDX-License-Identifier: MIT */
/*
 * segments.h - the files of one process: STREAM.lm and STREAM.rec, and those that it closed before (RECORDER_ROTATE, flight mode).
 *
 *	STREAM-s2.rec    STREAM-s3.rec    STREAM.rec       STREAM-s1 was removed to make room
 *	closed[0]        closed[1]        newest           may still grow
 *	     └────────────────┴───────────────┘
 *	             one stream: ids, threads and sequence numbers go on from one to the next
 *
 * To everyone else they are one stream with the name of the newest; a chunk knows which of them it lies in (stream_segment()). Closed
 * segments that were copied elsewhere without STREAM itself are a stream, too, with the name of the last of them.
 *
 * Each LM begins as a copy of the process's, and ends with counts of its own segment: added up they are those of the stream.
 */
#ifndef RECORDER_READ_SEGMENTS_H
#define RECORDER_READ_SEGMENTS_H

#include "read/trace.h"

/* Brings the listed files of each process together. 0 or -ENOMEM. */
int segments_join(struct reader *trace);
/*
 * Where the newest LM does not tell who the process is, being gone or damaged, takes what it lacks from those of closed segments, which
 * began as copies of it. 0 or -ENOMEM.
 */
int segments_take_metadata(struct stream *stream);
/* Adds what is counted in the LMs of the closed ones to `lm` of the stream. 0 or -ENOMEM. */
int segments_add_counts(struct stream *stream);
/*
 * A segment begins with the DEFS chunks of the one before, which need not be taken in again. Called for each of them: 1 it was there
 * at this place, 0 it was not, -ENOMEM.
 */
int segments_repeat_defs(struct stream *stream, struct segment *segment,
			 const struct chunk_header *header);
/* Whether what the process recorded first is not here, so that numbers begin anywhere. */
bool segments_begin_late(const struct stream *stream);

#endif
