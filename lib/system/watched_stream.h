/* SPDX-License-Identifier: MIT */
/*
 * watched_stream.h - the stream of a process that is recorded from outside: NAME.rec and NAME.lm, as doc/format.md has them, written by who watches it.
 *
 * Records are kept raw, by thread, until there are enough for a chunk; times are CLOCK_MONOTONIC in ns (clock.kind `monotonic`). Files are opened for each chunk, so that thousands of processes can be watched
 * at once. A stream that cannot be written counts what it loses, and goes on trying.
 *
 * Of one thread of execution; errors are negative errnos.
 */
#ifndef RECORDER_SYSTEM_WATCHED_STREAM_H
#define RECORDER_SYSTEM_WATCHED_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "format/defs.h"
#include "format/job.h"
#include "format/reasons.h"
#include "system/watch_place.h"

/* Who a process is in its job. */
struct watched_job {
	struct job_rank rank;
	char world[128]; /* "": no launcher's */
};

/* Of a process that is none of a launcher's. */
extern const struct watched_job watched_nobodys_job;

struct watched_facts {
	const char *source; /* who records it, as its name begins; NULL: `system` */
	uint32_t pid, ppid; /* as it knows them itself */
	uint32_t
		outer; /* its number in the machine's outermost space of process numbers, where nobody else has it; 0: `pid` */
	uint64_t space;  /* of `pid`: its inode number; 0 not known */
	uint64_t parent; /* identity of the stream of who forked it; 0 none */
	uint64_t
		pid_start; /* when the process began, clock ticks since boot, as /proc/PID/stat has it */
	uint64_t start;         /* the same, or when it was met, on CLOCK_MONOTONIC */
	struct watched_job job; /* of what it came from */
	bool main;              /* the first process of its place in the job */
};

struct watched_stream;

/* Its identity. */
uint64_t watched_stream_id(const struct watched_stream *stream);

/* NULL: out of memory. No file is made before there is something to write. `place` must outlive it. */
struct watched_stream *watched_stream_new(const struct watch_place *place,
					  const struct watched_facts *facts);
/* Writes what is left and how and when the process ended (`end_reason`; NULL: nobody saw it end. `when`: CLOCK_MONOTONIC, ns; 0: now), and frees it. */
void watched_stream_end(struct watched_stream *stream, const char *end_reason, int status,
			uint64_t when);

/* Who it is in its job, and whether it is the first process there, until the first chunk is written. */
void watched_stream_job(struct watched_stream *stream, const struct watched_job *job, bool main);
/* A text of the process's metadata, the last one of a key counts: exe, mounts. */
void watched_stream_describe(struct watched_stream *stream, const char *key, const void *bytes,
			     size_t size);
/* Its program's arguments, with a zero behind each; secrets in them are masked in place, as the place asks for. */
void watched_stream_arguments(struct watched_stream *stream, char *strings, size_t size);

/* A thread begins; its index in the stream, -ENOMEM if there is no memory. `name` may be NULL. */
int64_t watched_stream_thread(struct watched_stream *stream, uint32_t tid, uint64_t start,
			      const char *name);

/* It has another name from now on. */
void watched_stream_rename(struct watched_stream *stream, uint32_t thread, const char *name);

/* Adds a definition, made by a def_..._pack(). */
int watched_stream_define(struct watched_stream *stream, enum def_type type, const void *payload,
			  size_t size);
/* Whether watched_stream_function() was told of it, which comes with its definition. */
bool watched_stream_knows(const struct watched_stream *stream, uint16_t function);

/* Classes of a function's result and arguments, for the encoder. */
struct watched_function {
	uint8_t result_class;
	uint8_t arg_count;
	uint8_t arg_classes[RECORD_MAX_ARGS];
};
void watched_stream_function(struct watched_stream *stream, uint16_t id,
			     const struct watched_function *function);

/* Adds a record of the thread; its sequence number is set here. Records of a thread come roughly in the order of their ends: those of a chunk are put into that order. */
int watched_stream_add(struct watched_stream *stream, uint32_t thread, struct raw_record *record);
/* When the thread's last record ended, or the thread began. */
uint64_t watched_stream_last(const struct watched_stream *stream, uint32_t thread);
/* So many records of the thread were lost before its next one. */
void watched_stream_lost(struct watched_stream *stream, uint32_t thread, uint64_t count,
			 enum loss_reason reason);
/* Writes what is older than the time. */
void watched_stream_flush(struct watched_stream *stream, uint64_t older_than);

#endif
