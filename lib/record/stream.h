/* SPDX-License-Identifier: MIT */
/*
 * stream.h - the stream files of this process: STREAM.rec and STREAM.lm in the trace directory, or its part of the node's file
 * (aggregate.h), in which what would be in both is.
 *
 * Chunks are appended with one write each, by any thread, without a lock between them: the kernel
 * serialises appends. Where the file is not to be had any more (stream_file.h) the stream stops and what is lost is counted.
 */
#ifndef RECORDER_RECORD_STREAM_H
#define RECORDER_RECORD_STREAM_H

#include <stdbool.h>
#include <sys/stat.h>

#include "format/wire.h"
#include "record/text.h"

/* Opens the trace: directory, names, live directory, metadata. 0 or a negative errno, after which nothing is recorded. */
int stream_open(void);
/* In a forked child: lets go of the parent's files. */
void stream_forked(void);

/* The stream's name, "" before stream_open(). */
const char *stream_name(void);
/* Whether its chunks go into the file of the node, see aggregate.h; those of its LM, too. */
bool stream_is_shared(void);
/* Whether chunks can be written. */
bool stream_is_open(void);

/*
 * Seals `header` (type, encoding, flags, thread, count, times and body sizes are the caller's) and
 * appends it with its body, in one write. 0 or a negative errno: nothing of it counts then.
 */
int stream_append(struct chunk_header *header, const void *body);
/* Appends a META chunk to an LM of this stream: ".lm", or that of a segment. */
int stream_append_meta(const char *suffix, const void *body, size_t size, uint32_t count,
		       bool final);
/* Adds the path of a file of the stream. */
void stream_path(struct textbuf *path, const char *suffix);
/* The .rec is another file from now on, with `size` bytes so far. Nobody appends meanwhile. */
void stream_next_segment(const struct stat *status, uint64_t size);

/* Size of the .rec, 0 if it is not open; in the file of the node what of it is the stream's. */
uint64_t stream_size(void);
/* Bytes of the file system that the .rec is on, and those of them that are free. 0 or a negative errno. */
int stream_space(uint64_t *total, uint64_t *available);
/* Takes back what was appended since the .rec had `size` bytes, the chunk of the thread that begins with this sequence number, if nothing was appended
 * behind it: `now` is what it should have. Nobody appends meanwhile. */
bool stream_take_back(uint64_t size, uint64_t now, uint32_t thread, uint64_t sequence);

/* Bytes and chunks in the .rec so far. */
uint64_t stream_bytes(void);
/* Those that the calling thread has appended. */
uint64_t stream_own_bytes(void);
uint32_t stream_chunks(void);

#endif
