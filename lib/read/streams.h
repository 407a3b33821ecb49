/* SPDX-License-Identifier: MIT */
/*
 * streams.h - a stream from its .lm, its .rec and its live files.
 */
#ifndef RECORDER_READ_STREAMS_H
#define RECORDER_READ_STREAMS_H

#include "read/body.h"
#include "read/metafile.h"
#include "read/trace.h"

/*
 * Reads what there is of the stream, whose names and `trace` are set. Damage is noted.
 * 0; -EPROTO: a newer version; -ENOMEM.
 */
int stream_load(struct stream *stream, struct body *body);
/* After the timeline got its offset: start, end, calls in flight that have ended. 0 or -ENOMEM. */
int stream_finish(struct stream *stream);
/* Before it is freed while the trace stays open. */
void stream_close_files(struct stream *stream);
void stream_release(struct stream *stream);

/* Recorded by the library in the process, not by what looks from outside: the kernel's programs and samplers, which say who they are. */
static inline bool stream_is_from_inside(const struct stream *stream)
{
	return !*metadata_text(&stream->lm, "source");
}

/* Whether chunk `number` of the thread is its tail. */
static inline bool thread_is_tail(const struct thread *thread, uint32_t number)
{
	return thread->tail.count > 0 && number == thread->chunk_count - 1;
}

/* The 64-bit number of a record whose low half is known, near `base`. */
static inline uint64_t sequence_near(uint64_t base, uint32_t low)
{
	return base + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)base);
}

#endif
