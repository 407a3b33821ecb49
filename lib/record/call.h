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
 * call_enter() asks guard and filter and opens a record on the thread's open-call stack; the arg_*() functions (args.h) fill it;
 * call_start() takes the first time stamp and makes the call visible as "in flight"; call_stop() takes the second; then come results and
 * arguments that are known only now; call_leave() copies the finished record into the ring and publishes it with one store.
 * While the real call runs the recorder holds nothing: a signal handler, a nested call or a longjmp finds it in order.
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
#include "record/sanitizer.h"
#include "record/thread.h"

/* Into each wrapper, however many there are: else a call is recorded, and one that is filtered out is passed on, some 2 ns later. */
#define CALL_INLINE inline __attribute__((always_inline))

/* So much that compilers put what is rare behind all the rest. */
#define likely(condition) __builtin_expect_with_probability(!!(condition), 1, 0.999)
#define unlikely(condition) __builtin_expect_with_probability(!!(condition), 0, 0.999)

/* The address that the wrapper returns to. */
#define CALL_SITE ((uintptr_t)__builtin_return_address(0))

struct call {
	struct thread *thread;
	struct raw_record *record; /* on the open-call stack */
};

/* Calls shorter than this are dropped, and counted. */
extern HIDDEN uint64_t call_min_ticks;

/* A private flag of open records: not to be stored (path filter). Never in a trace. */
#define RECORD_DROP 0x80u
#define RECORD_KEEP 0x40u /* another file of the call is of interest */

/* Stack addresses further apart than this are taken as different stacks. */
#define LEFT_DISTANCE_MAX (8u << 20)

/* Whether calls need more than what is inline: then their functions are FUNCTION_FAR. */
bool call_is_far(void);

/* Slow paths, in call.c. */
__attribute__((cold)) bool call_enter_slow(struct call *call, unsigned function, unsigned arg_count,
					   uintptr_t site);
__attribute__((cold)) void call_leave_slow(struct call *call);
/* Closes a call that is plain and whose record is in the ring already, and looks at what is to be done now and then. */
void call_close(struct call *call);
__attribute__((cold)) void call_drop_left(struct thread *thread, uintptr_t frame);
/* Those inside of the outermost `level` ones have been left. */
void call_drop_to(struct thread *thread, uint32_t level);
/* The same from a function that may run for long, not from a wrapper: the thread is not busy. */
void call_drop_inside(struct thread *thread, uint32_t level);
/* Before one is opened within another: drops what the program has left, and moves away what is in place. */
void call_make_way(struct thread *thread, uintptr_t frame);
/* The same, and says whether there is room for one more. If not it is counted as lost. */
bool call_may_nest(struct thread *thread, uint32_t size, uintptr_t frame);
/* Marks the thread busy once its ring is its own, while the process ends. False: that would take too long. */
bool call_take_ring(struct thread *thread);
/* The thread ends inside of the calls that are open (pthread_exit, cancellation): they are stored as left. */
void call_drop_all(struct thread *thread);

/* The record of an open call, wherever it is. */
static inline struct raw_record *call_open_record(const struct thread *thread, uint32_t level)
{
	return (struct raw_record *)(thread->open + thread->calls[level].offset);
}

/* Whether one more call fits on the stack of open ones. */
static CALL_INLINE bool call_has_room(const struct thread *thread, uint32_t size)
{
	return thread->open_top + size <= thread->open_size && thread->level < OPEN_CALLS_MAX;
}

/* Puts a record with all arguments 0 on top of the open calls, where there is room for it; `frame`: struct open_call. */
static CALL_INLINE void call_push(struct call *call, struct thread *thread, unsigned function,
				  unsigned arg_count, uintptr_t site, uintptr_t frame)
{
	uint32_t size = sizeof(struct raw_record) + arg_count * 8;
	uint32_t level = thread->level;
	struct raw_record *record = (struct raw_record *)(thread->open + thread->open_top);

	record->head = record_head(size, (uint16_t)function, (uint16_t)level);
	record->tail = (uint64_t)arg_count << 32;
	record->callsite = site;
	record->result = 0;
	record->outcome = record_outcome(0, 1);
	record->stack_word = 0;
	thread->calls[level].frame = frame;
	thread->calls[level].offset = thread->open_top;
	thread->calls[level].skipped = 0;
	call->thread = thread;
	call->record = record;
}

/* Opens a record; the caller has set thread->busy. */
static CALL_INLINE bool call_open(struct call *call, struct thread *thread, unsigned function,
				  unsigned arg_count, uintptr_t site)
{
	uint32_t size = sizeof(struct raw_record) + arg_count * 8;

	if (thread->level > 0 && !call_may_nest(thread, size, (uintptr_t)call))
		return false;
	call_push(call, thread, function, arg_count, site, (uintptr_t)call);
	return true;
}

/*
 * Whether the call is to be recorded; if so the wrapper must go through call_start(), call_stop() and
 * call_leave(), and fill every argument. If not, call_start() and the rest must not be called.
 */
static CALL_INLINE bool call_enter(struct call *call, unsigned function, unsigned arg_count,
				   uintptr_t site)
{
	struct thread *thread = thread_tls.self;
	uint8_t state = function_state_of(function);

	sanitizer_forget_left();
	if (state == FUNCTION_OFF)
		return false;
	if (unlikely(!thread_is_idle(thread) || state != FUNCTION_ON))
		return call_enter_slow(call, function, arg_count, site);
	thread_set_busy(thread);
	if (unlikely(thread_mode(thread) != THREAD_ACTIVE)) {
		thread_set_idle(thread);
		return call_enter_slow(call, function, arg_count, site);
	}
	if (unlikely(!call_open(call, thread, function, arg_count, site))) {
		thread_set_idle(thread);
		return false;
	}
	return true;
}

/* Whether the innermost call that is in flight is one of `function`: what a library does inside of its own is no call of its own. */
static inline bool call_is_inside(unsigned function)
{
	const struct thread *thread = thread_tls.self;

	return thread->level > 0 &&
	       call_open_record(thread, thread->level - 1)->function == function;
}

/* From now on it is the innermost call. */
static CALL_INLINE void call_put_up(struct call *call)
{
	struct thread *thread = call->thread;

	thread->level++;
	thread->open_top += call->record->size;
}

/* The arguments are there: shows the call as in flight and takes its first time stamp. */
static CALL_INLINE void call_start(struct call *call)
{
	struct thread *thread = call->thread;

	call_put_up(call);
	call->record->tstart = clock_ticks();
	compiler_barrier();
	thread->ring->open_top = thread->open_top;
	thread_set_idle(thread);
	compiler_barrier();
}

/* Takes the second time stamp; to be the first thing after the real call. */
static inline void call_stop(struct call *call)
{
	struct raw_record *record = call->record;

	record->tend = clock_ticks();
	sanitizer_forget_left();
	compiler_barrier();
	thread_set_busy(call->thread);
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

/* Whether the call, of that frame, needs nothing but to be stored and closed. */
static CALL_INLINE bool call_is_plain(const struct call *call, uintptr_t frame)
{
	const struct thread *thread = call->thread;
	const struct raw_record *record = call->record;

	return thread_mode(thread) == THREAD_ACTIVE && thread->level == record->level + 1u &&
	       thread->calls[record->level].frame == frame && !record->flags &&
	       record->tend - record->tstart >= call_min_ticks && record->tend >= thread->last_end;
}

/* Whether it can be stored at once: the call is plain, there is room, and nothing else is to be done. */
static CALL_INLINE bool call_is_quick(const struct call *call, uintptr_t frame)
{
	const struct thread *thread = call->thread;

	return call_is_plain(call, frame) &&
	       thread->head + call->record->size <= thread->data_size &&
	       call->record->tend <= thread->attention;
}

/* Copies the record of such a call into the ring, publishes it and closes the call. */
static CALL_INLINE void call_store(struct call *call)
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

static CALL_INLINE void call_leave(struct call *call)
{
	if (likely(call_is_quick(call, (uintptr_t)call)))
		call_store(call);
	else
		call_leave_slow(call);
}

/*
 * For calls that do not return (exec, exit): instead of call_start(), call_stop() and call_leave(). The record is stored at once,
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

/* Calls of a function dropped for their duration. */
uint64_t call_skipped(unsigned function);

#endif
