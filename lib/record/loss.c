/* SPDX-License-Identifier: MIT */
/* loss.c - see loss.h */
#include "record/loss.h"

#include <stdatomic.h>
#include <string.h>

#include "format/bytes.h"
#include "format/wire.h"
#include "record/arena.h"
#include "record/clock.h"
#include "record/stream.h"
#include "record/thread.h"

static struct loss {
	_Atomic uint64_t records;  /* all, for the LM */
	_Atomic uint64_t stated;   /* those that chunks of this segment state */
	_Atomic uint64_t unstated; /* those that no chunk's `lost` states, for a LOST chunk */
} losses[LOSS_REASONS];

static atomic_bool limit_told;

/* A LOST chunk will state what is in the LM's counts already. */
static void leave_to_chunk(enum loss_reason reason, uint64_t records)
{
	atomic_fetch_add(&losses[reason].unstated, records);
	arena_count_lost(reason, records);
}

void loss_count(enum loss_reason reason, uint64_t records)
{
	atomic_fetch_add(&losses[reason].records, records);
	leave_to_chunk(reason, records);
}

void loss_of_chunk(struct thread *thread, uint32_t count, enum loss_reason reason)
{
	atomic_fetch_add(&losses[reason].records, count);
	thread->lost_chunks[reason] += count;
}

void loss_of_call(struct thread *thread, enum loss_reason reason)
{
	if (reason == LOSS_TOO_DEEP)
		thread->lost++;
	else
		loss_of_chunk(thread, 1, reason);
	thread->ring->lost++;
	thread->ring->lost_reason = loss_pending(thread).reason;
}

struct loss_pending loss_pending(const struct thread *thread)
{
	struct loss_pending pending = {thread->lost, thread->lost ? LOSS_TOO_DEEP : LOSS_NONE};

	for (unsigned i = 0; i < LOSS_REASONS; i++) {
		if (!thread->lost_chunks[i])
			continue;
		pending.records += thread->lost_chunks[i];
		pending.reason = loss_both(pending.reason, (enum loss_reason)i);
	}
	return pending;
}

void loss_stated(struct thread *thread, uint64_t too_deep)
{
	atomic_fetch_add(&losses[LOSS_TOO_DEEP].records, too_deep);
	atomic_fetch_add(&losses[LOSS_TOO_DEEP].stated, too_deep);
	thread->lost -= too_deep;
	for (unsigned i = 0; i < LOSS_REASONS; i++)
		if (thread->lost_chunks[i])
			atomic_fetch_add(&losses[i].stated, thread->lost_chunks[i]);
	memset(thread->lost_chunks, 0, sizeof(thread->lost_chunks));
}

static void put_loss(struct packer *packer, struct chunk_header *chunk, unsigned reason,
		     uint64_t records)
{
	if (!records)
		return;
	pack_u64(packer, records);
	pack_str(packer, loss_name(reason));
	chunk->count++;
}

static int append_losses(struct chunk_header *chunk, const struct packer *packer, uint8_t *body)
{
	chunk->body_size = chunk->plain_size = (uint32_t)packer_size(packer, body);
	chunk->anchor = clock_anchor();
	return stream_append(chunk, body);
}

void loss_tell_limit(struct thread *thread)
{
	uint8_t body[512];
	struct packer packer = packer_of(body, sizeof(body));
	struct chunk_header chunk = {.type = CHUNK_LOST, .thread = thread->index};

	if (!thread->lost_chunks[LOSS_FILE_SIZE] || atomic_exchange(&limit_told, true))
		return;
	for (unsigned i = 0; i < LOSS_REASONS; i++)
		put_loss(&packer, &chunk, i,
			 thread->lost_chunks[i] + (i == LOSS_TOO_DEEP ? thread->lost : 0));
	if (append_losses(&chunk, &packer, body))
		return;
	loss_stated(thread, thread->lost);
	thread->ring->lost = 0;
}

void loss_leave(struct thread *thread)
{
	if (thread->lost)
		loss_count(LOSS_TOO_DEEP, thread->lost);
	for (unsigned i = 0; i < LOSS_REASONS; i++)
		if (thread->lost_chunks[i]) /* in the LM's counts already, by loss_of_chunk() */
			leave_to_chunk((enum loss_reason)i, thread->lost_chunks[i]);
	thread->lost = 0;
	memset(thread->lost_chunks, 0, sizeof(thread->lost_chunks));
	thread->ring->lost = 0;
}

void loss_write(uint32_t thread)
{
	uint8_t body[512];
	struct packer packer = packer_of(body, sizeof(body));
	struct chunk_header chunk = {.type = CHUNK_LOST, .thread = thread};
	uint64_t all = 0;

	for (unsigned i = 0; i < LOSS_REASONS; i++) {
		uint64_t records = atomic_exchange(&losses[i].unstated, 0);

		all += records;
		put_loss(&packer, &chunk, i, records);
	}
	if (chunk.count && !append_losses(&chunk, &packer, body))
		arena_uncount_lost(all);
}

static uint64_t lost_in(enum loss_scope scope, const struct loss *loss)
{
	return atomic_load(scope == LOSS_OF_SEGMENT ? &loss->stated : &loss->records);
}

uint64_t loss_sum(enum loss_scope scope)
{
	uint64_t records = 0;

	for (unsigned i = 0; i < LOSS_REASONS; i++)
		records += lost_in(scope, &losses[i]);
	return records;
}

void loss_each(enum loss_scope scope,
	       void (*visit)(void *data, const char *reason, uint64_t records), void *data)
{
	for (unsigned i = 0; i < LOSS_REASONS; i++)
		if (lost_in(scope, &losses[i]))
			visit(data, loss_name(i), lost_in(scope, &losses[i]));
}

void loss_next_segment(void)
{
	for (unsigned i = 0; i < LOSS_REASONS; i++)
		atomic_fetch_sub(&losses[i].records, atomic_exchange(&losses[i].stated, 0));
}

void loss_forked(void)
{
	atomic_store(&limit_told, false);
	for (unsigned i = 0; i < LOSS_REASONS; i++) {
		atomic_store(&losses[i].records, 0);
		atomic_store(&losses[i].unstated, 0);
		atomic_store(&losses[i].stated, 0);
	}
}
