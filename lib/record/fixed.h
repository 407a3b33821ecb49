/* SPDX-License-Identifier: MIT */
/*
 * fixed.h - recording a call whose record has a fixed size: what a generated wrapper does that has no string and no array.
 *
 *	if (!fixed_enter(&call, FN_lseek, 3, CALL_SITE))
 *		return next(fd, offset, whence);
 *	arg_fd(&call, 0, fd);
 *	...
 *	fixed_start(&call);
 *	result = next(fd, offset, whence);
 *	fixed_stop(&call);
 *	result_int(&call, result, result == -1);
 *	fixed_leave(&call, 3);
 *
 * As call.h has it, but for where the record grows. Most calls make no further ones that are recorded. So it is written **in place**, where it is going to lie, and nothing is copied:
 *
 *	open-call stack: those around it, if any	data: | record | record | in flight |
 *	                                        	                        ^ head
 *
 * The ring's header says so by `in_place`, which is then `published` + 1. When a call is made inside of it after all, also by a signal handler, and before anything else is stored at the head, it is moved to
 * the open-call stack (ring_settle()). fixed_stop() sees that it is not in place any more and finds it again. What is in place has stamps of the CPU's counter, no stack, and may be as short as it likes: else functions are FUNCTION_FAR.
 *
 * Only what happens to most calls is inline, and no more: code that has to be fetched, as the kernel has driven it out of the caches, costs more than what it does.
 */
#ifndef RECORDER_RECORD_FIXED_H
#define RECORDER_RECORD_FIXED_H

#include "record/call.h"

/* All that is not simply in place. */
bool fixed_enter_far(struct call *call, unsigned function, unsigned arg_count, uintptr_t site);
void fixed_start_far(struct call *call);
/* Makes it the innermost call, not in place, and finds its record, where it is now. `now`: a reading of the CPU's counter. Keeps errno. */
void fixed_stop_far(struct call *call, uint64_t now);
void fixed_leave_far(struct call *call);
/* Of a call within others: drops what the program has left, moves the one around it out of the way. False: it cannot be in place. */
bool fixed_may_nest(struct thread *thread, uint32_t size, uintptr_t frame);

static CALL_INLINE uint32_t fixed_size(unsigned arg_count)
{
	return (uint32_t)sizeof(struct raw_record) + arg_count * 8;
}

/* Whether a record of so many bytes may be in place. The thread is busy. */
static CALL_INLINE bool fixed_has_place(struct thread *thread, uint32_t size, uintptr_t frame)
{
	return likely(thread_mode(thread) == THREAD_ACTIVE) &&
	       likely(thread->head + size <= thread->data_size) &&
	       (likely(thread->depth == 0) || fixed_may_nest(thread, size, frame));
}

static CALL_INLINE void fixed_open(struct call *call, struct thread *thread, unsigned function,
				   unsigned arg_count, uintptr_t site)
{
	uint32_t head = thread->head, level = thread->level;
	struct raw_record *record = (struct raw_record *)(thread->data + head);

	record->head = record_head(fixed_size(arg_count), (uint16_t)function, (uint16_t)level);
	record->tail = thread->sequence_low | (uint64_t)arg_count << 32;
	record->callsite = site;
	record->result = 0;
	record->outcome = record_outcome(0, 1);
	record->stack_word = 0;
	thread->calls[level].frame = (uintptr_t)call;
	thread->calls[level].offset = thread_data_offset(thread) + head;
	thread->calls[level].skipped = 0;
	thread->depth += DEPTH_IN_PLACE;
	call->thread = thread;
	call->record = record;
}

static CALL_INLINE bool fixed_enter(struct call *call, unsigned function, unsigned arg_count,
				    uintptr_t site)
{
	struct thread *thread = thread_tls.self;
	uint8_t state = function_state_of(function);

	sanitizer_forget_left();
	if (unlikely(!thread_is_idle(thread) || state != FUNCTION_ON))
		return fixed_enter_far(call, function, arg_count, site);
	thread_set_busy(thread);
	if (unlikely(!fixed_has_place(thread, fixed_size(arg_count), (uintptr_t)call))) {
		thread_set_idle(thread);
		return fixed_enter_far(call, function, arg_count, site);
	}
	fixed_open(call, thread, function, arg_count, site);
	return true;
}

/* The arguments are there: takes the first time stamp and shows the call as in flight. */
static CALL_INLINE void fixed_start(struct call *call)
{
	struct thread *thread = call->thread;

	if (unlikely(!thread_is_in_place(thread))) {
		fixed_start_far(call);
		return;
	}
	call->record->tstart = clock_counter();
	compiler_barrier();
	thread->ring->in_place = thread->position + RING_IN_PLACE;
	thread_set_idle(thread);
	compiler_barrier();
}

/* Whether it is the innermost call, and in place. The thread is busy. */
static CALL_INLINE bool fixed_is_in_place(const struct call *call)
{
	const struct thread *thread = call->thread;

	return likely(thread_mode(thread) == THREAD_ACTIVE) && likely(thread_is_in_place(thread)) &&
	       likely(thread->calls[thread->level - 1].frame == (uintptr_t)call);
}

/* Takes the second time stamp; to be the first thing after the real call. */
static CALL_INLINE void fixed_stop(struct call *call)
{
	uint64_t now = clock_counter();

	sanitizer_forget_left();
	compiler_barrier();
	thread_set_busy(call->thread);
	if (likely(fixed_is_in_place(call)))
		call->record->tend = now;
	else
		fixed_stop_far(call, now);
}

static CALL_INLINE void fixed_leave(struct call *call, unsigned arg_count)
{
	const struct raw_record *record = call->record;
	struct thread *thread = call->thread;
	uint64_t tend = record->tend;

	if (unlikely(!thread_is_in_place(thread) || record->flags || tend < thread->last_end ||
		     tend > thread->attention)) {
		fixed_leave_far(call);
		return;
	}
	thread->sequence_low++;
	thread->last_end = tend;
	thread_publish(thread, fixed_size(arg_count));
	thread->depth -= DEPTH_IN_PLACE;
	thread_set_idle(thread);
}

#endif
