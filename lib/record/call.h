/* SPDX-License-Identifier: MIT */
/*
 * call.h - recording one call: what wrappers are written with.
 *
 *	ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)
 *	{
 *		__typeof__(pwrite) *next = function_next(SYM_pwrite);
 *		struct call call;
 *		ssize_t result;
 *
 *		if (!call_enter(&call, FN_pwrite, 3, CALL_SITE))
 *			return next(fd, buf, count, offset);
 *		arg_fd(&call, 0, fd);
 *		arg_int(&call, 1, count);
 *		arg_int(&call, 2, offset);
 *		call_start(&call);
 *		result = next(fd, buf, count, offset);
 *		call_stop(&call);
 *		result_int(&call, result, result == -1);
 *		call_leave(&call);
 *		return result;
 *	}
 *
 * call_enter() asks guard and filter and begins a record; the arg_*() functions (args.h) fill it; call_start() takes the first time stamp and makes the call
 * visible as "in flight"; call_stop() takes the second; then come results and arguments that are known only now; call_leave() publishes the finished record with one store.
 * While the real call runs the recorder holds nothing: a signal handler, a nested call or a longjmp finds it in order.
 *
 * Most calls make no further ones that are recorded. So their record is written **in place**, where it is going to lie, and nothing is copied:
 *
 *	open-call stack: those around it, if any	data: | record | record | in flight |
 *	                                        	                        ^ head
 *
 * The ring's header says so by `in_place`, which is then `published` + 1. When a call is made inside of it after all, also by a signal handler, before anything else is stored at the head, and where the
 * ring is too short for its strings and arrays, it is moved to the open-call stack (ring_settle()). call_stop() sees that it is not in place any more and finds it again: `record` is not to be kept across the real call.
 *
 * What needs more - another clock than the CPU's counter, a least duration, a function that is not yet defined, a signal handler that interrupted the recorder - goes the long way of pushed.h.
 * Most calls lie in no other one that is recorded: the code of wrappers is for those. What lies in others is in place, too, but entered by a function.
 * Only what happens to most calls is inline, and no more: code that has to be fetched, as the kernel has driven it out of the caches, costs more than what it does.
 *
 * errno: nothing here touches it, on any path.
 */
#ifndef RECORDER_RECORD_CALL_H
#define RECORDER_RECORD_CALL_H

#include <errno.h>
#include <string.h>

#include "record/clock.h"
#include "record/function.h"
#include "record/hidden.h"
#include "record/open_calls.h"
#include "record/sanitizer.h"
#include "record/thread.h"

/* The address that the wrapper returns to. */
#define CALL_SITE ((uintptr_t)__builtin_return_address(0))

struct call {
	struct thread *thread;
	struct raw_record *record; /* where it lies now */
};

/* What a function that is recorded becomes once it is defined. */
enum function_state call_state(void);

/* ---- slow paths, in call.c ---- */

/* Of a call that is on and lies within others; the thread is busy. */
bool call_enter_nested(struct call *call, unsigned function, unsigned arg_count, uintptr_t site);
bool call_enter_far(struct call *call, unsigned function, unsigned arg_count, uintptr_t site);
void call_start_far(struct call *call);
/* Makes it the innermost call, and finds its record, where it is now. `now`: a reading of the CPU's counter; `left`: where the thread was busy, 0 nowhere. Keeps errno. */
void call_stop_far(struct call *call, uint64_t now, uintptr_t left);
void call_leave_far(struct call *call);
/* Whether its record, that of the innermost call, may become so many bytes long though call_has_space() says no; if it is in place it is moved for that. */
bool call_may_grow(struct call *call, uint32_t size);
/* Closes a call that is plain and whose record is in the ring already, and looks at what is to be done now and then. */
void call_close(struct call *call);

/* ---- the way of most calls ---- */

static CALL_INLINE uint32_t call_size(unsigned arg_count)
{
	return (uint32_t)sizeof(struct raw_record) + arg_count * 8;
}

/* Whether a record of so many bytes may be in place if no other call is in flight. The thread is busy. */
static CALL_INLINE bool call_fits(const struct thread *thread, uint32_t size)
{
	return likely(thread_mode(thread) == THREAD_ACTIVE) &&
	       likely(thread->head + size <= thread->data_size);
}

/* Makes the call the innermost one, in others of that depth, with the record at the head, of which all else is said already. */
static CALL_INLINE void call_begin_in_place(struct call *call, struct thread *thread,
					    uint64_t depth, unsigned arg_count)
{
	uint32_t head = thread->head, level = (uint32_t)depth;
	struct raw_record *record = (struct raw_record *)(thread->data + head);

	record->tail = thread->sequence_low | (uint64_t)arg_count << 32;
	thread->calls[level].frame = (uintptr_t)call;
	thread->calls[level].place = (uint64_t)head + thread->data_offset;
	thread->depth = depth + DEPTH_IN_PLACE;
	call->thread = thread;
	call->record = record;
}

/* The same of a whole record. `depth` is thread->depth. */
static CALL_INLINE void call_open(struct call *call, struct thread *thread, uint64_t depth,
				  unsigned function, unsigned arg_count, uintptr_t site)
{
	struct raw_record *record = (struct raw_record *)(thread->data + thread->head);

	record->head = record_head(call_size(arg_count), (uint16_t)function, (uint16_t)depth);
	record->callsite = site;
	record->result = 0;
	record->outcome = record_outcome(0, 1);
	record->stack_word = 0;
	call_begin_in_place(call, thread, depth, arg_count);
}

/*
 * Whether the call is to be recorded; if so the wrapper must go through call_start(), call_stop() and call_leave(), and fill every argument. If not, none of them must be called.
 */
static CALL_INLINE bool call_enter(struct call *call, unsigned function, unsigned arg_count,
				   uintptr_t site)
{
	struct thread *thread = thread_tls.self;
	uint8_t state = function_state_of(function);

	sanitizer_forget_left();
	if (unlikely(!thread_is_idle(thread) || state != FUNCTION_ON))
		return state != FUNCTION_OFF && call_enter_far(call, function, arg_count, site);
	thread_set_busy_in(thread, (uintptr_t)call);
	if (unlikely(thread->depth))
		return call_enter_nested(call, function, arg_count, site);
	if (unlikely(!call_fits(thread, call_size(arg_count)))) {
		thread_set_idle(thread);
		return call_enter_far(call, function, arg_count, site);
	}
	call_open(call, thread, 0, function, arg_count, site);
	return true;
}

/* Whether the innermost call that is in flight is one of `function`: what a library does inside of its own is no call of its own. */
static inline bool call_is_inside(unsigned function)
{
	const struct thread *thread = thread_tls.self;

	return thread->level > 0 &&
	       call_open_record(thread, thread->level - 1)->function == function;
}

/* The arguments are there: takes the first time stamp and shows the call as in flight. */
static CALL_INLINE void call_start(struct call *call)
{
	struct thread *thread = call->thread;

	if (unlikely(!thread_is_in_place(thread))) {
		call_start_far(call);
		return;
	}
	call->record->tstart = clock_counter();
	compiler_barrier();
	thread->ring->in_place = thread->position + RING_IN_PLACE;
	thread_set_idle(thread);
	compiler_barrier();
}

/* Whether it is the innermost call, and in place. The thread is busy. */
static CALL_INLINE bool call_is_in_place(const struct call *call)
{
	const struct thread *thread = call->thread;

	return likely(thread_mode(thread) == THREAD_ACTIVE) && likely(thread_is_in_place(thread)) &&
	       likely(thread->calls[thread->level - 1].frame == (uintptr_t)call);
}

/* The same of the only call in flight. */
static CALL_INLINE bool call_is_alone_in_place(const struct call *call)
{
	const struct thread *thread = call->thread;

	return likely(thread_mode(thread) == THREAD_ACTIVE) &&
	       likely(thread_is_alone_in_place(thread)) &&
	       likely(thread->calls[0].frame == (uintptr_t)call);
}

/* Takes the second time stamp; to be the first thing after the real call. */
static CALL_INLINE void call_stop(struct call *call)
{
	uint64_t now = clock_counter();
	uintptr_t left;

	sanitizer_forget_left();
	compiler_barrier();
	left = thread_busy(call->thread);
	thread_set_busy_in(call->thread, (uintptr_t)call);
	if (likely(call_is_alone_in_place(call)) || likely(call_is_in_place(call)))
		call->record->tend = now;
	else
		call_stop_far(call, now, left);
}

/* Whether its record, which is in place, may become so many bytes long without being moved; there must also be space where it would be moved to. */
static CALL_INLINE bool call_has_space(const struct call *call, uint32_t size)
{
	const struct thread *thread = call->thread;

	return thread_is_in_place(thread) &&
	       (uint8_t *)call->record == thread->data + thread->head && size <= RECORD_MAX_SIZE &&
	       thread->head + size <= thread->data_size &&
	       (thread->open_top & ~OPEN_IN_PLACE) + size <= thread->open_size;
}

/* Whether the call needs nothing but to be stored and closed. */
static CALL_INLINE bool call_is_plain(const struct call *call)
{
	const struct thread *thread = call->thread;
	const struct raw_record *record = call->record;

	return thread_mode(thread) == THREAD_ACTIVE && thread->level == record->level + 1u &&
	       thread->calls[record->level].frame == (uintptr_t)call && !record->flags &&
	       record->tend - record->tstart >= call_min_ticks && record->tend >= thread->last_end;
}

static CALL_INLINE void call_leave(struct call *call)
{
	const struct raw_record *record = call->record;
	struct thread *thread = call->thread;
	uint64_t tend = record->tend;

	if (unlikely(!thread_is_in_place(thread) || record->flags || tend < thread->last_end ||
		     tend > thread->attention)) {
		call_leave_far(call);
		return;
	}
	thread->sequence_low++;
	thread->last_end = tend;
	thread_publish(thread, (uint32_t)record->head);
	thread->depth -= DEPTH_IN_PLACE;
	thread_set_idle(thread);
}

/*
 * For calls that do not return (exec, exit): after pushed_enter() (pushed.h), instead of what comes there. The record is stored at once,
 * flagged.
 */
void call_store_noreturn(struct call *call);
/* It came back after all (exec failed), and its record was taken out of the stream: stores it as that of an ordinary failed call. */
void call_store_failed(struct call *call, int err);
/* The same where the record is still in the ring: corrects it there. */
void call_correct_stored(struct call *call, int err);

/*
 * A record of about now, at `ticks`, that is no call and has no duration, for who has the thread's ring: as busy, or taken over at the end. Without room, or
 * where the function cannot be defined, it is lost, which is counted. May change errno.
 */
#define MARK_ARGS_MAX 8u
void call_store_mark(struct thread *thread, unsigned function, uint64_t ticks, const uint64_t *args,
		     unsigned arg_count);

#endif
