/* SPDX-License-Identifier: MIT */
/*
 * trace.h - an open trace: what all parts of libreader share.
 *
 *	struct reader ──> streams[] ──> threads[] ──> chunks[]   headers; bodies when needed
 *	      │               │             └──> tail            records that are still in a ring
 *	      │               ├──> LM metadata, clock, definitions
 *	      │               └──> files: the newest, and segments that were closed
 *	      ├──> GM metadata
 *	      └──> functions, of all streams together
 *
 * Everything is made by reader_open() and stays as it is, so that several threads can read; what
 * changes later (problems, open descriptors, what turned out unreadable) has a lock.
 */
#ifndef RECORDER_READ_TRACE_H
#define RECORDER_READ_TRACE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

#include "format/wire.h"
#include "read/timeline.h"
#include "read/definitions.h"
#include "read/tracefiles.h"
#include "read/functions.h"
#include "read/life.h"
#include "read/metafile.h"
#include "read/nodefile.h"
#include "read/pool.h"
#include "read/problem.h"
#include "read/raw_buffer.h"

/* A DATA chunk, from its header. */
struct chunk {
	uint64_t offset; /* of the header in the file */
	uint64_t first_sequence;
	uint64_t t_base, t_min, t_max;
	uint32_t body_size, plain_size;
	uint32_t body_crc;
	uint32_t thread; /* index in the stream */
	uint32_t count;
	uint32_t lost;
	uint64_t lost_before; /* in LOST chunks of the thread since its last chunk */
	const uint8_t *held;  /* its body, if it is in no file */
	uint32_t
		whole; /* a window of a loop: records of all its windows; 0: it is all of its chunk */
	uint32_t window;     /* its number */
	uint32_t skip;       /* records at the begin that an earlier chunk has */
	uint32_t carry_rank; /* place among the thread's chunks with carried records, by t_min */
	uint32_t segment;    /* the file that it lies in, as stream_segment() takes it */
	uint16_t carried;
	uint8_t encoding;
	uint8_t flags;
	uint8_t lost_reason;      /* of `lost` */
	_Atomic uint8_t reported; /* as damaged */
};

struct thread {
	struct stream *stream;
	uint32_t index; /* in the stream, as the format counts */
	uint32_t tid;
	uint32_t flags;       /* enum thread_flag */
	uint64_t start_ticks; /* 0 unknown */
	const char *name;
	uint32_t start_module; /* of the function it was started with, 0 unknown */
	uint64_t start_offset;
	struct chunk *chunks; /* by sequence; the last one stands for the tail if there is one */
	uint32_t chunk_count, chunk_capacity;
	uint32_t *carriers; /* numbers of chunks with carried records, by t_min */
	uint32_t *reach;    /* of each carrier: the highest number of it and those before it */
	uint32_t carrier_count;
	struct raw_buffer tail; /* records that lie in no chunk of the file: from its rings */
	struct raw_buffer open; /* calls in flight, outermost first */
	uint64_t stored, calls, lost;
	uint64_t damaged;          /* records in chunks that were not whole */
	uint64_t damaged_end;      /* number after the last of them */
	uint64_t lost_before_next; /* while scanning: in LOST chunks since the last DATA chunk */
};

/* The two files of a stream, or of a part of it (segments.h). */
struct segment {
	const char *name;               /* of the files */
	const char *rec_name, *lm_name; /* NULL: there is none */
	uint32_t number;                /* that the name ends with, from 1; 0: with none */
	struct file rec;
	bool rec_ok;                    /* its file header is right */
	uint64_t rec_size;              /* as far as it was scanned */
	uint64_t scanned, scanned_lost; /* records of its chunks so far */
	uint32_t defs;                  /* DEFS chunks so far */
};

/* A DEFS chunk, as far as the same one can be told from others. */
struct defs_chunk {
	uint32_t body_size, plain_size, crc, count;
};

/* An END chunk. */
struct end_place {
	uint64_t offset;
	uint64_t stored, lost; /* records, as the chunks before it in its file say */
	uint32_t segment;
};

struct loss {
	const char *reason;
	uint64_t count;
};

#define AT_FDCWD_VALUE (-100) /* AT_FDCWD, whatever this machine says */

struct stream {
	struct reader *trace;
	const char *name;        /* of its files; of the newest ones */
	const char *live_name;   /* of its live files */
	struct segment newest;   /* the files that it wrote last, or still does */
	struct segment **closed; /* those before them, oldest first */
	uint32_t closed_count, closed_capacity;
	struct defs_chunk *repeated; /* by number in each of these files: what was read already */
	uint32_t repeated_count, repeated_capacity;
	uint32_t number;
	int64_t lm_size; /* when it was read */
	bool lm_ok;      /* there is something in it, or closed segments tell */
	bool lm_closed;  /* who the process is, the LM of a closed segment tells alone */
	uint64_t id, parent;
	int32_t world, rank, size;
	int64_t death;  /* as its launcher saw it, Unix ns; 0 unknown */
	bool end_known; /* `end` is when the process ended, not its last sign of life */
	const char *rank_source;
	bool main;
	uint32_t pid, ppid, image;
	uint64_t pid_start;
	uint64_t pid_ns; /* the space of `pid`; 0 not known */
	uint32_t
		outer_pid; /* in the outermost space of the machine; `pid` where that is not known to be another one */
	const char *host, *boot_id, *exe, *argv, *cwd;
	bool aside;  /* not to be counted beside the others, reader.h */
	bool beside; /* of no job, though others are */
	const char *
		beneath; /* numbers of the streams of its process that it lies beneath, as a list; NULL: it does not */
	enum reader_stream_state state;
	const char *reason;
	bool final;                    /* the LM was completed */
	bool alive;                    /* the process is, on this machine */
	bool newer;                    /* a file has a newer format */
	struct anchor first_anchor;    /* ticks 0: none */
	uint64_t main_begin, main_end; /* ticks; 0 and UINT64_MAX: not known */
	int64_t exit_status;
	uint32_t chunk_count; /* of all types */
	uint64_t bytes;
	struct metadata lm;
	struct timeline timeline;
	const struct machine *machine; /* whose clock that is (alignment.h) */
	struct stream *sibling;        /* another one of the machine */
	const struct symbols *symbols; /* NULL: the usual ones */
	struct definitions defs;
	struct thread *threads; /* by index, once all are known */
	uint32_t thread_count, thread_capacity;
	struct index thread_index; /* of them by index, while they are found */
	struct end_place *ends;
	uint32_t end_count, end_capacity;
	struct loss *losses;
	uint32_t loss_count;
	uint64_t lost;
	uint64_t missing;            /* part of lost: gaps in the sequence numbers */
	_Atomic uint64_t unreadable; /* records of damaged chunks */
	uint64_t torn; /* part of unreadable: in chunks not whole, and so not in `stored` */
	uint64_t stored, calls, in_flight;
	uint64_t summed;                   /* stored ones with summed times */
	uint64_t last_ticks;               /* the last time known */
	bool unknown_chunks, unknown_defs; /* noted once */
	int64_t start, end;                /* ns since the trace's start */
	struct pool pool;
};

struct reader {
	const char *dir;
	int dir_fd;
	bool ignore_live;
	bool has_gm, gm_whole; /* nothing in it is damaged */
	const char *run_id;
	unsigned format_major, format_minor;
	struct problems problems;
	struct tracefiles files;
	struct nodes nodes; /* the files of nodes */
	struct metadata gm;
	struct functions functions;
	struct stream **streams; /* by world, rank, start */
	unsigned stream_count, stream_capacity;
	unsigned left_out; /* streams behind them of which a filter has left metadata alone */
	void (*progress)(void *data, enum reader_work work, uint64_t done, uint64_t all);
	void *progress_data;
	unsigned worlds, ranks;
	bool unverified_clock;
	struct machine *machines; /* by boot id */
	unsigned machine_count;
	bool all_there; /* ranks of all worlds, and streams that recorder.gm tells of; those that are left out too */
	uint64_t missing_streams;
	bool complete;
	bool has_beneath; /* any of the streams lies beneath others */
	int64_t start;    /* Unix ns of time 0 */
	struct life_view here;
	struct pool pool;
};

/* Whether the times of its records are made up. */
static inline bool chunk_is_summed(const struct chunk *chunk)
{
	return chunk->encoding >= DATA_SUMMED || chunk->flags & CHUNK_SUMMED;
}

/* The files of number 0, the newest, or of a closed one from 1. */
static inline struct segment *stream_segment(struct stream *stream, uint32_t number)
{
	return number ? stream->closed[number - 1] : &stream->newest;
}

/* As its .rec is called in messages. */
static inline const char *segment_file(const struct segment *segment)
{
	return segment->rec_name ? segment->rec_name : segment->name;
}

/* NULL: there is none of that number. */
static inline const struct stream *stream_at(const struct reader *trace, unsigned index)
{
	return index < trace->stream_count ? trace->streams[index] : NULL;
}

#endif
