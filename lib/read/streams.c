/* SPDX-License-Identifier: MIT */
/* streams.c - see streams.h */
#include "read/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/raw.h"
#include "read/alignment.h"
#include "read/chunk_reader.h"
#include "read/losses.h"
#include "read/new_segments.h"
#include "read/scan.h"
#include "read/segments.h"
#include "read/snapshot.h"
#include "read/stream_metadata.h"
#include "read/symbols.h"
#include "read/threads.h"

#define TRIES 100 /* to find the files of a process that closes segments meanwhile */

/* ---- loading ---- */

static int64_t lm_size(const struct stream *stream)
{
	struct stat status;

	if (stream->trace->files.packed)
		return 0;
	if (stream->newest.rec.part)
		return (int64_t)nodes_find(&stream->trace->nodes, stream->newest.lm_name)->size;
	return fstatat(stream->trace->dir_fd, stream->newest.lm_name, &status,
		       AT_SYMLINK_NOFOLLOW) == 0
		       ? status.st_size
		       : -1;
}

static bool lm_has_changed(const struct stream *stream)
{
	return stream->lm_ok && stream->newest.lm_name && lm_size(stream) != stream->lm_size;
}

static int load_newest_lm(struct stream *stream)
{
	struct file_header header;
	int error;

	if (!stream->newest.lm_name) {
		problem(stream->trace, "%s/%s.lm: is missing", stream->trace->dir, stream->name);
		return 0;
	}
	stream->lm_size = lm_size(stream);
	error = metadata_load(&stream->lm, stream->trace, stream->newest.lm_name, FILE_LOCAL,
			      &stream->pool, &header);
	if (error == -ENOMEM)
		return error;
	if (error) {
		problem(stream->trace, "%s", reader_error(stream->trace));
		stream->newer |= error == -EPROTO;
		return 0;
	}
	stream->lm_ok = stream->lm.count > 0;
	stream->id = metadata_u64(&stream->lm, "segment.of", header.stream_id);
	stream->final = stream->lm.final;
	return 0;
}

static int load_lm(struct stream *stream)
{
	int error = load_newest_lm(stream);

	return error ? error : segments_take_metadata(stream);
}

static bool is_alive(const struct stream *stream)
{
	struct life_claim claim = {
		.boot_id = metadata_text(&stream->lm, "boot.id"),
		.host = metadata_text(&stream->lm, "host"),
		.pid_ns = metadata_u64(&stream->lm, "pid.ns", 0),
		.pid_start = metadata_u64(&stream->lm, "pid.start", 0),
		.pid = (uint32_t)metadata_u64(&stream->lm, "pid", 0),
	};
	enum life life = life_of(&stream->trace->here, &claim);

	return life == LIFE_RUNS || life == LIFE_DIES;
}

static int scan_rec(struct stream *stream, uint32_t number, struct body *body, bool killed)
{
	bool growing = stream->alive && !stream->final;
	const struct segment *segment = stream_segment(stream, number);
	int error = segment->rec_name ? scan_segment(stream, number, body, growing, killed) : 0;

	if (error == -ENOMEM || !error)
		return error;
	if (error == -ENOENT && number > 0 && stream->alive)
		return 0; /* its process has removed it to make room */
	problem(stream->trace, "%s", reader_error(stream->trace));
	stream->newer |= error == -EPROTO;
	return 0;
}

/* The oldest first, the newest in the end. */
static int scan_all(struct stream *stream, struct body *body, bool killed)
{
	int error = 0;

	for (uint32_t i = 1; i <= stream->closed_count && !error; i++)
		error = scan_rec(stream, i, body, killed);
	return error ? error : scan_rec(stream, 0, body, killed);
}

static int load_live_definitions(struct stream *stream, const struct snapshot *snapshot)
{
	char name[256];
	uint32_t count;
	int error;

	if (!snapshot->has_arena)
		return 0;
	snprintf(name, sizeof(name), "%s.defs", stream->live_name);
	error = definitions_load(&stream->defs, stream->trace,
				 bytes_of(snapshot->defs, snapshot->defs_size), name,
				 LIVE_HEADER_SIZE,
				 stream->alive ? DEFINITIONS_OF_RUNNING : DEFINITIONS_OF_DEAD,
				 UINT64_MAX, &count);
	if (!error)
		error = timeline_anchor(&stream->timeline, &snapshot->anchor);
	stream->death = (int64_t)snapshot->death;
	if (!error && snapshot->lost > 0)
		error = stream_add_loss_of(stream, snapshot->lost_reason, snapshot->lost);
	return error;
}

static void init_segments(struct stream *stream)
{
	const struct node_part *part;

	stream->bytes = 0;
	for (uint32_t i = 0; i <= stream->closed_count; i++)
		segment_init(stream, stream_segment(stream, i));
	part = stream->newest.rec.part;
	stream->live_name = part ? part->stream->live_name : stream->name;
}

void stream_close_files(struct stream *stream)
{
	for (uint32_t i = 0; i <= stream->closed_count; i++)
		file_close(&stream->trace->files, &stream_segment(stream, i)->rec);
}

/*
 * Rings first, then definitions, then the .rec: a record that moves from its ring into the .rec
 * meanwhile is seen twice, never not at all. The newest .rec is the one that was opened before the rings were copied, whatever its
 * name is by now, and all before it are closed ones. A process that ended meanwhile has put everything into
 * the .rec, and says so in its .lm. -EAGAIN: it closed that .rec before the rings were copied, or others followed until its end.
 */
static int load_files(struct stream *stream, struct snapshot *snapshot, struct body *body)
{
	const struct tracefiles *files = &stream->trace->files;
	const char *live_dir;
	int error = load_lm(stream);

	if (error)
		return error;
	live_dir = metadata_text(&stream->lm, "live.dir");
	stream->alive = !stream->final && is_alive(stream);
	if (stream->alive)
		error = segments_find_closed(stream);
	if (!error && !stream->final && *live_dir && !stream->trace->ignore_live)
		error = snapshot_take(snapshot, stream, live_dir);
	if (!error && file_is_renamed(files, &stream->newest.rec))
		return -EAGAIN;
	if (!error)
		error = scan_all(stream, body, !stream->alive && snapshot->has_arena);
	if (error || stream->final || !lm_has_changed(stream))
		return error;
	error = load_lm(stream);
	if (error || !stream->final)
		return error;
	return file_is_renamed(files, &stream->newest.rec) ? -EAGAIN
							   : scan_rec(stream, 0, body, false);
}

/* Forgets all but which files there are. */
static void begin_anew(struct stream *stream)
{
	struct stream files = {
		.trace = stream->trace,
		.name = stream->name,
		.newest = stream->newest,
		.closed = stream->closed,
		.closed_count = stream->closed_count,
		.closed_capacity = stream->closed_capacity,
	};

	stream_close_files(stream);
	stream->closed = NULL;
	stream_release(stream);
	*stream = files;
}

/* Opens the newest .rec, so that it stays what it is. A .rec that cannot be opened is told of when it is read. */
static void hold_newest(struct stream *stream)
{
	if (stream->newest.rec_name)
		file_size(&stream->trace->files, &stream->newest.rec);
}

static int load_whole(struct stream *stream, struct snapshot *snapshot, struct body *body)
{
	int error;

	for (unsigned i = 0;; i++) {
		init_segments(stream);
		hold_newest(stream);
		error = load_files(stream, snapshot, body);
		if (error != -EAGAIN || i == TRIES)
			break;
		error = segments_find_new(stream);
		if (error)
			return error;
		snapshot_release(snapshot);
		*snapshot = (struct snapshot){0};
		begin_anew(stream);
	}
	/* one that closes them faster than they can be found is taken as it is */
	return error == -EAGAIN ? scan_all(stream, body, false) : error;
}

int stream_load(struct stream *stream, struct body *body)
{
	struct snapshot snapshot = {0};
	int error = load_whole(stream, &snapshot, body);

	if (!error)
		error = segments_add_counts(stream);

	stream_set_identity(stream);
	if (!error)
		error = stream_set_argv(stream);
	if (!error)
		error = symbols_load(&stream->symbols, &stream->lm, &stream->pool);
	if (!error)
		error = load_live_definitions(stream, &snapshot);
	if (!error)
		error = definitions_finish(&stream->defs);
	if (!error)
		error = threads_load(stream, &snapshot);
	if (!error)
		error = stream_set_timeline(stream);
	if (!error)
		error = stream_finish_losses(stream);
	if (!error)
		error = stream_set_state(stream);
	snapshot_release(&snapshot);
	return error;
}

/* ---- after all streams are there ---- */

/* The innermost call may have been stored already, and not yet been taken off the stack. */
static bool has_ended(const struct thread *thread, const struct raw_record *call,
		      struct chunk_reader *chunks)
{
	const struct raw_record *record, *last = NULL;
	uint32_t number = thread->chunk_count;

	if (number == 0 || chunk_reader_open(chunks, thread, number - 1, NULL))
		return false;
	while ((record = chunk_reader_next(chunks)))
		last = record;
	return last && last->level == call->level &&
	       (last->tstart == call->tstart || (last->repeat > 1 && call->tstart < last->tend));
}

static int drop_ended(struct thread *thread, struct chunk_reader *chunks)
{
	struct bytes data = bytes_of(thread->open.records, thread->open.size);
	const struct raw_record *record, *innermost = NULL;

	while (raw_next(&data, &record))
		innermost = record;
	if (innermost && has_ended(thread, innermost, chunks)) {
		thread->open.size -= innermost->size;
		thread->open.count--;
	}
	return 0;
}

/* The last instant, and how many records have times that were made up. */
static void note_times(struct stream *stream)
{
	stream->last_ticks = metadata_u64(&stream->lm, "filter.last", 0);
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		struct thread *thread = &stream->threads[i];
		struct bytes open = bytes_of(thread->open.records, thread->open.size);
		const struct raw_record *record;

		for (uint32_t k = 0; k < thread->chunk_count; k++) {
			const struct chunk *chunk = &thread->chunks[k];

			if (chunk->t_max > stream->last_ticks)
				stream->last_ticks = chunk->t_max;
			if (chunk_is_summed(chunk))
				stream->summed += chunk->count - chunk->skip;
		}
		while (raw_next(&open, &record)) {
			if (record->tstart > stream->last_ticks)
				stream->last_ticks = record->tstart;
		}
		stream->in_flight += thread->open.count;
	}
}

/*
 * Records that stand for several calls are rare enough to look for only where a header announces
 * them.
 */
static void count_calls(struct stream *stream, struct chunk_reader *chunks)
{
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		struct thread *thread = &stream->threads[i];

		thread->calls += thread->stored;
		for (uint32_t k = 0; k < thread->chunk_count; k++) {
			const struct raw_record *record;

			if (!(thread->chunks[k].flags & CHUNK_REPEATS) ||
			    chunk_reader_open(chunks, thread, k, NULL))
				continue;
			while ((record = chunk_reader_next(chunks)))
				thread->calls += record->repeat - 1;
		}
		stream->calls += thread->calls;
	}
}

int stream_finish(struct stream *stream)
{
	struct chunk_reader *chunks = chunk_reader_new(stream->trace);
	uint64_t begin;
	int64_t end;

	if (!chunks)
		return -ENOMEM;
	for (uint32_t i = 0; i < stream->thread_count; i++)
		drop_ended(&stream->threads[i], chunks);
	count_calls(stream, chunks);
	chunk_reader_free(chunks);
	note_times(stream);
	stream->main_begin = metadata_u64(&stream->lm, "main.begin", 0);
	stream->main_end = metadata_u64(&stream->lm, "main.end", UINT64_MAX);
	begin = metadata_u64(&stream->lm, "fork.ticks", stream->first_anchor.ticks);
	stream->start = begin ? timeline_ns(&stream->timeline, begin) : 0;
	stream->end = stream->last_ticks ? timeline_ns(&stream->timeline, stream->last_ticks)
					 : stream->start;
	end = metadata_i64(&stream->lm, "end.time", stream->death > 0 ? stream->death : INT64_MIN);
	if (end == INT64_MIN || stream->trace->unverified_clock)
		return 0;
	stream->end_known = true;
	if (__builtin_sub_overflow(end, stream->machine->to_real, &end))
		return 0;
	end = timeline_ns_of_mono(&stream->timeline, end);
	if (end > stream->end && end < TIMELINE_MAX)
		stream->end = end;
	return 0;
}

void stream_release(struct stream *stream)
{
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		free(stream->threads[i].chunks);
		free(stream->threads[i].carriers);
		free(stream->threads[i].reach);
		free(stream->threads[i].tail.records);
		free(stream->threads[i].open.records);
	}
	free(stream->threads);
	index_release(&stream->thread_index);
	free(stream->ends);
	free(stream->losses);
	free(stream->closed);
	free(stream->repeated);
	metadata_release(&stream->lm);
	timeline_release(&stream->timeline);
	definitions_release(&stream->defs);
	pool_release(&stream->pool);
}
