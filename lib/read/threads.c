/* SPDX-License-Identifier: MIT */
/* threads.c - see threads.h */
#include "read/threads.h"

#include <errno.h>
#include <stdlib.h>

#include "read/chunk_reader.h"
#include "read/losses.h"
#include "read/segments.h"
#include "read/streams.h"
#include "read/thread_rings.h"
#include "read/thread_table.h"
#include "read/windows.h"

/* ---- chunks in order ---- */

static int by_sequence(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->first_sequence != y->first_sequence)
		return x->first_sequence < y->first_sequence ? -1 : 1;
	if (x->segment != y->segment) /* the newest is number 0 */
		return x->segment - 1 < y->segment - 1 ? -1 : 1;
	return x->offset < y->offset ? -1 : 1;
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

/* Drops the chunk kept last, which cannot be read, from what is stored; what it says was lost before it was its to say. */
static void drop_last(struct thread *thread, uint32_t number, uint64_t *expected)
{
	struct chunk *chunk = &thread->chunks[number];
	uint32_t count = chunk->count - chunk->skip;

	thread->stored -= count;
	thread->damaged += count;
	if (chunk->first_sequence + chunk->count > thread->damaged_end)
		thread->damaged_end = chunk->first_sequence + chunk->count;
	thread->stream->unreadable -= count;
	*expected = chunk->first_sequence + chunk->skip;
}

/* Whether a chunk of this encoding can be told from a torn one: not one of a later version. */
static bool is_known(const struct chunk *chunk)
{
	return chunk->encoding <= DATA_LAST;
}

/*
 * Whether the chunk may stand for records of the one kept last: the same numbers again, or more `lost` before it than numbers are
 * unused. A write that was cut short, and could not be made again, leaves a header that looks whole; its records are counted once.
 */
static bool casts_doubt(const struct chunk *last, const struct chunk *chunk, uint64_t expected)
{
	if (chunk->first_sequence < expected)
		return true;
	return is_known(last) && chunk->lost > chunk->first_sequence - expected;
}

/* What the kept chunks say was lost before each. */
static int add_losses(struct thread *thread)
{
	int error = 0;

	for (uint32_t i = 0; i < thread->chunk_count && !error; i++) {
		uint32_t lost = thread->chunks[i].lost;

		thread->lost = add_counts(thread->lost, lost);
		if (lost > 0)
			error = stream_add_loss_of(thread->stream, thread->chunks[i].lost_reason,
						   lost);
	}
	return error;
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
	if (thread->chunk_count > 0 && segments_begin_late(stream))
		*expected = thread->chunks[0].first_sequence;
	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		struct chunk *chunk = &thread->chunks[i];
		uint64_t end = chunk->first_sequence + chunk->count, gap = 0, explained;

		if (kept > 0 && casts_doubt(&thread->chunks[kept - 1], chunk, *expected) &&
		    !can_be_read(thread, kept - 1))
			drop_last(thread, --kept, expected);
		if (end < chunk->first_sequence || end <= *expected)
			continue;
		if (chunk->first_sequence < *expected) {
			problem(stream->trace, "%s/%s: offset %llu: chunk repeats %llu records",
				stream->trace->dir,
				segment_file(stream_segment(stream, chunk->segment)),
				(unsigned long long)chunk->offset,
				(unsigned long long)(*expected - chunk->first_sequence));
			chunk->skip = (uint32_t)(*expected - chunk->first_sequence);
		} else {
			gap = chunk->first_sequence - *expected;
		}
		explained = add_counts(chunk->lost, chunk->lost_before);
		error = gap > explained ? thread_note_gap(thread, gap - explained, chunk->segment,
							  chunk->offset)
					: 0;
		if (error)
			return error;
		thread->stored += chunk->count - chunk->skip;
		*expected = end;
		thread->chunks[kept++] = *chunk;
	}
	thread->chunk_count = kept;
	return 0;
}

/* ---- a thread ---- */

/*
 * Records of damaged chunks that the writer counted as lost, in the .lm alone: a write was cut short, and nothing could be written
 * after it. What it counted as stored was damaged since.
 */
static uint64_t stated_at_end(struct stream *stream)
{
	uint64_t lost = metadata_u64(&stream->lm, "lost", 0), damaged = 0;
	uint64_t stored = metadata_u64(&stream->lm, "records", 0), spoilt;
	uint64_t scanned = 0, scanned_lost = 0;

	for (uint32_t i = 0; i < stream->thread_count; i++)
		damaged = add_counts(damaged, stream->threads[i].damaged);
	for (uint32_t i = 0; i <= stream->closed_count; i++) {
		const struct segment *segment = stream_segment(stream, i);

		scanned += segment->scanned;
		scanned_lost = add_counts(scanned_lost, segment->scanned_lost);
	}
	spoilt = stored > scanned ? stored - scanned : 0;
	damaged = damaged > spoilt ? damaged - spoilt : 0;
	lost = lost > scanned_lost ? lost - scanned_lost : 0;
	return lost < damaged ? lost : damaged;
}

/* Losses that no chunk of records states: the writer's last words, which may be about any thread. */
static uint64_t stated_apart(struct stream *stream, const struct snapshot *snapshot)
{
	uint64_t stated = add_counts(snapshot->lost, stated_at_end(stream));

	for (uint32_t i = 0; i < snapshot->ring_count; i++)
		stated = add_counts(stated, snapshot->rings[i].lost);
	for (uint32_t i = 0; i < stream->thread_count; i++)
		if (stream->threads[i].lost_before_next < UINT64_MAX / 4) /* not how many */
			stated = add_counts(stated, stream->threads[i].lost_before_next);
	return stated;
}

/* What damaged chunks had behind the last whole one is unreadable, unless it is stated as lost. */
static int note_damaged_end(struct thread *thread, uint64_t expected, uint64_t *stated)
{
	uint64_t count, lost;

	if (expected >= thread->damaged_end)
		return 0;
	count = thread->damaged_end - expected;
	if (count > thread->damaged)
		count = thread->damaged;
	lost = count < *stated ? count : *stated;
	*stated -= lost;
	thread->damaged -= lost;
	return count > lost
		       ? thread_note_gap(thread, count - lost, 0, thread->stream->newest.rec_size)
		       : 0;
}

static int finish_thread(struct thread *thread, struct snapshot *snapshot, uint64_t *stated)
{
	uint64_t expected;
	int error = thread_add_held(thread, snapshot);

	if (!error)
		error = order_chunks(thread, &expected);
	if (!error && thread->chunk_count > 0 &&
	    is_known(&thread->chunks[thread->chunk_count - 1]) &&
	    (*stated > 0 || thread_ring_overlaps(thread, snapshot, expected)) &&
	    !can_be_read(thread, thread->chunk_count - 1))
		drop_last(thread, --thread->chunk_count, &expected);
	if (!error)
		error = windows_divide(thread);
	if (!error)
		error = add_losses(thread);
	if (!error)
		error = thread_add_rings(thread, snapshot, &expected);
	if (!error)
		error = note_damaged_end(thread, expected, stated);
	if (!error && thread->tail.count > 0) {
		const struct raw_record *first = (const void *)thread->tail.records;

		error = thread_add_tail(thread);
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
	thread->reach = malloc(count * sizeof(*thread->reach));
	if (!thread->carriers || !thread->reach)
		return -ENOMEM;
	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		if (thread->chunks[i].carried > 0)
			thread->carriers[thread->carrier_count++] = i;
	}
	qsort_r(thread->carriers, count, sizeof(*thread->carriers), by_t_min, thread->chunks);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = thread->carriers[i];

		thread->chunks[number].carry_rank = i;
		thread->reach[i] =
			i > 0 && thread->reach[i - 1] > number ? thread->reach[i - 1] : number;
	}
	return 0;
}

/* ---- */

int threads_load(struct stream *stream, struct snapshot *snapshot)
{
	struct idmap *defined = &stream->defs.threads;
	uint64_t stated = stated_apart(stream, snapshot);
	int error = rings_add_threads(stream, snapshot);

	for (uint32_t i = 0; i < defined->count && !error; i++)
		error = stream_thread(stream, defined->entries[i].id) ? 0 : -ENOMEM;
	if (!error)
		error = stream_sort_threads(stream);
	rings_sort(snapshot);
	for (uint32_t i = 0; i < stream->thread_count && !error; i++) {
		struct thread *thread = &stream->threads[i];
		const struct def_thread *def = idmap_get(defined, thread->index);

		if (def) {
			thread->tid = def->tid;
			thread->flags = def->flags;
			thread->start_ticks = def->start;
			thread->name = def->name.bytes;
			thread->start_module = def->module;
			thread->start_offset = def->offset;
		}
		error = finish_thread(thread, snapshot, &stated);
		if (!error)
			error = list_carriers(thread);
		stream->stored += thread->stored;
	}
	return error;
}
