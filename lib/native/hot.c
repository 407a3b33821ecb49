/* SPDX-License-Identifier: MIT */
/* hot.c - see hot.h. Compiled with -mgeneral-regs-only. */
#include "native/hot.h"

#include "native/addresses.h"
#include "record/bulk.h"
#include "record/pushed.h"
#include "record/quick.h"

#ifdef GENERAL_REGISTERS_ONLY
const bool native_hot_is_general = true;
#else
const bool native_hot_is_general = false; /* a compiler without that option */
#endif

struct native_function native_functions[NATIVE_FUNCTIONS_MAX] BULK;

/* Marks the thread busy. False: the call needs more than is done here. */
static CALL_INLINE bool claim(struct thread *thread, const struct native_tls *tls,
			      const struct native_frame *frame, uint32_t size)
{
	if (unlikely(thunk_of(frame->slot) != THUNK_NONE || !quick_claim(thread)))
		return false;
	if (likely(!tls->busy && tls->free && call_has_room(thread, size) &&
		   quick_frame_inside(thread) >= native_place(frame)))
		return true;
	quick_give_up(thread);
	return false;
}

/* A thunk for the call that begins, to which the caller has to go. */
static CALL_INLINE void take(struct thread *thread, struct native_tls *tls, uint32_t function,
			     bool has_result, uintptr_t resume, struct native_frame *frame)
{
	uint32_t thunk = thunk_take(tls);
	struct thunk_call *open = &native_calls[thunk];

	open->slot = native_slot(native_place(frame), function);
	open->frame = native_place(frame);
	open->thread = thread;
	open->record = (struct raw_record *)(thread->open + thread->open_top);
	open->level = thread->level;
	open->function = function;
	open->outer = 0;
	open->has_result = has_result;
	native_words[thunk] = (struct thunk_word){resume, frame->slot};
	frame->at = thunk_entry(thunk);
}

/* With arguments or a result; the thread is claimed. */
static __attribute__((noinline)) unsigned enter_with(struct thread *thread, struct native_tls *tls,
						     const struct native_function *function,
						     struct native_frame *frame)
{
	const struct native_spec *spec = function->spec;
	struct call call;

	take(thread, tls, (uint32_t)frame->at, spec && spec->has_result, function->resume, frame);
	pushed_put(&call, thread, function->number, function->arg_count, frame->slot,
		   native_place(frame));
	for (unsigned i = 0; i < function->arg_count; i++)
		call.record->args[i] =
			(uint64_t)spec_integer(&spec->args[i],
					       native_word(frame, spec->args[i].place));
	pushed_start(&call);
	return 1;
}

unsigned native_enter(struct native_frame *frame)
{
	const struct native_function *function = &native_functions[frame->at];
	uint8_t state = function_state_of(function->number);
	struct thread *thread = thread_tls.self;
	struct native_tls *tls = &native_tls;

	if (unlikely(state == FUNCTION_OFF && !function->aside)) {
		frame->at = function->resume;
		return 0;
	}
	if (unlikely(state != FUNCTION_ON || function->aside ||
		     !claim(thread, tls, frame,
			    sizeof(struct raw_record) + function->arg_count * 8u)))
		return native_aside(native_enter_aside, frame);
	if (unlikely(function->spec))
		return enter_with(thread, tls, function, frame);
	take(thread, tls, (uint32_t)frame->at, false, function->resume, frame);
	quick_begin(thread, function->number, frame->slot, native_place(frame));
	return 1;
}

unsigned native_fentry_enter(struct native_frame *frame)
{
	uint32_t number = address_number(frame->at);
	struct thread *thread = thread_tls.self;
	struct native_tls *tls = &native_tls;

	if (number == ADDRESS_OFF)
		return 0;
	if (unlikely(number == ADDRESS_UNKNOWN || function_state_of(number) != FUNCTION_ON ||
		     !claim(thread, tls, frame, sizeof(struct raw_record))))
		return number == ADDRESS_UNKNOWN || function_state_of(number) != FUNCTION_OFF
			       ? native_aside(native_fentry_aside, frame)
			       : 0;
	take(thread, tls, 0, false, frame->at, frame);
	quick_begin(thread, number, frame->slot, native_place(frame));
	return 1;
}

void native_mcount_enter(struct native_frame *frame)
{
	if (!native_next_mcount)
		native_aside(native_mcount_find, frame);
	if (address_number(frame->at) != ADDRESS_OFF)
		native_aside(native_mcount_aside, frame);
}

/* Whether the record of a thunk's call is still among the open ones, the innermost: not left meanwhile, nor of a process that this one was forked from. */
static CALL_INLINE bool is_innermost(const struct thunk_call *open, const struct thread *thread)
{
	const struct open_call *call = &thread->calls[open->level];

	return open->thread == thread && !open->outer && open->level + 1 == thread->level &&
	       call->frame == open->frame &&
	       thread->open + call->offset == (const uint8_t *)open->record;
}

/* What a call that is recorded from general registers returns. */
static __attribute__((noinline)) uint64_t result_of(const struct native_function *function,
						    const struct native_frame *frame)
{
	return (uint64_t)spec_integer(&function->spec->result, native_result(frame));
}

/* The call of a thunk ended at `now`. False: the call needs more than is done here. */
static CALL_INLINE bool leave(struct thunk_call *open, struct thread *thread,
			      const struct native_tls *tls, uint64_t result, uint64_t now)
{
	if (unlikely(!is_innermost(open, thread) || tls->busy || !quick_claim(thread)))
		return false;
	if (likely(quick_end(thread, result, now)))
		return true;
	quick_give_up(thread);
	return false;
}

void native_leave(struct native_frame *frame)
{
	struct thread *thread = thread_tls.self;
	uint64_t now = quick_stamp(thread), result = 0;
	uint32_t thunk = (uint32_t)((frame->at - (uintptr_t)native_thunks) / THUNK_SIZE);
	struct thunk_call *open = &native_calls[thunk];
	const struct native_function *function = &native_functions[open->function];
	struct native_tls *tls = &native_tls;

	if (unlikely(open->has_result && !function->aside_result))
		result = result_of(function, frame);
	if (unlikely((open->has_result && function->aside_result) ||
		     !leave(open, thread, tls, result, now))) {
		native_aside(native_leave_aside, frame);
		return;
	}
	frame->slot = native_words[thunk].real;
	thunk_give(tls, thunk);
}
