/* SPDX-License-Identifier: MIT */
/* call.c - the slow paths of recording a call. */
#include "record/call.h"

#include "record/config.h"
#include "record/control.h"
#include "record/define.h"
#include "record/lifecycle.h"
#include "record/loss.h"
#include "record/named.h"
#include "record/patience.h"
#include "record/ring.h"
#include "record/sandbox.h"
#include "record/seal.h"
#include "record/stacks.h"
#include "record/sys.h"
#include "record/testpoint.h"

#define SANDBOX_TICKS (1ull << 30)

uint64_t call_min_ticks; /* RECORDER_MIN_DURATION */
static _Atomic uint64_t skipped[FUNCTION_IDS];

bool call_is_far(void)
{
	return stacks_depth || clock_is_monotonic || call_min_ticks;
}

uint64_t call_skipped(unsigned function)
{
	return function < FUNCTION_IDS ? atomic_load(&skipped[function]) : 0;
}

/* While the process ends, somebody else has this thread's ring for a moment. False: for too long a moment. */
static bool wait_closed(struct thread *thread)
{
	struct patience patience = {0};

	while (thread_mode(thread) == THREAD_CLOSING)
		if (!patience_wait(&patience))
			return false;
	return true;
}

bool call_take_ring(struct thread *thread)
{
	for (;;) {
		thread_set_busy(thread);
		if (thread_mode(thread) != THREAD_CLOSING)
			return true;
		thread_set_idle(thread);
		if (!wait_closed(thread))
			return false;
	}
}

/* The structure that this call records into, marked busy; NULL: it cannot be recorded. */
static struct thread *ready_thread(void)
{
	struct thread *thread = thread_tls.self;

	if (thread_mode(thread) == THREAD_NONE)
		thread = thread_attach();
	else if (!thread_is_idle(thread)) /* a signal handler interrupted the recorder */
		thread = thread_spare(thread);
	if (!thread)
		return NULL;
	if (!thread_is_idle(thread)) {
		loss_count(LOSS_SIGNAL, 1);
		return NULL;
	}
	if (call_take_ring(thread))
		return thread;
	loss_count(LOSS_CLOSING, 1);
	return NULL;
}

/* While paused: looks at the control word. The stream is opened all the same, for others to find the word there. */
static bool stays_paused(void)
{
	int saved = errno;
	bool paused = !lifecycle_open() || control_paused();

	errno = saved;
	return paused;
}

static bool is_defined(unsigned function)
{
	return function_state_of(function) != FUNCTION_NEW || definition_function(function);
}

/* `start`: where the stack is to be followed from; NULL: no stacks. */
static bool enter_slow(struct call *call, unsigned function, unsigned arg_count, uintptr_t site,
		       const struct unwind_start *start)
{
	struct thread *thread;
	int saved = errno;
	bool opened = false;

	if (thread_tls.in_runtime || !lifecycle_start() ||
	    function_state_of(function) == FUNCTION_OFF)
		return false;
	if (function_state_of(function) == FUNCTION_PAUSED && stays_paused())
		return false;
	thread = ready_thread();
	if (thread) {
		if (is_defined(function))
			opened = call_open(call, thread, function, arg_count, site);
		else
			loss_of_call(thread, LOSS_WRITE_ERROR);
		if (opened && thread->is_spare)
			call->record->flags |= RECORD_SIGNAL;
		if (opened && start)
			call->record->stack_word = stacks_capture(thread, start, site);
		if (!opened)
			thread_set_idle(thread);
	}
	errno = saved;
	return opened;
}

/* call_enter() once more, with stacks: errno is not touched here either. Never inline: its frame is where stacks begin. */
static __attribute__((noinline, hot)) bool enter_with_stack(struct call *call, unsigned function,
							    unsigned arg_count, uintptr_t site)
{
	struct unwind_start start = UNWIND_START();
	struct thread *thread = thread_tls.self;

	if (unlikely(!thread_is_idle(thread) || function_state_of(function) != FUNCTION_FAR))
		return enter_slow(call, function, arg_count, site, &start);
	thread_set_busy(thread);
	if (unlikely(thread_mode(thread) != THREAD_ACTIVE)) {
		thread_set_idle(thread);
		return enter_slow(call, function, arg_count, site, &start);
	}
	if (unlikely(!call_open(call, thread, function, arg_count, site))) {
		thread_set_idle(thread);
		return false;
	}
	call->record->stack_word = stacks_id(thread, &start, site);
	return true;
}

bool call_enter_slow(struct call *call, unsigned function, unsigned arg_count, uintptr_t site)
{
	if (stacks_depth)
		return enter_with_stack(call, function, arg_count, site);
	return enter_slow(call, function, arg_count, site, NULL);
}

/* Stores a finished record at the ring's head; the ring has room. */
static void store(struct thread *thread, struct raw_record *record)
{
	if (record->tend < thread->last_end)
		record->tend = thread->last_end;
	record->flags &= (uint8_t)~RECORD_DROP;
	record->sequence = thread->sequence_low++;
	memcpy(thread->data + thread->head, record, record->size);
	thread->last_end = record->tend;
	test_point("publishing");
	thread_publish(thread, record->size);
	test_point("published");
}

/* The call at the top of the stack is over. */
static void pop(struct thread *thread, uint32_t level)
{
	thread->level = level;
	thread->open_top = thread->calls[level].offset;
	thread->ring->open_top = thread->open_top;
}

/* Makes room for `size` bytes; the open-call stack may lie elsewhere afterwards. False: a sandbox, the record is lost. */
static bool ensure_room(struct thread *thread, uint32_t size)
{
	if (thread->head + size <= thread->data_size)
		return true;
	if (sandbox_active()) {
		loss_of_call(thread, LOSS_RING_FULL);
		return false;
	}
	seal_ring(thread);
	if (thread->head + size > thread->data_size) /* after what it kept */
		seal_thread(thread, false);
	return true;
}

/* Whether a stack address lies on the stack that the thread runs on now. */
static bool same_stack(uintptr_t address, uintptr_t here)
{
	stack_t alternate;

	if (!sys_sigaltstack(NULL, &alternate) && (alternate.ss_flags & SS_ONSTACK))
		return address - (uintptr_t)alternate.ss_sp < alternate.ss_size;
	return here - address < LEFT_DISTANCE_MAX;
}

/* The innermost open call ends now, without having returned. */
static void drop_innermost(struct thread *thread, uint64_t now)
{
	uint32_t level = thread->level - 1;
	struct raw_record *record;

	ring_settle(thread);
	if (ensure_room(thread, call_open_record(thread, level)->size)) {
		record = call_open_record(thread, level);
		record->tend = now;
		record->flags |= RECORD_LEFT;
		store(thread, record);
	}
	pop(thread, level);
}

/* Calls at `frame` and inside of it, as seen from the stack's growth, have been left without a return. */
void call_drop_left(struct thread *thread, uintptr_t frame)
{
	uint64_t now = clock_ticks();

	while (thread->level > 0 && thread->calls[thread->level - 1].frame <= frame) {
		if (!same_stack(thread->calls[thread->level - 1].frame, frame))
			return; /* a signal handler's or a coroutine's */
		drop_innermost(thread, now);
	}
}

void call_drop_all(struct thread *thread)
{
	call_drop_to(
		thread,
		0); /* which asks for no time if there are none: in a sandbox there may be no clock */
}

void call_drop_to(struct thread *thread, uint32_t level)
{
	uint64_t now;

	if (thread->level <= level)
		return;
	now = clock_ticks();
	while (thread->level > level)
		drop_innermost(thread, now);
}

void call_drop_inside(struct thread *thread, uint32_t level)
{
	if (thread->level <= level)
		return;
	thread_set_busy(thread);
	call_drop_to(thread, level);
	thread_set_idle(thread);
}

void call_make_way(struct thread *thread, uintptr_t frame)
{
	if (thread->calls[thread->level - 1].frame <= frame)
		call_drop_left(thread, frame);
	ring_settle(thread);
}

bool call_may_nest(struct thread *thread, uint32_t size, uintptr_t frame)
{
	call_make_way(thread, frame);
	if (call_has_room(thread, size))
		return true;
	loss_of_call(thread, LOSS_TOO_DEEP);
	return false;
}

static bool is_dropped(const struct raw_record *record)
{
	return (record->flags & RECORD_DROP) ||
	       (record->tend - record->tstart < call_min_ticks && !named_is_mark(record->function));
}

static void count_skipped(const struct raw_record *record)
{
	if (record->function < FUNCTION_IDS && !(record->flags & RECORD_DROP))
		atomic_fetch_add(&skipped[record->function], 1);
}

/* When the innermost call is over, or was never open: those around it go on with their records where these are. */
static void seal_around(struct thread *thread)
{
	if (thread->level > 0)
		seal_thread_in_place(thread);
	else
		seal_thread(thread, false);
}

/* Now and then: whether the ring is old, or something was asked of the process. */
static void attend(struct thread *thread)
{
	uint32_t flushes = control_flushes();

	if (sandbox_active()) { /* now and then: it may be that the filter is refused */
		thread->attention = thread->last_end + SANDBOX_TICKS;
		return;
	}
	control_paused();
	if (thread_mode(thread) == THREAD_WRITE_THROUGH || flushes != thread->flushes)
		seal_around(thread);
	else if (thread->last_end > thread->seal_deadline && thread->level > 0)
		seal_ring_in_place(thread);
	else if (thread->last_end > thread->seal_deadline)
		seal_ring(thread);
	thread->flushes = flushes;
	thread->attention = seal_attention(thread);
}

void call_close(struct call *call)
{
	struct thread *thread = call->thread;
	int saved = errno;

	pop(thread, call->record->level);
	if (thread->last_end > thread->attention)
		attend(thread);
	errno = saved;
	thread_set_idle(thread);
}

static void close_call(struct call *call)
{
	struct thread *thread = call->thread;
	uint32_t level = call->record->level;

	/* Calls inside this one that were left by a longjmp to here are over, too. */
	if (thread->level > level + 1)
		call_drop_left(thread, (uintptr_t)call - 1);
	if (thread->level != level + 1 || thread->calls[level].frame != (uintptr_t)call) {
		/* closed already, as left: stacks were switched beyond recognition */
		loss_of_call(thread, LOSS_TOO_DEEP);
		return;
	}
	if (is_dropped(call->record)) {
		count_skipped(call->record);
	} else if (ensure_room(thread, call->record->size)) {
		store(thread, call_open_record(thread, level));
	}
	pop(thread, level);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH || thread->last_end > thread->attention)
		attend(thread);
}

void call_leave_slow(struct call *call)
{
	struct thread *thread = call->thread;
	int saved = errno;

	if (thread_mode(thread) == THREAD_NONE)
		return; /* forked meanwhile: the record is the parent's */
	if (thread_mode(thread) != THREAD_CLOSING || call_take_ring(thread))
		close_call(call);
	else
		loss_count(LOSS_CLOSING, 1);
	errno = saved;
	thread_set_idle(thread);
}

/* Makes room also while calls are open. False: a sandbox. */
static bool ensure_room_around(struct thread *thread, uint32_t size)
{
	if (thread->level > 0 && !sandbox_active() && thread->head + size > thread->data_size) {
		seal_ring_in_place(thread);
		if (thread->head + size > thread->data_size)
			seal_thread_in_place(thread);
	}
	return ensure_room(thread, size);
}

/* Stores a record that is not on the stack of open calls, from where it was put together. */
static void store_now(struct call *call)
{
	struct thread *thread = call->thread;
	uint32_t offset = (uint32_t)((uint8_t *)call->record - thread->open);

	if (call->record->flags & RECORD_DROP)
		return;
	if (!ensure_room_around(thread, call->record->size))
		return;
	call->record = (struct raw_record *)(thread->open + offset);
	store(thread, call->record);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH)
		seal_around(thread);
}

void call_store_mark(struct thread *thread, unsigned function, uint64_t ticks, const uint64_t *args,
		     unsigned arg_count)
{
	/* not among the open calls: a call may be put together there (exec) */
	uint64_t room[(sizeof(struct raw_record) / 8) + MARK_ARGS_MAX];
	struct raw_record *record = (struct raw_record *)room;
	uint32_t size = (uint32_t)sizeof(*record) + arg_count * 8;

	if (!is_defined(function)) {
		loss_of_call(thread, LOSS_WRITE_ERROR);
		return;
	}
	memset(record, 0, sizeof(*record));
	record->head = record_head(size, (uint16_t)function, (uint16_t)thread->level);
	record->arg_count = (uint8_t)arg_count;
	record->callsite = (uintptr_t)call_store_mark;
	record->outcome = record_outcome(0, 1);
	memcpy(record->args, args, arg_count * sizeof(*args));
	ring_settle(thread);
	if (!ensure_room_around(thread, size))
		return;
	record->tstart = record->tend = ticks > thread->last_end ? ticks : thread->last_end;
	store(thread, record);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH || thread->last_end > thread->attention)
		attend(thread);
}

static void release_thread(struct thread *thread, int saved)
{
	errno = saved;
	thread_set_idle(thread);
}

void call_store_noreturn(struct call *call)
{
	int saved = errno;

	call->record->flags |= RECORD_NORETURN;
	call->record->tstart = call->record->tend = clock_ticks();
	store_now(call);
	release_thread(call->thread, saved);
}

static void become_failed(struct raw_record *record, int err)
{
	record->flags &= (uint8_t)~RECORD_NORETURN;
	record->result = -1;
	record->err = err;
	record->tend = clock_ticks();
}

void call_store_failed(struct call *call, int err)
{
	int saved = errno;

	thread_set_busy(call->thread);
	become_failed(call->record, err);
	store_now(call);
	release_thread(call->thread, saved);
}

void call_correct_stored(struct call *call, int err)
{
	struct thread *thread = call->thread;
	uint32_t size = call->record->size;
	struct raw_record *stored = (struct raw_record *)(thread->data + thread->head - size);

	if ((call->record->flags & RECORD_DROP) || thread->head < size ||
	    stored->sequence != call->record->sequence ||
	    stored->function != call->record->function)
		return;
	become_failed(stored, err);
	thread->last_end = stored->tend;
}
