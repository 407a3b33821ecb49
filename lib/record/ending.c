/* SPDX-License-Identifier: MIT */
/* ending.c - see ending.h */
#include "record/ending.h"

#include <string.h>

#include "record/arena.h"
#include "record/bulk.h"
#include "record/call.h"
#include "record/identity.h"
#include "record/lifecycle.h"
#include "record/live.h"
#include "record/loss.h"
#include "record/metadata.h"
#include "record/open_calls.h"
#include "record/ring.h"
#include "record/seal.h"
#include "record/segment.h"
#include "record/signals.h"
#include "record/stage.h"
#include "record/stream.h"
#include "record/sys.h"

static bool rings_sealed;

/* Completes the files and removes the live ones, unless something is left in them that could not be written. */
static void finish_stream(const char *how, int status)
{
	loss_write(0);
	if (!rings_sealed || !seal_owed_definitions())
		return;
	seal_write_end();
	if (metadata_write_end(how, status))
		return;
	live_shut(); /* or a thread that begins just now would make one that stays */
	ring_unlink_all();
	arena_unlink();
	live_close();
}

/* Whether the stream, if there is one, is the calling process's. */
static bool is_recorded(void)
{
	return lifecycle_is_active() && identity_is_own();
}

/* Seals all rings, once, of a process that is recorded. */
static bool close_stream(enum close_for what)
{
	if (!stage_go_on(STAGE_OPEN, STAGE_ENDING))
		return false;
	atomic_store(&stage_word->ender, (uint32_t)sys_gettid());
	segment_stop(true);
	rings_sealed = thread_close_all(what);
	return true;
}

/* Threads that begin wait as for the one that opens the stream, and so do others that end it. */
static bool begin_reopening(enum stage from)
{
	atomic_store(&stage_word->opener, (uint32_t)sys_gettid());
	return stage_go_on(from, STAGE_OPENING);
}

/* Calls go to rings again. */
static void reopen_stream(void)
{
	segment_stop(false);
	thread_reopen_all();
	atomic_store(&stage_word->ender, 0);
	stage_set(STAGE_OPEN);
}

/* Where the record of the leaving call lies in the .rec, to be taken back if it fails. */
static struct {
	uint64_t before, after; /* sizes of the file; 0: nothing to be taken back */
	uint64_t last_end;
	uint64_t record[RECORD_MAX_SIZE / 8]; /* a handler may put calls together in its place */
} leaving BULK;

static void leave_stream(const char *how, struct call *call)
{
	uint64_t stored, flushed, appended;

	leaving.before = leaving.after = 0;
	if (call) {
		loss_write(call->thread->index); /* before what comes after it */
		/* what is not written now would be taken back, too */
		leaving.before = seal_definitions() ? stream_size() : 0;
		leaving.last_end = call->thread->last_end;
	}
	appended = stream_own_bytes();
	flushed = arena_flushed();
	stored = arena_stored();
	if (call)
		call_store_noreturn(call); /* after close_stream() it goes straight to the file */
	if (arena_stored() == stored)      /* or is counted as lost */
		leaving.before = 0;
	finish_stream(how, 0);
	if (call) {
		memcpy(leaving.record, call->record, call->record->size);
		leaving.after = stream_size();
	}
	if (leaving.after - leaving.before != stream_own_bytes() - appended ||
	    flushed != arena_flushed())
		leaving.before = 0; /* what others have appended is to stay, or is defined there */
	stage_set(STAGE_LEFT);
}

void ending_leaving(const char *how, struct call *call)
{
	bool recorded = is_recorded();
	uint64_t blocked = recorded ? signals_block() : SIGNALS_UNTOUCHED;

	if (recorded && close_stream(CLOSE_FOR_EXEC)) {
		leave_stream(how, call);
	} else {
		if (call)
			call_store_noreturn(call);
		if (recorded)
			stage_wait_for_others(); /* not before: they may be waiting for the call */
	}
	signals_restore(blocked);
}

/* The stream goes on as if nothing had been, if it was the calling thread that had left it. */
static bool resume_stream(void)
{
	if (!is_recorded() || atomic_load(&stage_word->ender) != (uint32_t)sys_gettid() ||
	    !begin_reopening(STAGE_LEFT))
		return false;
	metadata_write_resumed();
	if (thread_count() == 1) { /* with more of them, what follows is not crash-safe */
		ring_restore_all();
		arena_restore();
	}
	reopen_stream();
	return true;
}

static bool take_back(void *call)
{
	const struct thread *thread = ((struct call *)call)->thread;

	return stream_take_back(leaving.before, leaving.after, thread->index,
				thread->sequence_base - 1);
}

/* The thread is busy: another one may end the process as soon as the stream is open, and waits for it. */
static void call_stayed(struct call *call, int err)
{
	if (!resume_stream()) {
		call_correct_stored(call, err);
	} else if (leaving.before && segment_alone(take_back, call)) {
		memcpy(call->record, leaving.record, ((struct raw_record *)leaving.record)->size);
		seal_undone(call->thread, call->record->function, leaving.last_end);
		call_store_failed(call, err);
	}
	thread_set_idle(call->thread);
}

void ending_stayed(struct call *call, int err)
{
	uint64_t blocked = is_recorded() ? signals_block() : SIGNALS_UNTOUCHED;

	if (call && call_take_ring(call->thread, (uintptr_t)call))
		call_stayed(call, err);
	else
		resume_stream();
	signals_restore(blocked);
}

/* Signals wait: a handler that ends the process, too, would cut this short. */
void ending_end(enum close_for what, const char *how, int status)
{
	uint64_t blocked;
	bool closed;

	if (!is_recorded())
		return;
	blocked = signals_block();
	thread_let_go();
	do
		closed = close_stream(what);
	while (!closed && stage_wait_for_others() == STAGE_OPEN);
	if (closed)
		finish_stream(how, status);
	if (closed || stage_now() == STAGE_LEFT)
		stage_set(STAGE_ENDED);
	signals_restore(blocked);
}

bool ending_seal(const char *reason)
{
	uint64_t blocked;

	if (!lifecycle_is_recording())
		return true;
	if (!identity_is_own())
		return false;
	blocked = signals_block();
	if (close_stream(CLOSE_FOR_EXEC)) {
		seal_definitions();
		loss_write(0);
		metadata_write_sandboxed(reason);
		begin_reopening(STAGE_ENDING);
		reopen_stream(); /* the live files are still there: nothing is to be restored */
	}
	signals_restore(blocked);
	return true;
}
