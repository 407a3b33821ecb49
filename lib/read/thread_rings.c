/* SPDX-License-Identifier: MIT */
/* thread_rings.c - see thread_rings.h */
#include "read/thread_rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/held.h"
#include "format/raw.h"
#include "read/losses.h"
#include "read/segments.h"
#include "read/streams.h"
#include "read/thread_table.h"

static int by_first_sequence(const void *a, const void *b)
{
	const struct ring_copy *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->first_sequence != y->first_sequence)
		return x->first_sequence < y->first_sequence ? -1 : 1;
	return 0;
}

void rings_sort(struct snapshot *snapshot)
{
	if (snapshot->ring_count > 0)
		qsort(snapshot->rings, snapshot->ring_count, sizeof(*snapshot->rings),
		      by_first_sequence);
}

int rings_add_threads(struct stream *stream, const struct snapshot *snapshot)
{
	for (uint32_t i = 0; i < snapshot->ring_count; i++) {
		if (!stream_thread(stream, snapshot->rings[i].thread))
			return -ENOMEM;
	}
	return 0;
}

/* ---- records ---- */

static bool ring_record_is_sound(const struct thread *thread, const struct raw_record *record)
{
	const struct function *function =
		definitions_function(&thread->stream->defs, record->function);

	return function && record->arg_count <= function->stored_args &&
	       raw_blocks_check(record, function->classes);
}

/* One record after the last one known. */
static int add_ring_record(struct thread *thread, const struct ring_copy *ring,
			   const struct raw_record *record, uint64_t sequence, uint64_t expected)
{
	uint64_t gap = sequence - expected;
	uint64_t explained = add_counts(ring->lost, thread->lost_before_next);
	struct raw_record *copy;

	if (gap > explained && thread_note_gap(thread, gap - explained, 0, thread->tail.size))
		return -ENOMEM;
	if (raw_buffer_add(&thread->tail, record))
		return -ENOMEM;
	/* Of no meaning in a ring, but in what is decoded. */
	copy = (struct raw_record *)(thread->tail.records + thread->tail.size - record->size);
	copy->reserved0 = 0;
	copy->reserved1 = 0;
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

static int add_ring(struct stream *stream, const struct ring_copy *ring, uint64_t *expected)
{
	struct thread *thread = stream_thread(stream, ring->thread);
	int error;

	if (!thread)
		return -ENOMEM;
	/* What came before is in earlier segments. */
	if (thread->chunk_count == 0 && thread->tail.count == 0 && segments_begin_late(stream))
		*expected = ring->first_sequence;
	if (thread->tid == 0)
		thread->tid = ring->tid;
	error = add_ring_records(thread, ring, expected);
	if (!error && ring->lost > 0) {
		thread->lost = add_counts(thread->lost, ring->lost);
		error = stream_add_loss_of(stream, ring->lost_reason, ring->lost);
	}
	if (!error && ring->open_size > 0)
		error = raw_buffer_open_calls(&thread->open, ring->open, ring->open_size);
	return error;
}

int thread_add_rings(struct thread *thread, const struct snapshot *snapshot, uint64_t *expected)
{
	int error = 0;

	for (uint32_t i = 0; i < snapshot->ring_count && !error; i++) {
		if (snapshot->rings[i].thread == thread->index)
			error = add_ring(thread->stream, &snapshot->rings[i], expected);
	}
	return error;
}

bool thread_ring_overlaps(const struct thread *thread, const struct snapshot *snapshot,
			  uint64_t expected)
{
	for (uint32_t i = 0; i < snapshot->ring_count; i++)
		if (snapshot->rings[i].thread == thread->index && snapshot->rings[i].size > 0 &&
		    snapshot->rings[i].first_sequence < expected)
			return true;
	return false;
}

int thread_add_tail(struct thread *thread)
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

/* ---- chunks ---- */

/* What the ring holds of records that may not be in the .rec yet: chunks like others, which stand in no file. */
static int add_held(struct thread *thread, const struct ring_copy *ring)
{
	struct bytes held = held_find(ring->held, ring->held_size), body;
	struct chunk_header header;

	while (held_next(&held, &header, &body)) {
		struct chunk *chunk;

		if (header.thread != thread->index)
			continue;
		chunk = thread_add_chunk(thread, &header, 0, UINT64_MAX);
		if (!chunk)
			return -ENOMEM;
		chunk->held =
			(const uint8_t *)pool_copy(&thread->stream->pool, body.p, header.body_size);
		if (!chunk->held)
			return -ENOMEM;
	}
	return 0;
}

int thread_add_held(struct thread *thread, const struct snapshot *snapshot)
{
	int error = 0;

	for (uint32_t i = 0; i < snapshot->ring_count && !error; i++)
		if (snapshot->rings[i].thread == thread->index)
			error = add_held(thread, &snapshot->rings[i]);
	return error;
}
