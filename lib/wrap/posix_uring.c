/* SPDX-License-Identifier: MIT */
/*
 * posix_uring.c - the wrappers of liburing's exported functions. What a program submits it puts into the ring by inline functions that nobody
 * sees; it is read from there when the ring is handed to the kernel. Completions are read from the other ring when a call returns: all
 * that came since the last look, those too that the program took by inline functions in between.
 *
 * The kernel's own calls are in posix_uring_calls.c.
 *
 * Not seen: what a ring with IORING_SETUP_SQPOLL is given without a call, and of completions those that were overwritten between two
 * calls. A file registered with the ring is a number of its own, without a name.
 */
#include "wrap/wrapper.h"

#include <linux/io_uring.h>
#include <signal.h>

#include "wrap/posix_aio.h"
#include "wrap/posix_records.h"
#include "wrap/uring_entries.h"

/* liburing's, of all versions with the name liburing.so.2; it only grows at the end. */
struct submission_queue {
	unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
	struct io_uring_sqe *requests;
	unsigned local_head, local_tail;
	size_t ring_size;
	void *ring;
	unsigned pad[4];
};

struct completion_queue {
	unsigned *head, *tail, *mask, *entries, *flags, *overflow;
	struct io_uring_cqe *completions;
	size_t ring_size;
	void *ring;
	unsigned pad[4];
};

struct io_uring {
	struct submission_queue submissions;
	struct completion_queue completions;
	unsigned flags;
};

#define RINGS_MAX 256u

/* Up to where completions were looked at, by number of the ring. */
static _Atomic unsigned looked_at[RINGS_MAX];
static struct numbers rings;

static int64_t ring_number(const struct io_uring *ring)
{
	return numbers_of(&rings, (uintptr_t)ring);
}

/* ---- what stands in a ring ---- */

/* Nothing, where the ring cannot be read. */
static struct submissions submissions_of(const struct io_uring *ring)
{
	const struct submission_queue *queue = &ring->submissions;
	struct submissions found = {0};

	if (!readable(ring, sizeof(*ring)) || !readable(queue->head, sizeof(unsigned)) ||
	    !readable(queue->tail, sizeof(unsigned)) || !readable(queue->mask, sizeof(unsigned)))
		return found;
	found.array = queue->array;
	found.requests = queue->requests;
	found.local_head = queue->local_head;
	found.mask = *queue->mask;
	found.shift = ring->flags & IORING_SETUP_SQE128 ? 1 : 0;
	if (!readable(queue->requests, ((size_t)found.mask + 1) << found.shift << 6))
		return found;
	/* with a thread of the kernel's these are on their way */
	if (!(ring->flags & IORING_SETUP_SQPOLL)) {
		found.head = __atomic_load_n(queue->head, __ATOMIC_ACQUIRE);
		found.queued = *queue->tail - found.head;
	}
	found.count = found.queued + queue->local_tail - queue->local_head;
	if (found.count > 2 * (found.mask + 1))
		found.count = found.queued = 0;
	return found;
}

static struct completions completions_of(const struct io_uring *ring)
{
	const struct completion_queue *queue = &ring->completions;
	uint64_t number = (uint64_t)ring_number(ring);

	if (!readable(ring, sizeof(*ring)) || !readable(queue->mask, sizeof(unsigned)) ||
	    number >= RINGS_MAX)
		return (struct completions){0};
	return (struct completions){
		.tail = queue->tail,
		.entries = queue->completions,
		.mask = *queue->mask,
		.shift = ring->flags & IORING_SETUP_CQE32 ? 1 : 0,
		.looked_at = &looked_at[number],
	};
}

/* ---- beginning and end of a ring ---- */

static void ring_made(struct call *call, int result, struct io_uring *ring)
{
	int64_t number;

	call_stop(call);
	result_negative(call, result);
	if (result >= 0) {
		number = numbers_begin(&rings, (uintptr_t)ring);
		if (number > 0 && number < RINGS_MAX)
			atomic_store(&looked_at[number], 0);
		arg_int(call, 1, number);
	}
	call_leave(call);
}

WRAPPER int io_uring_queue_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
	__typeof__(io_uring_queue_init) *next = function_next(SYM_io_uring_queue_init);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_queue_init, 3, CALL_SITE))
		return next(entries, ring, flags);
	arg_int(&call, 0, entries);
	arg_int(&call, 1, 0);
	arg_int(&call, 2, flags);
	call_start(&call);
	result = next(entries, ring, flags);
	ring_made(&call, result, ring);
	return result;
}

WRAPPER int io_uring_queue_init_params(unsigned entries, struct io_uring *ring,
				       struct io_uring_params *params)
{
	__typeof__(io_uring_queue_init_params) *next =
		function_next(SYM_io_uring_queue_init_params);
	struct call call;
	int result;

	if (call_is_inside(FN_io_uring_queue_init) ||
	    !call_enter(&call, FN_io_uring_queue_init_params, 2, CALL_SITE))
		return next(entries, ring, params);
	arg_int(&call, 0, entries);
	arg_int(&call, 1, 0);
	call_start(&call);
	result = next(entries, ring, params);
	ring_made(&call, result, ring);
	return result;
}

WRAPPER void io_uring_queue_exit(struct io_uring *ring)
{
	__typeof__(io_uring_queue_exit) *next = function_next(SYM_io_uring_queue_exit);
	struct call call;

	if (!call_enter(&call, FN_io_uring_queue_exit, 1, CALL_SITE)) {
		next(ring);
		return;
	}
	arg_int(&call, 0, ring_number(ring));
	numbers_end(&rings, (uintptr_t)ring);
	call_start(&call);
	next(ring);
	call_stop(&call);
	call_leave(&call);
}

/* ---- submitting and waiting ---- */

/* Arguments: the ring, `numbers` numbers, five of what is submitted, two of what is complete. */
static void submit_start(struct call *call, struct io_uring *ring, unsigned numbers)
{
	struct submissions submissions = submissions_of(ring);

	arg_int(call, 0, ring_number(ring));
	arg_submitted(call, 1 + numbers, &submissions);
	arg_int(call, 6 + numbers, 0);
	arg_int(call, 7 + numbers, 0);
	call_start(call);
}

/* The last two arguments are what is complete. */
static void ring_stop(struct call *call, struct io_uring *ring, unsigned index, long result)
{
	struct completions completions;

	call_stop(call);
	result_negative(call, result);
	completions = completions_of(ring);
	arg_completed(call, index, &completions);
	call_leave(call);
}

WRAPPER int io_uring_submit(struct io_uring *ring)
{
	__typeof__(io_uring_submit) *next = function_next(SYM_io_uring_submit);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_submit, 8, CALL_SITE))
		return next(ring);
	submit_start(&call, ring, 0);
	result = next(ring);
	ring_stop(&call, ring, 6, result);
	return result;
}

WRAPPER int io_uring_submit_and_wait(struct io_uring *ring, unsigned least)
{
	__typeof__(io_uring_submit_and_wait) *next = function_next(SYM_io_uring_submit_and_wait);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_submit_and_wait, 9, CALL_SITE))
		return next(ring, least);
	arg_int(&call, 1, least);
	submit_start(&call, ring, 1);
	result = next(ring, least);
	ring_stop(&call, ring, 7, result);
	return result;
}

WRAPPER int io_uring_submit_and_wait_timeout(struct io_uring *ring,
					     struct io_uring_cqe **completion, unsigned least,
					     struct __kernel_timespec *timeout, sigset_t *mask)
{
	__typeof__(io_uring_submit_and_wait_timeout) *next =
		function_next(SYM_io_uring_submit_and_wait_timeout);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_submit_and_wait_timeout, 9, CALL_SITE))
		return next(ring, completion, least, timeout, mask);
	arg_int(&call, 1, least);
	submit_start(&call, ring, 1);
	result = next(ring, completion, least, timeout, mask);
	ring_stop(&call, ring, 7, result);
	return result;
}

WRAPPER int io_uring_submit_and_get_events(struct io_uring *ring)
{
	__typeof__(io_uring_submit_and_get_events) *next =
		function_next(SYM_io_uring_submit_and_get_events);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_submit_and_get_events, 8, CALL_SITE))
		return next(ring);
	submit_start(&call, ring, 0);
	result = next(ring);
	ring_stop(&call, ring, 6, result);
	return result;
}

WRAPPER int __io_uring_get_cqe(struct io_uring *ring, struct io_uring_cqe **completion,
			       unsigned submit, unsigned least, sigset_t *mask)
{
	__typeof__(__io_uring_get_cqe) *next = function_next(SYM___io_uring_get_cqe);
	struct call call;
	int result;

	if (!call_enter(&call, FN___io_uring_get_cqe, 10, CALL_SITE))
		return next(ring, completion, submit, least, mask);
	arg_int(&call, 1, submit);
	arg_int(&call, 2, least);
	submit_start(&call, ring, 2);
	result = next(ring, completion, submit, least, mask);
	ring_stop(&call, ring, 8, result);
	return result;
}

/* Arguments: the ring, `numbers` numbers, two of what is complete. */
static void wait_start(struct call *call, struct io_uring *ring, unsigned numbers)
{
	arg_int(call, 0, ring_number(ring));
	arg_int(call, 1 + numbers, 0);
	arg_int(call, 2 + numbers, 0);
	call_start(call);
}

WRAPPER int io_uring_get_events(struct io_uring *ring)
{
	__typeof__(io_uring_get_events) *next = function_next(SYM_io_uring_get_events);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_get_events, 3, CALL_SITE))
		return next(ring);
	wait_start(&call, ring, 0);
	result = next(ring);
	ring_stop(&call, ring, 1, result);
	return result;
}

WRAPPER int io_uring_wait_cqes(struct io_uring *ring, struct io_uring_cqe **completion,
			       unsigned least, struct __kernel_timespec *timeout, sigset_t *mask)
{
	__typeof__(io_uring_wait_cqes) *next = function_next(SYM_io_uring_wait_cqes);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_wait_cqes, 4, CALL_SITE))
		return next(ring, completion, least, timeout, mask);
	arg_int(&call, 1, least);
	wait_start(&call, ring, 1);
	result = next(ring, completion, least, timeout, mask);
	ring_stop(&call, ring, 2, result);
	return result;
}

WRAPPER int io_uring_wait_cqe_timeout(struct io_uring *ring, struct io_uring_cqe **completion,
				      struct __kernel_timespec *timeout)
{
	__typeof__(io_uring_wait_cqe_timeout) *next = function_next(SYM_io_uring_wait_cqe_timeout);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_wait_cqe_timeout, 3, CALL_SITE))
		return next(ring, completion, timeout);
	wait_start(&call, ring, 0);
	result = next(ring, completion, timeout);
	ring_stop(&call, ring, 1, result);
	return result;
}

WRAPPER unsigned io_uring_peek_batch_cqe(struct io_uring *ring, struct io_uring_cqe **completions,
					 unsigned count)
{
	__typeof__(io_uring_peek_batch_cqe) *next = function_next(SYM_io_uring_peek_batch_cqe);
	struct call call;
	unsigned result;

	if (!call_enter(&call, FN_io_uring_peek_batch_cqe, 4, CALL_SITE))
		return next(ring, completions, count);
	arg_int(&call, 1, count);
	wait_start(&call, ring, 1);
	result = next(ring, completions, count);
	ring_stop(&call, ring, 2, (long)result);
	return result;
}
