/* SPDX-License-Identifier: MIT */
/* hold_chunks.c - see hold_chunks.h */
#include "record/hold_chunks.h"

#include <stddef.h>
#include <string.h>

#include "format/chunk.h"
#include "record/ring.h"
#include "record/testpoint.h"

#define MORE_ROOM (256u << 10)

uint32_t hold_place_size(const struct thread *thread)
{
	uint32_t size;

	return ring_held(thread, &size) ? size / 2 : 0;
}

static uint8_t *place_of(const struct thread *thread, uint64_t number)
{
	uint32_t size;
	uint8_t *area = ring_held(thread, &size);

	return area + (number & 1) * (size / 2);
}

static struct chunk_header describe(const struct thread *thread, const struct hold *hold,
				    const struct loop_piece *piece, size_t size)
{
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .thread = thread->index,
				     .first_sequence = hold->first_sequence + piece->before,
				     .anchor = clock_anchor()};

	loop_describe(&hold->loop, piece, &chunk);
	chunk.body_size = chunk.plain_size = (uint32_t)size;
	return chunk;
}

static void put_chunk(struct packer *packer, struct chunk_header *chunk, const void *body)
{
	chunk_header_seal(chunk, body);
	pack_bytes(packer, chunk, sizeof(*chunk));
	if (packer->p != body)
		pack_bytes(packer, body, chunk->body_size);
	else
		packer->p += chunk->body_size;
}

struct batch hold_tail(const struct thread *thread, const struct hold *hold)
{
	uint32_t count =
		(uint32_t)(hold->first_sequence - thread->sequence_base + hold->loop.records);

	return batch_from(thread, hold->taken, count, hold->loop.last_ticks);
}

static bool has_repeats(const struct batch *batch)
{
	bool found = false;

	for (uint32_t at = 0; at < batch->size && !found;) {
		const struct raw_record *record = (const void *)(batch->records + at);

		found = record->repeat > 1;
		at += record->size;
	}
	return found;
}

static void put_tail(struct packer *packer, uint32_t thread, const struct batch *tail,
		     const struct anchor *anchor)
{
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .flags = has_repeats(tail) ? CHUNK_REPEATS : 0,
				     .thread = thread,
				     .count = tail->count,
				     .first_sequence = tail->first_sequence,
				     .anchor = *anchor};

	batch_describe_raw(tail, &chunk);
	put_chunk(packer, &chunk, tail->records);
}

/* False: there is no room. */
static bool put_piece(struct packer *packer, const struct thread *thread, const struct hold *hold,
		      const struct loop_piece *piece)
{
	uint8_t *body = packer->p + sizeof(struct chunk_header);
	struct varints words;
	struct chunk_header chunk;

	if (packer->end - packer->p < (ptrdiff_t)sizeof(chunk))
		return false;
	words = varints_in(body, (size_t)(packer->end - body));
	if (!loop_write(&hold->loop, piece, &words))
		return false;
	chunk = describe(thread, hold, piece, (size_t)(words.p - body));
	put_chunk(packer, &chunk, body);
	return true;
}

bool hold_place_write(const struct thread *thread, struct hold *hold)
{
	struct batch tail = hold_tail(thread, hold);
	uint8_t *at = place_of(thread, hold->number + 1);
	struct held_place place = {.magic = HELD_MAGIC, .number = hold->number + 1};
	struct packer packer =
		packer_of(at + sizeof(place), hold_place_size(thread) - sizeof(place));
	struct anchor now = clock_anchor();
	unsigned count;

	memset(at, 0, sizeof(place));
	compiler_barrier();
	count = loop_pieces(&hold->loop, hold->t_base, hold->pieces);
	for (unsigned i = 0; i < count; i++)
		if (!put_piece(&packer, thread, hold, &hold->pieces[i]))
			return false;
	if (tail.count > 0)
		put_tail(&packer, thread->index, &tail, &now);
	if (packer.overflow)
		return false;
	place.size = (uint32_t)(packer.p - at - sizeof(place));
	place.crc = format_crc(&place, offsetof(struct held_place, crc));
	test_point("holding");
	atomic_thread_fence(memory_order_release);
	memcpy(at, &place, sizeof(place));
	atomic_thread_fence(memory_order_release);
	hold->number++;
	hold->placed_count = count;
	memcpy(hold->placed, hold->pieces, count * sizeof(*hold->pieces));
	test_point("held");
	return true;
}

size_t hold_room(const struct thread *thread)
{
	return hold_place_size(thread) + MORE_ROOM;
}

/* The chunks as they are in their place, without what of the ring was added since. */
static unsigned chunks_in_place(struct thread *thread)
{
	struct hold *hold = thread->hold;
	const uint8_t *at = place_of(thread, hold->number) + sizeof(struct held_place);

	hold->taken = 0;
	for (unsigned i = 0; i < hold->placed_count; i++) {
		struct hold_chunk *chunk = &hold->chunks[i];

		memcpy(&chunk->header, at, sizeof(chunk->header));
		chunk->body = at + sizeof(chunk->header);
		chunk->piece = hold->placed[i];
		at = chunk->body + chunk->header.body_size;
	}
	return hold->placed_count;
}

struct hold_chunk *hold_chunks(struct thread *thread, uint8_t *room, size_t size, unsigned *count)
{
	struct hold *hold = thread->hold;
	struct varints words = varints_in(room, size);
	bool fits = size > 0;

	*count = fits ? loop_pieces(&hold->loop, hold->t_base, hold->pieces) : 0;
	for (unsigned i = 0; i < *count && fits; i++) {
		struct hold_chunk *chunk = &hold->chunks[i];

		chunk->body = words.p;
		chunk->piece = hold->pieces[i];
		fits = loop_write(&hold->loop, &chunk->piece, &words);
		chunk->header =
			describe(thread, hold, &chunk->piece, (size_t)(words.p - chunk->body));
	}
	if (!fits)
		*count = chunks_in_place(thread);
	return hold->chunks;
}

struct batch hold_rest(const struct thread *thread)
{
	const struct hold *hold = thread->hold;

	return hold->taken > 0 ? hold_tail(thread, hold)
			       : batch_from(thread, 0, 0, thread->ring->t_base);
}

void hold_calls(const struct thread *thread, const struct hold_chunk *chunk,
		void (*each)(uint16_t id, uint64_t calls))
{
	loop_calls(&thread->hold->loop, &chunk->piece, each);
}

void hold_place_release(struct thread *thread)
{
	const struct hold *hold = thread->hold;

	/* the valid one last */
	memset(place_of(thread, hold->number + 1), 0, sizeof(struct held_place));
	test_point("releasing");
	atomic_thread_fence(memory_order_release);
	memset(place_of(thread, hold->number), 0, sizeof(struct held_place));
}
