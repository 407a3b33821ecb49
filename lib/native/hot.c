/* SPDX-License-Identifier: MIT */
/* hot.c - see hot.h. Compiled with -mgeneral-regs-only. */
#include "native/hot.h"

#include "native/addresses.h"
#include "native/specs.h"
#include "record/call.h"

#if defined(__SSE__)
const bool native_hot_is_general = false; /* a compiler without that option */
#else
const bool native_hot_is_general = true;
#endif

struct native_function native_functions[NATIVE_FUNCTIONS_MAX];

/* Marks the thread busy. False: the call needs more than is done here. */
static CALL_INLINE bool claim(struct thread *thread, const struct native_tls *tls, uintptr_t slot,
			      uint32_t size)
{
	if (!thread_is_idle(thread))
		return false;
	thread_set_busy(thread);
	if (likely(thread_mode(thread) == THREAD_ACTIVE && !tls->busy && tls->free &&
		   call_has_room(thread, size) &&
		   (thread->level == 0 || thread->calls[thread->level - 1].frame > slot)))
		return true;
	thread_set_idle(thread);
	return false;
}

/* Opens the call and its thunk, to which the caller has to go; the thread is claimed. */
static CALL_INLINE unsigned begin(struct thread *thread, struct native_tls *tls, uint32_t number,
				  uint32_t function, uintptr_t resume, struct native_frame *frame,
				  const struct native_spec *spec, unsigned arg_count)
{
	uintptr_t slot = NATIVE_SLOT(frame);
	struct thunk_call *open;
	struct call call;
	uint32_t thunk = thunk_take(tls);

	call_push(&call, thread, number, arg_count, frame->slot, slot);
	for (unsigned i = 0; i < arg_count; i++)
		call.record->args[i] =
			(uint64_t)spec_integer(&spec->args[i],
					       native_word(frame, spec->args[i].place));
	open = &native_calls[thunk];
	open->slot = open->frame = slot;
	open->thread = thread;
	open->record = call.record;
	open->level = thread->level;
	open->function = function;
	open->outer = 0;
	native_words[thunk] = (struct thunk_word){resume, frame->slot};
	frame->at = thunk_entry(thunk);
	call_start(&call);
	return 1;
}

unsigned native_enter(struct native_frame *frame)
{
	const struct native_function *function = &native_functions[frame->at];
	uint8_t state = function_state_of(function->number);
	struct thread *thread = thread_tls.self;
	struct native_tls *tls = &native_tls;

	if (state == FUNCTION_OFF && !function->aside) {
		frame->at = function->resume;
		return 0;
	}
	if (unlikely(state != FUNCTION_ON || function->aside || clock_is_monotonic ||
		     thunk_of(frame->slot) != THUNK_NONE ||
		     !claim(thread, tls, NATIVE_SLOT(frame),
			    sizeof(struct raw_record) + function->arg_count * 8u)))
		return native_aside(native_enter_aside, frame);
	return begin(thread, tls, function->number, (uint32_t)frame->at, function->resume, frame,
		     function->spec, function->arg_count);
}

unsigned native_fentry_enter(struct native_frame *frame)
{
	uint32_t number = address_number(frame->at);
	struct thread *thread = thread_tls.self;
	struct native_tls *tls = &native_tls;
	uint8_t state;

	if (number == ADDRESS_OFF)
		return 0;
	state = number == ADDRESS_UNKNOWN ? FUNCTION_NEW : function_state_of(number);
	if (state == FUNCTION_OFF)
		return 0;
	if (unlikely(state != FUNCTION_ON || clock_is_monotonic ||
		     thunk_of(frame->slot) != THUNK_NONE ||
		     !claim(thread, tls, NATIVE_SLOT(frame), sizeof(struct raw_record))))
		return native_aside(native_fentry_aside, frame);
	return begin(thread, tls, number, 0, frame->at, frame, NULL, 0);
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

void native_leave(struct native_frame *frame)
{
	uint32_t thunk = thunk_of(frame->at);
	struct thunk_call *open = &native_calls[thunk];
	struct native_tls *tls = &native_tls;
	struct thread *thread = thread_tls.self;
	const struct native_function *function = &native_functions[open->function];
	struct call call = {thread, open->record};

	if (likely(!clock_is_monotonic && is_innermost(open, thread) && !tls->busy &&
		   thread_is_idle(thread) && !function->aside_result)) {
		call.record->tend = clock_ticks();
		thread_set_busy(thread);
		if (likely(call_is_quick(&call, open->frame))) {
			frame->slot = native_words[thunk].real;
			if (function->spec && function->spec->has_result)
				call.record->result =
					spec_integer(&function->spec->result, frame->rax);
			thunk_give(tls, thunk);
			call_store(&call);
			return;
		}
		thread_set_idle(thread);
	}
	native_aside(native_leave_aside, frame);
}
