/* SPDX-License-Identifier: MIT */
/* repeat.c - see repeat.h */
#include "record/repeat.h"

#include "record/args.h"
#include "record/config.h"
#include "record/testpoint.h"

/* Where `busy` is, the last argument. */
static uint64_t *busy_of(struct raw_record *record)
{
	return &record->args[record->arg_count - 1];
}

/* Whether all arguments are there; some wrappers leave out the last ones. */
static bool is_whole(const struct raw_record *record)
{
	return record->arg_count == function_table[record->function].arg_count;
}

static bool is_character(enum kind kind)
{
	return kind == KIND_char || kind == KIND_wchar;
}

/* Whether a call differs from one of the same size in anything but its values and times. */
static CALL_INLINE bool differs_beside(const struct raw_record *a, const struct raw_record *b)
{
	unsigned words = (a->size - sizeof(*a)) / 8;
	uint64_t different = (a->tail ^ b->tail) >> 32 | (a->callsite ^ b->callsite) |
			     (uint32_t)(a->err ^ b->err) | (a->stack_word ^ b->stack_word);

	for (unsigned i = a->arg_count; i < words; i++)
		different |= a->args[i] ^ b->args[i];
	return different != 0;
}

/* Whether it differs in its result or an argument; a poll that finds nothing once more does not. */
static CALL_INLINE bool differs_in_values(const struct raw_record *a, const struct raw_record *b)
{
	uint64_t different = (uint64_t)(a->result ^ b->result);

	for (unsigned i = 0; i < a->arg_count - 1u; i++)
		different |= a->args[i] ^ b->args[i];
	return different != 0;
}

/* Whether the result is a character, or as of ungetc() the one that was passed. */
static bool returns_character(const struct raw_record *record)
{
	const struct function_entry *function = &function_table[record->function];

	return is_character(function->result) || (is_character(function_args(function)[0].kind) &&
						  (uint64_t)record->result == record->args[0]);
}

/* Whether all values that differ are characters. */
static __attribute__((noinline)) bool differs_in_characters(const struct raw_record *a,
							    const struct raw_record *b)
{
	const struct function_entry *function = &function_table[a->function];
	const struct function_parameter *parameters = function_args(function);

	for (unsigned i = 0; i < a->arg_count - 1u; i++)
		if (a->args[i] != b->args[i] && !is_character(parameters[i].kind))
			return false;
	return a->result == b->result || (returns_character(a) && returns_character(b));
}

/* The record of the run that the thread's newest record is; NULL: it is none that could go on. */
static struct raw_record *open_run(const struct thread *thread)
{
	if (thread->head == 0 || thread->head != thread->run_end)
		return NULL;
	return (struct raw_record *)(thread->data + thread->run_begin);
}

static CALL_INLINE void add_call(struct thread *thread, struct raw_record *run,
				 const struct raw_record *record)
{
	struct ring_header *ring = thread->ring;
	uint32_t count = run->repeat + 1;
	uint64_t *busy = busy_of(run), before = count > 2 ? *busy : run->tend - run->tstart;
	const struct ring_run now = {record->tend, before + record->tend - record->tstart};

	ring->run[count & 1] = now;
	test_point("repeating");
	atomic_store_explicit((_Atomic uint32_t *)&run->repeat, count, memory_order_release);
	test_point("repeated");
	run->tend = now.tend;
	*busy = now.busy;
	ring->run[~count & 1] = now;
	thread->last_end = now.tend;
	thread->repeated++;
}

/* The run that the call is to be added to; NULL: none. */
static CALL_INLINE struct raw_record *run_to_go_on(const struct call *call)
{
	const struct thread *thread = call->thread;
	const struct raw_record *record = call->record;
	struct raw_record *run = open_run(thread);

	if (unlikely(!run || run->head != record->head || !call_is_plain(call) ||
		     run->repeat == UINT32_MAX || differs_beside(run, record)))
		return NULL;
	if (likely(!differs_in_values(run, record)))
		return run;
	return differs_in_characters(run, record) && function_folds(record) ? run : NULL;
}

bool repeat_may_begin(const struct raw_record *record)
{
	return config.fold && is_whole(record) && function_folds(record);
}

/* It may begin a run if it is stored here and not dropped, or in an emptied ring. */
__attribute__((noinline)) void repeat_store(struct call *call)
{
	struct thread *thread = call->thread;
	const struct raw_record *record = call->record;

	thread->run_begin = thread->head;
	thread->run_end = repeat_may_begin(record) ? thread->head + record->size : 0;
	thread->poll = NULL;
	call_leave(call);
}

void repeat_prepare(struct thread *thread, struct raw_record *record)
{
	struct ring_header *ring = thread->ring;

	/* what the ring says of the run before it is no more to be looked at: it is in that record as well */
	ring->run[0] = ring->run[1] = (struct ring_run){0};
	*busy_of(record) = record->tend - record->tstart;
	thread->counted_any = true;
}

/* Of a call that was added to a run. */
static CALL_INLINE void close_added(struct call *call)
{
	struct thread *thread = call->thread;

	if (unlikely(!thread_is_in_place(thread) || thread->last_end > thread->attention)) {
		call_close(call);
		return;
	}
	thread->ring->in_place = 0;
	thread->depth -= DEPTH_IN_PLACE;
	thread_set_idle(thread);
}

void call_leave_repeated(struct call *call)
{
	struct raw_record *run = run_to_go_on(call);

	if (unlikely(!run)) {
		thread_forget_counted(call->thread);
		repeat_store(call);
		return;
	}
	add_call(call->thread, run, call->record);
	call->thread->poll = thread_is_in_place(call->thread) ? call->record : NULL;
	close_added(call);
}

/* Whether all of the poll that may be another than the run's is looked at here: its arguments are the same. */
static CALL_INLINE bool may_be_added(const struct call *call, const struct raw_record *run)
{
	const struct raw_record *record = call->record;
	const struct thread *thread = call->thread;

	return thread_is_in_place(thread) && thread->head == thread->run_end &&
	       record->result == run->result && record->err == run->err && !record->flags &&
	       record->tend >= thread->last_end && run->repeat != UINT32_MAX;
}

void poll_leave(struct call *call)
{
	struct thread *thread = call->thread;
	struct raw_record *run = (struct raw_record *)(thread->data + thread->run_begin);

	if (unlikely(!poll_is_again(call) || !may_be_added(call, run))) {
		call_leave_repeated(call);
		return;
	}
	add_call(thread, run, call->record);
	close_added(call);
}

struct raw_record *repeat_add(struct call *call)
{
	struct raw_record *run = run_to_go_on(call);

	if (run)
		add_call(call->thread, run, call->record);
	return run;
}

void repeat_close(struct call *call)
{
	close_added(call);
}
