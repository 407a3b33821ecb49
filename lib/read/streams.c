/* SPDX-License-Identifier: MIT */
/* streams.c - see streams.h */
#include "read/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/raw.h"
#include "read/chunk_reader.h"
#include "read/scan.h"
#include "read/snapshot.h"

/* ---- chunks in order ---- */

static int by_sequence(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->first_sequence != y->first_sequence)
		return x->first_sequence < y->first_sequence ? -1 : 1;
	return x->offset < y->offset ? -1 : 1;
}

/*
 * A gap in the numbers: what was in a damaged chunk is unreadable, what is not accounted for is
 * missing.
 */
static int note_gap(struct thread *thread, uint64_t gap, uint64_t offset)
{
	struct stream *stream = thread->stream;
	uint64_t damaged = gap < thread->damaged ? gap : thread->damaged;

	thread->damaged -= damaged;
	stream->unreadable += damaged;
	stream->torn += damaged;
	gap -= damaged;
	if (gap == 0)
		return 0;
	problem(stream->trace,
		"%s/%s: offset %llu: %llu records of thread %u before this are missing",
		stream->trace->dir, stream->rec_name ? stream->rec_name : stream->name,
		(unsigned long long)offset, (unsigned long long)gap, thread->index);
	thread->lost += gap;
	stream->missing += gap;
	return stream_add_loss(stream, "missing", strlen("missing"), gap);
}

/*
 * Whether the chunk kept last, whose numbers another chunk has too, can be read. If not, the other
 * one is the same written again, or its header is false.
 */
static bool can_be_read(struct thread *thread, uint32_t number)
{
	struct chunk_reader *chunks = chunk_reader_new(thread->stream->trace);
	bool sound = chunks && chunk_reader_open(chunks, thread, number, NULL) != -EBADMSG;

	chunk_reader_free(chunks);
	return sound;
}

/* Drops the chunk kept last, which cannot be read, from what is stored. */
static void drop_last(struct thread *thread, uint32_t number, uint64_t *expected)
{
	struct chunk *chunk = &thread->chunks[number];
	uint32_t count = chunk->count - chunk->skip;

	thread->stored -= count;
	thread->damaged += count;
	thread->stream->unreadable -= count;
	*expected = chunk->first_sequence + chunk->skip;
}

/*
 * Drops what is there twice and looks for what is missing. `expected` becomes the number after
 * the last record.
 */
static int order_chunks(struct thread *thread, uint64_t *expected)
{
	struct stream *stream = thread->stream;
	uint32_t kept = 0;
	int error;

	*expected = 0;
	if (thread->chunk_count > 0)
		qsort(thread->chunks, thread->chunk_count, sizeof(*thread->chunks), by_sequence);
	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		struct chunk *chunk = &thread->chunks[i];
		uint64_t end = chunk->first_sequence + chunk->count, gap = 0, explained;

		if (kept > 0 && chunk->first_sequence < *expected && !can_be_read(thread, kept - 1))
			drop_last(thread, --kept, expected);
		if (end < chunk->first_sequence || end <= *expected)
			continue;
		if (chunk->first_sequence < *expected) {
			problem(stream->trace, "%s/%s: offset %llu: chunk repeats %llu records",
				stream->trace->dir, stream->rec_name,
				(unsigned long long)chunk->offset,
				(unsigned long long)(*expected - chunk->first_sequence));
			chunk->skip = (uint32_t)(*expected - chunk->first_sequence);
		} else {
			gap = chunk->first_sequence - *expected;
		}
		explained = chunk->lost + chunk->lost_before;
		error = gap > explained ? note_gap(thread, gap - explained, chunk->offset) : 0;
		if (!error && chunk->lost > 0)
			error = stream_add_loss(stream, "other", strlen("other"), chunk->lost);
		if (error)
			return error;
		thread->lost += chunk->lost;
		thread->stored += chunk->count - chunk->skip;
		*expected = end;
		thread->chunks[kept++] = *chunk;
	}
	thread->chunk_count = kept;
	return 0;
}

/* ---- rings ---- */

static int by_first_sequence(const void *a, const void *b)
{
	const struct ring_copy *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->first_sequence != y->first_sequence)
		return x->first_sequence < y->first_sequence ? -1 : 1;
	return 0;
}

static bool ring_record_is_sound(const struct thread *thread, const struct raw_record *record)
{
	const struct function *function =
		definitions_function(&thread->stream->defs, record->function);

	return function && record->arg_count <= function->info.arg_count &&
	       raw_blocks_check(record, function->classes);
}

/* One record after the last one known. */
static int add_ring_record(struct thread *thread, const struct ring_copy *ring,
			   const struct raw_record *record, uint64_t sequence, uint64_t expected)
{
	uint64_t gap = sequence - expected, explained = ring->lost + thread->lost_before_next;

	if (gap > explained && note_gap(thread, gap - explained, thread->tail.size))
		return -ENOMEM;
	if (raw_buffer_add(&thread->tail, record))
		return -ENOMEM;
	/* Of no meaning in a ring, but in what is decoded. */
	((struct raw_record *)(thread->tail.records + thread->tail.size - record->size))
		->reserved1 = 0;
	return 0;
}

/* Records of the ring that lie in no chunk and no ring before. */
static int add_ring_records(struct thread *thread, const struct ring_copy *ring, uint64_t *expected)
{
	struct stream *stream = thread->stream;
	struct bytes data = bytes_of(ring->data, ring->size);
	const struct raw_record *record;
	uint32_t unsound = 0;

	while (raw_next(&data, &record)) {
		uint64_t sequence = sequence_near(*expected, record->sequence);

		if (sequence < *expected || thread->tail.size > CHUNK_MAX_RAW - RECORD_MAX_SIZE)
			continue;
		if (!ring_record_is_sound(thread, record))
			unsound++;
		else if (add_ring_record(thread, ring, record, sequence, *expected))
			return -ENOMEM;
		*expected = sequence + 1;
	}
	stream->unreadable += unsound;
	stream->torn += unsound;
	if (data.bad || unsound > 0)
		problem(stream->trace, "%s/%s: ring of thread %u: a record is malformed",
			stream->trace->dir, stream->name, thread->index);
	return 0;
}

/* The tail as one more chunk behind those of the file. */
static int add_tail_chunk(struct thread *thread)
{
	struct bytes data = bytes_of(thread->tail.records, thread->tail.size);
	struct chunk *chunks, *chunk;
	const struct raw_record *record;

	chunks = realloc(thread->chunks, (thread->chunk_count + 1) * sizeof(*chunks));
	if (!chunks)
		return -ENOMEM;
	thread->chunks = chunks;
	chunk = &chunks[thread->chunk_count];
	memset(chunk, 0, sizeof(*chunk));
	chunk->thread = thread->index;
	chunk->encoding = DATA_RAW;
	chunk->count = thread->tail.count;
	chunk->t_min = UINT64_MAX;
	chunk->t_base = thread->chunk_count > 0 ? chunk[-1].t_max : 0;
	while (raw_next(&data, &record)) {
		chunk->t_min = record->tstart < chunk->t_min ? record->tstart : chunk->t_min;
		chunk->t_max = record->tend > chunk->t_max ? record->tend : chunk->t_max;
		if (record->tstart < chunk->t_base && chunk->carried < CHUNK_MAX_CARRIED)
			chunk->carried++;
		if (record->repeat > 1)
			chunk->flags |= CHUNK_REPEATS;
	}
	thread->chunk_count++;
	thread->stored += thread->tail.count;
	return 0;
}

static int add_ring(struct stream *stream, const struct ring_copy *ring, uint64_t *expected)
{
	struct thread *thread = stream_thread(stream, ring->thread);
	int error;

	if (!thread)
		return -ENOMEM;
	if (thread->tid == 0)
		thread->tid = ring->tid;
	error = add_ring_records(thread, ring, expected);
	if (!error && ring->lost > 0) {
		thread->lost += ring->lost;
		error = stream_add_loss(stream, "other", strlen("other"), ring->lost);
	}
	if (!error && ring->open_size > 0)
		error = raw_buffer_open_calls(&thread->open, ring->open, ring->open_size);
	return error;
}

/* Threads that are known only by a ring get their place first: it moves the others. */
static int add_ring_threads(struct stream *stream, const struct snapshot *snapshot)
{
	for (uint32_t i = 0; i < snapshot->ring_count; i++) {
		if (!stream_thread(stream, snapshot->rings[i].thread))
			return -ENOMEM;
	}
	return 0;
}

static int finish_thread(struct thread *thread, struct snapshot *snapshot)
{
	uint64_t expected;
	int error = order_chunks(thread, &expected);

	for (uint32_t i = 0; i < snapshot->ring_count && !error; i++) {
		if (snapshot->rings[i].thread == thread->index)
			error = add_ring(thread->stream, &snapshot->rings[i], &expected);
	}
	/* What damaged chunks had behind the last whole one. */
	if (!error && expected < thread->damaged_end && thread->damaged > 0)
		error = note_gap(thread,
				 thread->damaged < thread->damaged_end - expected
					 ? thread->damaged
					 : thread->damaged_end - expected,
				 thread->stream->rec_size);
	if (!error && thread->tail.count > 0) {
		const struct raw_record *first = (const void *)thread->tail.records;

		error = add_tail_chunk(thread);
		if (!error)
			thread->chunks[thread->chunk_count - 1].first_sequence =
				sequence_near(expected, first->sequence);
	}
	return error;
}

/* ---- carried records ---- */

static int by_t_min(const void *a, const void *b, void *chunks_of)
{
	const struct chunk *chunks = chunks_of;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (chunks[x].t_min != chunks[y].t_min)
		return chunks[x].t_min < chunks[y].t_min ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Chunks that hold records begun before them, in the order in which a reader by time needs them. */
static int list_carriers(struct thread *thread)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < thread->chunk_count; i++)
		count += thread->chunks[i].carried > 0;
	if (count == 0)
		return 0;
	thread->carriers = malloc(count * sizeof(*thread->carriers));
	if (!thread->carriers)
		return -ENOMEM;
	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		if (thread->chunks[i].carried > 0)
			thread->carriers[thread->carrier_count++] = i;
	}
	qsort_r(thread->carriers, count, sizeof(*thread->carriers), by_t_min, thread->chunks);
	for (uint32_t i = 0; i < count; i++)
		thread->chunks[thread->carriers[i]].carry_rank = i;
	return 0;
}

/* ---- what the metadata says ---- */

static void set_identity(struct stream *stream)
{
	const struct metadata *lm = &stream->lm;
	bool mpi = metadata_get(lm, "mpi.rank");

	stream->parent = metadata_u64(lm, "parent.stream", 0);
	stream->rank = (int32_t)metadata_i64(lm, mpi ? "mpi.rank" : "rank", -1);
	stream->size = (int32_t)metadata_i64(lm, mpi ? "mpi.size" : "size", -1);
	stream->rank_source = mpi ? "MPI" : metadata_text(lm, "rank.source");
	if (!*stream->rank_source)
		stream->rank_source = "none";
	stream->main = metadata_u64(lm, "main", 1) != 0;
	stream->pid = (uint32_t)metadata_u64(lm, "pid", 0);
	stream->ppid = (uint32_t)metadata_u64(lm, "ppid", 0);
	stream->image = (uint32_t)metadata_u64(lm, "image", 0);
	stream->pid_start = metadata_u64(lm, "pid.start", 0);
	stream->host = metadata_text(lm, "host");
	stream->boot_id = metadata_text(lm, "boot.id");
	stream->exe = metadata_text(lm, "exe");
	stream->cwd = metadata_text(lm, "cwd");
	stream->exit_status = metadata_i64(lm, "end.status", -1);
}

/* argv is stored with zero bytes between its strings. */
static int set_argv(struct stream *stream)
{
	const struct reader_value *value = metadata_get(&stream->lm, "argv");
	size_t size = value && value->type == READER_BYTES ? value->size : 0;
	char *argv = pool_copy(&stream->pool, value ? value->bytes : "", size);

	if (!argv)
		return -ENOMEM;
	while (size > 0 && argv[size - 1] == 0)
		size--;
	for (size_t i = 0; i < size; i++) {
		if (argv[i] == 0)
			argv[i] = ' ';
	}
	stream->argv = argv;
	return 0;
}

static int add_anchor(struct stream *stream, const char *name)
{
	char key[32];
	struct anchor anchor;

	snprintf(key, sizeof(key), "%s.ticks", name);
	anchor.ticks = metadata_u64(&stream->lm, key, 0);
	snprintf(key, sizeof(key), "%s.mono", name);
	anchor.mono = metadata_i64(&stream->lm, key, 0);
	snprintf(key, sizeof(key), "%s.real", name);
	anchor.real = metadata_i64(&stream->lm, key, 0);
	if (strcmp(name, "anchor.0") == 0)
		stream->first_anchor = anchor;
	return timeline_anchor(&stream->timeline, &anchor);
}

static int set_timeline(struct stream *stream)
{
	struct timeline *timeline = &stream->timeline;
	int error = add_anchor(stream, "anchor.0");

	if (!error)
		error = add_anchor(stream, "anchor.1");
	if (!error)
		error = timeline_finish(timeline, metadata_u64(&stream->lm, "clock.hz", 0),
					strcmp(metadata_text(&stream->lm, "clock.kind"),
					       "monotonic") == 0);
	if (!error && stream->first_anchor.ticks == 0 && timeline->anchor_count > 0)
		stream->first_anchor = timeline->anchors[0];
	return error;
}

/* Losses that the process knew of at its end, and chunks do not say: take the larger sum. */
static int set_losses(struct stream *stream)
{
	uint64_t known = stream->lost - stream->missing, lm = metadata_u64(&stream->lm, "lost", 0);
	static const char prefix[] = "lost.";

	if (lm <= known)
		return 0;
	stream->lost = stream->missing;
	stream->loss_count = 0;
	for (uint32_t i = 0; i < stream->lm.count; i++) {
		const struct metadata_item *item = &stream->lm.items[i];
		const char *reason = item->key + strlen(prefix);

		if (strncmp(item->key, prefix, strlen(prefix)) == 0 &&
		    item->value.type == READER_U64 &&
		    stream_add_loss(stream, reason, strlen(reason), item->value.u64))
			return -ENOMEM;
	}
	known = stream->lost - stream->missing;
	if (lm > known && stream_add_loss(stream, "other", strlen("other"), lm - known))
		return -ENOMEM;
	stream->lost -= stream->missing;
	return stream->missing
		       ? stream_add_loss(stream, "missing", strlen("missing"), stream->missing)
		       : 0;
}

static int set_state(struct stream *stream)
{
	uint64_t said = metadata_u64(&stream->lm, "records", 0);
	char text[128];

	if (stream->final && stream->stored >= said) {
		stream->state = READER_CLEAN;
		stream->reason = metadata_text(&stream->lm, "end.reason");
		return 0;
	}
	if (stream->final) {
		stream->state = READER_DIED;
		snprintf(text, sizeof(text), "%llu of %llu records are not there any more",
			 (unsigned long long)(said - stream->stored), (unsigned long long)said);
		problem(stream->trace, "%s/%s: %s", stream->trace->dir, stream->name, text);
		stream->reason = pool_copy(&stream->pool, text, strlen(text));
		return stream->reason ? 0 : -ENOMEM;
	}
	stream->state = stream->alive ? READER_RUNNING : READER_DIED;
	if (stream->alive)
		stream->reason = "running";
	else
		stream->reason = stream->lm_ok ? "killed or crashed: it did not end in order"
					       : "no readable .lm file";
	return 0;
}

/* ---- loading ---- */

static int64_t lm_size(const struct stream *stream)
{
	struct stat status;

	return fstatat(stream->trace->dir_fd, stream->lm_name, &status, AT_SYMLINK_NOFOLLOW) == 0
		       ? status.st_size
		       : -1;
}

static bool lm_has_changed(const struct stream *stream)
{
	return stream->lm_ok && lm_size(stream) != stream->lm_size;
}

static int load_lm(struct stream *stream)
{
	struct file_header header;
	int error;

	if (!stream->lm_name) {
		problem(stream->trace, "%s/%s.lm: is missing", stream->trace->dir, stream->name);
		return 0;
	}
	stream->lm_size = lm_size(stream);
	error = metadata_load(&stream->lm, stream->trace, stream->lm_name, FILE_LOCAL,
			      &stream->pool, &header);
	if (error == -ENOMEM)
		return error;
	if (error) {
		problem(stream->trace, "%s", reader_error(stream->trace));
		stream->newer |= error == -EPROTO;
		return 0;
	}
	stream->lm_ok = stream->lm.count > 0;
	stream->id = header.stream_id;
	stream->final = stream->lm.final;
	return 0;
}

static int scan_rec(struct stream *stream, struct body *body, bool growing)
{
	int error = stream->rec_name ? scan_stream(stream, body, growing) : 0;

	if (error == -ENOMEM || !error)
		return error;
	problem(stream->trace, "%s", reader_error(stream->trace));
	stream->newer |= error == -EPROTO;
	return 0;
}

/*
 * Rings first, then definitions, then the .rec: a record that moves from its ring into the .rec
 * meanwhile is seen twice, never not at all. A process that ended meanwhile has put everything into
 * the .rec, and says so in its .lm.
 */
static int load_files(struct stream *stream, struct snapshot *snapshot, struct body *body)
{
	const char *live_dir;
	int error = load_lm(stream);

	if (error)
		return error;
	live_dir = metadata_text(&stream->lm, "live.dir");
	stream->alive = !stream->final &&
			process_alive(stream->trace->boot_id, metadata_text(&stream->lm, "boot.id"),
				      (uint32_t)metadata_u64(&stream->lm, "pid", 0),
				      metadata_u64(&stream->lm, "pid.start", 0));
	if (!stream->final && *live_dir && !stream->trace->ignore_live)
		error = snapshot_take(snapshot, stream, live_dir);
	if (!error)
		error = scan_rec(stream, body, stream->alive);
	if (error || stream->final || !lm_has_changed(stream))
		return error;
	error = load_lm(stream);
	if (!error && stream->final)
		error = scan_rec(stream, body, false);
	return error;
}

static int load_live_definitions(struct stream *stream, const struct snapshot *snapshot)
{
	char name[256];
	uint32_t count;
	int error;

	if (!snapshot->has_arena)
		return 0;
	snprintf(name, sizeof(name), "%s.defs", stream->name);
	error = definitions_load(&stream->defs, stream->trace,
				 bytes_of(snapshot->defs, snapshot->defs_size), name,
				 LIVE_HEADER_SIZE, true, UINT64_MAX, &count);
	if (!error)
		error = timeline_anchor(&stream->timeline, &snapshot->anchor);
	if (!error && snapshot->lost > 0)
		error = stream_add_loss(stream, "other", strlen("other"), snapshot->lost);
	return error;
}

static int load_threads(struct stream *stream, struct snapshot *snapshot)
{
	struct idmap *defined = &stream->defs.threads;
	int error = add_ring_threads(stream, snapshot);

	for (uint32_t i = 0; i < defined->count && !error; i++)
		error = stream_thread(stream, defined->entries[i].id) ? 0 : -ENOMEM;
	if (snapshot->ring_count > 0)
		qsort(snapshot->rings, snapshot->ring_count, sizeof(*snapshot->rings),
		      by_first_sequence);
	for (uint32_t i = 0; i < stream->thread_count && !error; i++) {
		struct thread *thread = &stream->threads[i];
		const struct def_thread *def = idmap_get(defined, thread->index);

		if (def) {
			thread->tid = def->tid;
			thread->flags = def->flags;
			thread->start_ticks = def->start;
			thread->name = def->name.bytes;
		}
		error = finish_thread(thread, snapshot);
		if (!error)
			error = list_carriers(thread);
		stream->stored += thread->stored;
	}
	return error;
}

int stream_load(struct stream *stream, struct body *body)
{
	struct snapshot snapshot = {0};
	int error = load_files(stream, &snapshot, body);

	set_identity(stream);
	if (!error)
		error = set_argv(stream);
	if (!error)
		error = load_live_definitions(stream, &snapshot);
	if (!error)
		error = definitions_finish(&stream->defs);
	if (!error)
		error = load_threads(stream, &snapshot);
	if (!error)
		error = set_timeline(stream);
	if (!error)
		error = set_losses(stream);
	if (!error)
		error = set_state(stream);
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
	return last && last->level == call->level && last->tstart == call->tstart;
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

static void note_times(struct stream *stream)
{
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		struct thread *thread = &stream->threads[i];
		struct bytes open = bytes_of(thread->open.records, thread->open.size);
		const struct raw_record *record;

		for (uint32_t k = 0; k < thread->chunk_count; k++) {
			if (thread->chunks[k].t_max > stream->last_ticks)
				stream->last_ticks = thread->chunks[k].t_max;
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
	int64_t end;

	if (!chunks)
		return -ENOMEM;
	for (uint32_t i = 0; i < stream->thread_count; i++)
		drop_ended(&stream->threads[i], chunks);
	count_calls(stream, chunks);
	chunk_reader_free(chunks);
	note_times(stream);
	stream->start = stream->first_anchor.ticks
				? timeline_ns(&stream->timeline, stream->first_anchor.ticks)
				: 0;
	stream->end = stream->last_ticks ? timeline_ns(&stream->timeline, stream->last_ticks)
					 : stream->start;
	end = metadata_i64(&stream->lm, "end.time", INT64_MIN);
	if (end != INT64_MIN && end - stream->trace->start > stream->end &&
	    !stream->trace->unverified_clock)
		stream->end = end - stream->trace->start;
	return 0;
}

void stream_release(struct stream *stream)
{
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		free(stream->threads[i].chunks);
		free(stream->threads[i].carriers);
		free(stream->threads[i].tail.records);
		free(stream->threads[i].open.records);
	}
	free(stream->threads);
	free(stream->losses);
	metadata_release(&stream->lm);
	timeline_release(&stream->timeline);
	definitions_release(&stream->defs);
	pool_release(&stream->pool);
}
