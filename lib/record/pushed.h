/* SPDX-License-Identifier: MIT */
/*
 * pushed.h - recording a call on the open-call stack: of calls that begin and end in two functions of ours (regions, functions of Python, functions by name), of those that do not return, and of all for
 * whom the short way of call.h is not enough.
 *
 *	if (pushed_enter(&call, function, 1, site)) {		pushed_stop(&call);
 *		arg_int(&call, 0, ...);				result_int(&call, ...);
 *		pushed_start(&call);				pushed_leave(&call);
 *	}
 *
 * As in call.h, but the record is put together on top of the stack, where it stays until pushed_leave() copies it to the ring's head. So whoever has its frame's place finds it again.
 */
#ifndef RECORDER_RECORD_PUSHED_H
#define RECORDER_RECORD_PUSHED_H

#include "record/call.h"
#include "record/mend.h"

__attribute__((cold)) bool pushed_enter_slow(struct call *call, unsigned function,
					     unsigned arg_count, uintptr_t site);
__attribute__((cold)) void pushed_leave_slow(struct call *call);

/* Puts a record with all arguments 0 on top of the open calls, where there is room for it; `frame`: struct open_call. */
static CALL_INLINE void pushed_put(struct call *call, struct thread *thread, unsigned function,
				   unsigned arg_count, uintptr_t site, uintptr_t frame)
{
	uint32_t size = sizeof(struct raw_record) + arg_count * 8;
	uint32_t level = thread->level;
	struct raw_record *record = (struct raw_record *)(thread->open + thread->open_top);

	record->head = record_head(size, (uint16_t)function, (uint16_t)level);
	record->tail = (uint64_t)arg_count << 32;
	record->callsite = site;
	record->tstart = 0; /* it is none of before (mend.h) */
	record->result = 0;
	record->outcome = record_outcome(0, 1);
	record->stack_word = 0;
	thread->calls[level].frame = frame;
	thread->calls[level].place = thread->open_top;
	call->thread = thread;
	call->record = record;
}

/* Opens a record; the caller has set thread->busy. */
static CALL_INLINE bool pushed_open(struct call *call, struct thread *thread, unsigned function,
				    unsigned arg_count, uintptr_t site)
{
	uint32_t size = sizeof(struct raw_record) + arg_count * 8;

	if (thread->level > 0 && !call_may_nest(thread, size, (uintptr_t)call))
		return false;
	pushed_put(call, thread, function, arg_count, site, (uintptr_t)call);
	return true;
}

/* As call_enter(). What follows is pushed_start(), pushed_stop() and pushed_leave(), or call_store_noreturn(). */
static CALL_INLINE bool pushed_enter(struct call *call, unsigned function, unsigned arg_count,
				     uintptr_t site)
{
	struct thread *thread = thread_tls.self;
	uint8_t state = function_state_of(function);

	sanitizer_forget_left();
	if (state == FUNCTION_OFF)
		return false;
	if (unlikely(!thread_is_idle(thread) || state != FUNCTION_ON))
		return pushed_enter_slow(call, function, arg_count, site);
	thread_set_busy_in(thread, (uintptr_t)call);
	if (unlikely(thread_mode(thread) != THREAD_ACTIVE)) {
		thread_set_idle(thread);
		return pushed_enter_slow(call, function, arg_count, site);
	}
	if (unlikely(!pushed_open(call, thread, function, arg_count, site))) {
		thread_set_idle(thread);
		return false;
	}
	return true;
}

/* From now on it is the innermost call. */
static CALL_INLINE void pushed_put_up(struct call *call)
{
	struct thread *thread = call->thread;

	thread->level++;
	thread->open_top += call->record->size;
}

/* As call_start(). */
static CALL_INLINE void pushed_start(struct call *call)
{
	struct thread *thread = call->thread;

	pushed_put_up(call);
	call->record->tstart = clock_ticks();
	compiler_barrier();
	thread->ring->open_top = thread->open_top;
	thread_set_idle(thread);
	compiler_barrier();
}

/* As call_stop(). */
static inline void pushed_stop(struct call *call)
{
	struct raw_record *record = call->record;

	record->tend = clock_ticks();
	sanitizer_forget_left();
	compiler_barrier();
	if (unlikely(!thread_is_idle(call->thread)))
		mend_inside(call->thread, thread_busy(call->thread), (uintptr_t)call);
	thread_set_busy_in(call->thread, (uintptr_t)call);
}

/*
 * Copies a record word by word, as its fields were written: a wider load would have to wait until the stores are done. The copy
 * gets the sequence number.
 */
static CALL_INLINE void record_copy(uint8_t *to, const struct raw_record *from, uint32_t size,
				    uint32_t sequence)
{
	const uint64_t *source = (const uint64_t *)from;
	uint64_t *target = (uint64_t *)to;
	uint32_t words = size / 8;

	target[0] = source[0];
	target[1] = source[1] | sequence;
	for (uint32_t i = 2; i < sizeof(*from) / 8; i++)
		target[i] = source[i];
	for (uint32_t i = sizeof(*from) / 8; i < words; i++)
		target[i] = source[i];
}

/* Whether it can be stored at once: the call is plain, there is room, and nothing else is to be done. */
static CALL_INLINE bool pushed_is_quick(const struct call *call)
{
	const struct thread *thread = call->thread;

	return call_is_plain(call) && thread->head + call->record->size <= thread->data_size &&
	       call->record->tend <= thread->attention;
}

/* Copies the record of such a call into the ring, publishes it and closes the call. */
static CALL_INLINE void pushed_store(struct call *call)
{
	struct thread *thread = call->thread;
	struct raw_record *record = call->record;
	uint32_t size = record->size;

	record_copy(thread->data + thread->head, record, size, thread->sequence_low++);
	thread->last_end = record->tend;
	thread_publish(thread, size);
	thread->level = record->level;
	thread->open_top = thread->calls[record->level].offset;
	thread->ring->open_top = thread->open_top;
	thread_set_idle(thread);
}

/* As call_leave(). */
static CALL_INLINE void pushed_leave(struct call *call)
{
	if (likely(pushed_is_quick(call)))
		pushed_store(call);
	else
		pushed_leave_slow(call);
}

#endif
