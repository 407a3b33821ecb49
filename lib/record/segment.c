/* SPDX-License-Identifier: MIT */
/* segment.c - closing stream files and beginning new ones. */
#include "record/segment.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>

#include "format/chunk.h"
#include "record/arena.h"
#include "record/batch.h"
#include "record/bulk.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/errand.h"
#include "record/identity.h"
#include "record/loss.h"
#include "record/metadata.h"
#include "record/quiet_write.h"
#include "record/scratch.h"
#include "record/seal.h"
#include "record/signals.h"
#include "record/stream.h"
#include "record/stream_file.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/text.h"
#include "record/thread.h"

#define PATIENCE 2000 /* yields, until others are out */
#define SUFFIX_MAX 24
#define PUT_OFF 100000000 /* ns: a turn that could not be made is tried again after this */

static _Atomic uint32_t inside; /* threads that append */
static atomic_bool turning;     /* nobody may enter */
static bool stopped;

static struct {
	uint32_t number;      /* of the open segment, from 1; 0: not begun */
	uint64_t definitions; /* bytes that it began with */
	int64_t next;         /* CLOCK_MONOTONIC: no turn before */
	int64_t deadline;     /* RECORDER_ROTATE as time */
	uint64_t records[CONFIG_KEEP_MAX +
			 1]; /* of closed segments that are there, by number modulo */
} segment;

static bool rotates(void)
{
	return config.rotate_size || config.rotate_time;
}

void segment_enter(void)
{
	if (thread_task()->appending++)
		return;
	for (;;) {
		atomic_fetch_add(&inside, 1);
		if (!atomic_load(&turning))
			return;
		atomic_fetch_sub(&inside, 1);
		sys_sched_yield();
	}
}

static int64_t now(void)
{
	return clock_anchor().mono;
}

static void begin(uint32_t number, uint64_t definitions)
{
	segment.number = number;
	segment.definitions = definitions;
	segment.next = 0;
	segment.deadline = now() + (int64_t)config.rotate_time;
}

static bool is_due(void)
{
	uint64_t bytes = stream_bytes();

	if (segment.number == 0)
		begin(1, sizeof(struct file_header));
	/* paths of files alone are more than the stack of a signal handler may have */
	if (stopped || arena_stored() == 0 || batch_on_alternate_stack())
		return false;
	if (config.rotate_size ? bytes - segment.definitions < config.rotate_size
			       : now() < segment.deadline)
		return false;
	return segment.next == 0 || now() >= segment.next;
}

/* "-s7.lm"; without a number ".lm" */
static const char *suffix_of(char suffix[SUFFIX_MAX], uint32_t number, const char *ending)
{
	struct textbuf text = text_in(suffix, SUFFIX_MAX);

	if (number) {
		text_add(&text, "-s");
		text_add_u64(&text, number);
	}
	text_add(&text, ending);
	return suffix;
}

struct path {
	char text[PATH_MAX];
};

static const char *path_of(struct path *path, uint32_t number, const char *ending)
{
	struct textbuf text = text_in(path->text, sizeof(path->text));
	char suffix[SUFFIX_MAX];

	stream_path(&text, suffix_of(suffix, number, ending));
	return path->text;
}

static uint64_t segment_id(uint32_t number)
{
	uint64_t parts[2] = {identity.stream_id, number};

	return text_hash(parts, sizeof(parts), 0) | 1;
}

/* A turn: what is made. Of whoever has `turning`: paths are too long for the stacks of programs. */
static struct turn {
	uint32_t number; /* of the segment that is closed */
	uint8_t *buffer; /* arena_flush_size() bytes */
	struct path from, to, aside;
	uint64_t definitions; /* bytes that the new file begins with */
	struct stat status;   /* of it */
} current BULK;

static int create(const char *path, enum file_kind kind, uint64_t id)
{
	int fd = sys_create(path, O_RDWR, config.traces_mode);
	int error = fd < 0 ? fd : stream_write_header(fd, kind, id);

	if (!error)
		return fd;
	if (fd >= 0)
		sys_close(fd);
	return error;
}

/* The LM that the process has so far becomes the begin of the closed segment's. */
static int copy_local(struct turn *turn)
{
	int from = sys_open(path_of(&turn->from, 0, ".lm"), O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
	int to = from < 0 ? from
			  : create(path_of(&turn->to, turn->number, ".lm"), FILE_LOCAL,
				   segment_id(turn->number));
	int64_t at = sizeof(struct file_header);
	long size = 1;

	while (to >= 0 && size > 0) {
		size = sys_pread(from, turn->buffer, arena_flush_size(), at);
		if (size > 0 && quiet_write(to, turn->buffer, (size_t)size) != size)
			size = -ENOSPC;
		at += size;
	}
	if (from >= 0)
		sys_close(from);
	if (to < 0)
		return to;
	sys_close(to);
	return (int)size;
}

/* Appends the chunk of `header`, which lies at `at` of `from`, if it holds definitions. */
static int copy_chunk(struct turn *turn, int from, int to, const struct chunk_header *header,
		      int64_t at)
{
	struct iovec parts[2] = {{(void *)header, sizeof(*header)},
				 {turn->buffer, header->body_size}};
	long size = (long)(sizeof(*header) + header->body_size);

	if (header->type != CHUNK_DEFS)
		return 0;
	if (header->body_size > arena_flush_size() ||
	    sys_pread(from, turn->buffer, header->body_size, at + (int64_t)sizeof(*header)) !=
		    (long)header->body_size)
		return -EIO;
	turn->definitions += (uint64_t)size;
	return write_error(quiet_writev(to, parts, 2), size);
}

static int copy_definitions(struct turn *turn, int from, int to)
{
	int64_t at = sizeof(struct file_header);
	struct chunk_header header;
	int error = 0;

	while (!error && sys_pread(from, &header, sizeof(header), at) == sizeof(header)) {
		if (chunk_header_check(&header))
			return -EIO;
		error = copy_chunk(turn, from, to, &header, at);
		at += (int64_t)(sizeof(header) + header.body_size);
	}
	return error;
}

/* The new file, with its definitions, under the name that the old one will have. */
static int make_file(struct turn *turn)
{
	int from = sys_open(path_of(&turn->from, 0, ".rec"), O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
	int to = from < 0 ? from
			  : create(path_of(&turn->to, turn->number, ".rec"), FILE_STREAM,
				   identity.stream_id);
	int error = to;

	if (to >= 0) {
		turn->definitions = sizeof(struct file_header);
		error = copy_definitions(turn, from, to);
		if (!error)
			error = sys_fstat(to, &turn->status);
		sys_close(to);
	}
	if (from >= 0)
		sys_close(from);
	return error;
}

/* Lets both files change their names; where the file system cannot do it at once, one after the other. */
static int exchange(struct turn *turn)
{
	const char *open = path_of(&turn->from, 0, ".rec");
	const char *closed = path_of(&turn->to, turn->number, ".rec");
	const char *aside;
	int error = sys_rename(open, closed, SYS_RENAME_EXCHANGE);

	if (!error)
		return 0;
	aside = path_of(&turn->aside, turn->number, ".new");
	error = sys_rename(closed, aside, 0);
	if (!error)
		error = sys_rename(open, closed, 0);
	return error ? error : sys_rename(aside, open, 0);
}

static void remove_segment(struct turn *turn, uint32_t number)
{
	sys_unlink(path_of(&turn->aside, number, ".rec"));
	sys_unlink(path_of(&turn->aside, number, ".lm"));
}

static int change_files(void *data)
{
	struct turn *turn = data;
	char suffix[SUFFIX_MAX];
	int error = copy_local(turn);

	test_point("segment-copied");
	if (!error)
		error = metadata_write_segment(suffix_of(suffix, turn->number, ".lm"),
					       turn->number);
	if (!error)
		error = make_file(turn);
	test_point("segment-made");
	if (!error)
		error = exchange(turn);
	if (error)
		remove_segment(turn, turn->number);
	test_point("segment-exchanged");
	return error;
}

/* More segments than wanted: the oldest goes, and its records with it. */
static void drop_oldest(struct turn *turn)
{
	uint32_t keep = (uint32_t)config.keep, closed = turn->number, oldest = closed - keep;

	if (!keep || closed <= keep)
		return;
	remove_segment(turn, oldest);
	loss_count(LOSS_ROTATED, segment.records[oldest % (CONFIG_KEEP_MAX + 1)]);
}

static void turn_segment(uint8_t *buffer)
{
	struct turn *turn = &current;
	char suffix[SUFFIX_MAX];

	turn->number = segment.number;
	turn->buffer = buffer;
	seal_write_end();
	if (errand_run(change_files, turn)) {
		segment.next = now() + PUT_OFF;
		return;
	}
	segment.records[turn->number % (CONFIG_KEEP_MAX + 1)] = arena_stored();
	metadata_write_segment_end(suffix_of(suffix, turn->number, ".lm"));
	seal_next_segment();
	stream_next_segment(&turn->status, turn->definitions);
	test_point("segment-turned");
	begin(turn->number + 1, turn->definitions);
	drop_oldest(turn);
}

/* Nobody else is inside, and nobody enters. */
static bool is_alone(void)
{
	for (unsigned i = 0; i < PATIENCE; i++) {
		if (atomic_load(&inside) == 0)
			return true;
		sys_sched_yield();
	}
	return false;
}

/* One thread at a time gets here. */
static void try_turn(void)
{
	struct scratch *scratch = scratch_take(arena_flush_size());

	if (scratch && is_alone())
		turn_segment(scratch->free);
	else
		segment.next = now() + PUT_OFF;
	if (scratch)
		scratch_give(scratch);
}

void segment_leave(void)
{
	uint64_t blocked;

	if (--thread_task()->appending)
		return;
	atomic_fetch_sub(&inside, 1);
	if (!rotates())
		return;
	blocked = signals_block();
	if (!atomic_exchange(&turning, true)) {
		if (is_due())
			try_turn();
		atomic_store(&turning, false);
	}
	signals_restore(blocked);
}

bool segment_alone(bool (*work)(void *data), void *data)
{
	uint64_t blocked = signals_block();
	bool done;

	while (atomic_exchange(&turning, true))
		sys_sched_yield();
	done = is_alone() && work(data);
	atomic_store(&turning, false);
	signals_restore(blocked);
	return done;
}

void segment_stop(bool stop)
{
	if (!rotates())
		return;
	while (atomic_exchange(&turning, true))
		sys_sched_yield();
	stopped = stop;
	atomic_store(&turning, false);
}

void segment_forked(void)
{
	atomic_store(&inside, 0);
	atomic_store(&turning, false);
	thread_task()->appending = 0;
	stopped = false;
	segment.number = 0;
}
