/* SPDX-License-Identifier: MIT */
/* aside.c - what calls of native functions need now and then: threads that begin, arguments, records that have been left. */
#include <errno.h>
#include <string.h>

#include "native/addresses.h"
#include "native/hot.h"
#include "native/instrumented.h"
#include "record/args.h"
#include "record/pushed.h"
#include "record/named.h"
#include "record/readable.h"
#include "record/sharing.h"
#include "record/unwind.h"

#define TAIL_CALLS_MAX                                                                             \
	6u /* by which the frames of calls with one return address differ: words are of 8 bytes */

/* ---- arguments and results ---- */

static double number_at(const struct native_item *item, const void *vectors)
{
	const char *place = (const char *)vectors + NATIVE_VECTORS_OFFSET + 16u * item->place;
	double number;
	float single;

	memcpy(&number, place, sizeof(number));
	memcpy(&single, place, sizeof(single));
	return item->bits == 32 ? (double)single : number;
}

/* What is at an address; without one, as of an argument that is optional, 0. */
static void put_indirect(struct call *call, unsigned index, const struct native_item *item,
			 uint64_t address)
{
	size_t size = item->bits / 8u;
	uint64_t word = 0;
	double number;
	float single;

	if (address && readable((const void *)address, size))
		memcpy(&word, (const void *)address, size);
	memcpy(&number, &word, sizeof(number));
	memcpy(&single, &word, sizeof(single));
	if (item->floating)
		arg_double(call, index, item->bits == 32 ? (double)single : number);
	else
		arg_int(call, index, spec_integer(item, word));
}

/* Strings that do not end by themselves. */
static void put_counted(struct call *call, unsigned index, const char *text, uint64_t length)
{
	if (text && length <= UINT32_MAX && readable(text, length))
		arg_bytes(call, index, text, length);
	else
		arg_string(call, index, NULL);
}

static void put(struct call *call, unsigned index, const struct native_item *item, uint64_t word,
		const void *vectors)
{
	if (item->indirect)
		put_indirect(call, index, item, word);
	else if (item->floating)
		arg_double(call, index, number_at(item, vectors));
	else if (item->kind == KIND_string)
		arg_string(call, index, (const char *)word);
	else if (item->kind == KIND_pointer)
		arg_pointer(call, index, (const void *)word);
	else
		arg_int(call, index, spec_integer(item, word));
}

static void put_arguments(struct call *call, const struct native_spec *spec,
			  const struct native_frame *frame, const void *vectors)
{
	for (unsigned i = 0; i < spec->arg_count; i++) {
		const struct native_item *item = &spec->args[i];

		if (item->length)
			put_counted(call, i, (const char *)native_word(frame, item->place),
				    native_word(frame, item->length - 1u));
		else
			put(call, i, item, native_word(frame, item->place), vectors);
	}
}

/* `frame` NULL: the function has jumped to another one, whose result is its own. */
static void put_result(struct call *call, const struct native_spec *spec,
		       const struct native_frame *frame, const void *vectors)
{
	if (!spec || !spec->has_result || !frame)
		return;
	if (spec->result.kind == KIND_string)
		arg_string(call, spec->arg_count, (const char *)native_result(frame));
	else if (spec->result.floating)
		result_double(call, number_at(&spec->result, vectors));
	else
		result_int(call, spec_integer(&spec->result, native_result(frame)), false);
}

/* ---- entering ---- */

/* Calls at that place and inside of it have been left. */
static void drop_left(uintptr_t slot)
{
	struct thread *thread = sharing_self();

	if (!thread_is_idle(thread) || thread_mode(thread) == THREAD_NONE || thread->level == 0 ||
	    thread->calls[thread->level - 1].frame > slot)
		return;
	thread_set_busy(thread);
	if (thread_mode(thread) == THREAD_ACTIVE)
		call_drop_left(thread, slot);
	thread_set_idle(thread);
}

static void leave(const struct thunk_call *open, const struct native_frame *frame,
		  const void *vectors);

struct entering {
	uintptr_t place; /* native_place() */
	uintptr_t slot;  /* native_slot() */
	uintptr_t real;  /* where it returns to, before any thunk */
	uint32_t outer;  /* a thunk, see thunks.h, or THUNK_NONE */
	const struct native_frame *frame;
	const void *vectors;
	uint32_t number, function;
	uintptr_t resume;
};

/*
 * The caller has jumped here instead of calling, and its own call is traced: that is still open, the new one lies within it, and both end at once. Where too many do that in a row, as
 * machines of states do, their frames could not be told apart: then the caller's ends now. Gives the frame of the new one.
 */
static uintptr_t enter_from_tail(struct entering *entering)
{
	uintptr_t slot = entering->place;
	struct thunk_call *open = &native_calls[entering->outer];
	struct thread *thread = thunk_holder(open);
	uint32_t over = entering->outer;

	entering->real = native_words[over].real;
	if (!thread || thread->level != open->level + 1 || slot - open->frame > TAIL_CALLS_MAX)
		return slot;
	if (slot - open->frame < TAIL_CALLS_MAX)
		return open->frame - 1;
	leave(open, NULL, NULL);
	entering->outer = open->outer - 1;
	thunk_give(&native_tls, over);
	return slot - TAIL_CALLS_MAX;
}

/* The record is open: a thunk takes its place. */
static uint32_t enter_thunk(const struct entering *entering, struct call *call, uintptr_t frame)
{
	uint32_t thunk = thunk_take(&native_tls);
	struct thunk_call *open = &native_calls[thunk];

	call->thread->calls[call->record->level].frame = frame;
	open->slot = entering->slot;
	open->frame = frame;
	open->thread = call->thread;
	open->record = call->record;
	open->level = call->record->level;
	open->function = entering->function;
	open->has_result = native_has_result(entering->function);
	open->outer = entering->outer + 1; /* of THUNK_NONE: 0 */
	native_words[thunk] = (struct thunk_word){entering->resume, entering->real};
	return thunk;
}

/* The thunk; THUNK_NONE: the call is not recorded. */
static uint32_t enter(struct entering *entering, const struct native_spec *spec, unsigned arg_count)
{
	uintptr_t own = entering->place;
	struct call call;
	uint32_t thunk;

	entering->outer = thunk_of(entering->real);
	if (entering->outer != THUNK_NONE)
		own = enter_from_tail(entering);
	else
		drop_left(own);
	if (!native_tls.free && !thunks_refill(&native_tls)) {
		loss_count(LOSS_TOO_DEEP, 1);
		return THUNK_NONE;
	}
	if (!pushed_enter(&call, entering->number, arg_count, entering->real))
		return THUNK_NONE;
	if (spec)
		put_arguments(&call, spec, entering->frame, entering->vectors);
	thunk = enter_thunk(entering, &call, own);
	pushed_start(&call);
	return thunk;
}

/* Not when a signal came in between of something of this kind. */
static uint32_t enter_guarded(struct entering *entering, const struct native_spec *spec,
			      unsigned arg_count)
{
	int saved = errno;
	uint32_t thunk;

	if (native_tls.busy) {
		if (native_tls.busy != NATIVE_STARTS)
			loss_count(LOSS_SIGNAL, 1);
		return THUNK_NONE;
	}
	native_tls.busy = thread_mode(thread_tls.self) == THREAD_NONE ? NATIVE_STARTS : 1;
	thunk = enter(entering, spec, arg_count);
	native_tls.busy = 0;
	errno = saved;
	return thunk;
}

unsigned native_enter_aside(struct native_frame *frame, void *vectors)
{
	const struct native_function *function = &native_functions[frame->at];
	struct entering entering = {.place = native_place(frame),
				    .slot = native_slot(native_place(frame), (uint32_t)frame->at),
				    .real = frame->slot,
				    .frame = frame,
				    .vectors = vectors,
				    .number = function->number,
				    .function = (uint32_t)frame->at,
				    .resume = function->resume};
	uint32_t thunk;

	frame->at = function->resume;
	if (function->hook) {
		function->hook();
		return 0;
	}
	thunk = enter_guarded(&entering, function->spec, function->arg_count);
	if (thunk == THUNK_NONE)
		return 0;
	frame->at = thunk_entry(thunk);
	return 1;
}

/* By a function that its compiler has instrumented, at `address` in it. */
static uint32_t enter_instrumented(uintptr_t address, uintptr_t place, uintptr_t real,
				   enum instrumented_by how)
{
	uint32_t number = address_number(address);
	struct entering entering = {.place = place, .slot = place, .real = real, .resume = address};

	if (number == ADDRESS_UNKNOWN)
		number = instrumented_ask(address, how);
	if (number >= ADDRESS_OFF)
		return THUNK_NONE;
	entering.number = number;
	return enter_guarded(&entering, NULL, 0);
}

unsigned native_fentry_aside(struct native_frame *frame, void *vectors)
{
	uint32_t thunk = enter_instrumented(frame->at, native_place(frame), frame->slot,
					    INSTRUMENTED_FENTRY);

	(void)vectors;
	if (thunk == THUNK_NONE)
		return 0;
	frame->at = thunk_entry(thunk);
	return 1;
}

/* The function's frame is there already: its return address is changed where it lies. */
unsigned native_mcount_aside(struct native_frame *frame, void *vectors)
{
	uintptr_t *slot = native_saved_return(frame);
	uint32_t thunk;

	(void)vectors;
	if (unwind_plain_address(*slot) != *slot)
		return 0; /* signed, by what is not known here */
	thunk = enter_instrumented(frame->at, (uintptr_t)slot, *slot, INSTRUMENTED_MCOUNT);
	if (thunk != THUNK_NONE)
		*slot = thunk_return(thunk);
	return 0;
}

/* ---- leaving ---- */

struct thread *thunk_holder(const struct thunk_call *open)
{
	struct thread *thread = open->thread;

	if (thread != sharing_self() && thread != sharing_self()->spare)
		return NULL; /* the function has returned in another thread, or in a forked child */
	if (thread_mode(thread) == THREAD_NONE || !thread_is_idle(thread) ||
	    open->level >= thread->level || thread->calls[open->level].frame != open->frame ||
	    thread->open + thread->calls[open->level].offset != (const uint8_t *)open->record)
		return NULL;
	return thread;
}

static void leave(const struct thunk_call *open, const struct native_frame *frame,
		  const void *vectors)
{
	struct thread *thread = thunk_holder(open);
	struct call call = {thread, open->record};

	if (!thread)
		return;
	call_drop_inside(thread, open->level + 1);
	if (thread_mode(thread) == THREAD_NONE)
		return;
	pushed_stop(&call);
	put_result(&call, native_functions[open->function].spec, frame, vectors);
	thread->calls[open->level].frame = (uintptr_t)&call;
	pushed_leave(&call);
}

unsigned native_leave_aside(struct native_frame *frame, void *vectors)
{
	uint32_t thunk = thunk_of(frame->at);
	struct thunk_call *open = &native_calls[thunk];
	int saved = errno;

	uint32_t outer;

	frame->slot = native_words[thunk].real;
	for (;; thunk = outer - 1, open = &native_calls[thunk]) {
		outer = open->outer;
		leave(open, frame, vectors);
		if (!native_tls.busy) {
			native_tls.busy = 1;
			thunk_give(&native_tls, thunk);
			native_tls.busy = 0;
		}
		if (!outer)
			break;
	}
	errno = saved;
	return 0;
}
