/* SPDX-License-Identifier: MIT */
/*
 * posix_uring_calls.c - the wrappers of io_uring's own three calls, by the names that liburing exports and by syscall(2). Results are negative
 * error numbers.
 *
 * A ring that the program maps itself (urings.h) is looked at when it is entered: what is submitted then, and all completions that came
 * since. With IORING_SETUP_SQPOLL the kernel takes requests without a call; they are seen at the next one, where the ring
 * still has them. Not seen: what stands in a ring that is entered by its registered number, lies in the program's own memory
 * (IORING_SETUP_NO_MMAP), or was resized; and what liburing made, which its own wrappers look at.
 */
#include "wrap/wrapper.h"

#include <linux/io_uring.h>
#include <signal.h>

#include "record/urings.h"
#include "wrap/posix_records.h"
#include "wrap/uring_entries.h"

/* Of kernels later than the oldest headers that we are compiled with. */
#define REGISTER_RESIZE_RINGS 33u
#define REGISTER_BY_NUMBER (1u << 31) /* IORING_REGISTER_USE_REGISTERED_RING */

/* Whether liburing makes the call: by syscall(), as some versions do. To be asked before it is entered. */
static bool is_of_library(void)
{
	static const unsigned functions[] = {
		FN_io_uring_queue_init,
		FN_io_uring_queue_init_params,
		FN_io_uring_submit,
		FN_io_uring_submit_and_wait,
		FN_io_uring_submit_and_wait_timeout,
		FN_io_uring_submit_and_get_events,
		FN_io_uring_get_events,
		FN___io_uring_get_cqe,
		FN_io_uring_wait_cqes,
		FN_io_uring_wait_cqe_timeout,
		FN_io_uring_peek_batch_cqe,
	};

	for (unsigned i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (call_is_inside(functions[i]))
			return true;
	return false;
}

/* ---- a new ring ---- */

static void made(int result, const struct io_uring_params *params, bool of_library)
{
	if (result < 0)
		return;
	descriptor_forget(result);
	if (!of_library)
		uring_made(result, params);
}

int io_uring_setup_record(io_uring_setup_function *next, uintptr_t site, unsigned entries,
			  struct io_uring_params *params)
{
	bool of_library = is_of_library();
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_setup, 1, site)) {
		result = next(entries, params);
		made(result, params, of_library);
		return result;
	}
	arg_int(&call, 0, entries);
	call_start(&call);
	result = next(entries, params);
	call_stop(&call);
	made(result, params, of_library);
	result_fd(&call, result, false);
	if (result < 0)
		call.record->outcome = record_outcome(-result, 1);
	call_leave(&call);
	return result;
}

WRAPPER int io_uring_setup(unsigned entries, struct io_uring_params *params)
{
	return io_uring_setup_record(function_next(SYM_io_uring_setup), CALL_SITE, entries, params);
}

/* ---- entering it ---- */

static unsigned word(const char *mapped, uint32_t offset)
{
	return __atomic_load_n((const unsigned *)(mapped + offset), __ATOMIC_ACQUIRE);
}

/* Up to the first that has no slot: there the kernel stops, too. */
static unsigned with_slots(const struct submissions *submissions, unsigned count)
{
	for (unsigned i = 0; submissions->array && i < count; i++)
		if (submissions->array[(submissions->head + i) & submissions->mask] >
		    submissions->mask)
			return i;
	return count;
}

/* Where the ring is not known it is unreadable. `limit`: how many the program wants to submit. */
static struct submissions submissions_of(const struct uring *ring, unsigned limit)
{
	unsigned slots = ring->submission_slots, shift = ring->flags & IORING_SETUP_SQE128 ? 1 : 0;
	struct submissions found = {.count = ENTRIES_UNREADABLE, .mask = slots - 1, .shift = shift};
	unsigned tail, count;

	if (!ring->submissions || !ring->requests ||
	    !readable(ring->submissions, ring->submissions_size) ||
	    !readable(ring->requests, (size_t)slots << shift << 6))
		return found;
	if (uring_has_array(ring))
		found.array = (const void *)(ring->submissions + ring->submission_offsets.array);
	found.requests = ring->requests;
	tail = word(ring->submissions, ring->submission_offsets.tail);
	if (ring->flags & IORING_SETUP_SQPOLL) {
		found.head = atomic_exchange(ring->submissions_seen, tail);
		count = tail - found.head;
		if (count > slots) {
			found.head = tail - slots;
			count = slots;
		}
	} else {
		found.head = word(ring->submissions, ring->submission_offsets.head);
		count = tail - found.head;
		count = count < slots ? count : slots;
		count = count < limit ? count : limit;
	}
	found.count = found.queued = with_slots(&found, count);
	return found;
}

static struct completions completions_of(const struct uring *ring)
{
	if (!ring->completions)
		return (struct completions){0};
	return (struct completions){
		.tail = (const void *)(ring->completions + ring->completion_offsets.tail),
		.entries = (const void *)(ring->completions + ring->completion_offsets.cqes),
		.mask = ring->completion_slots - 1,
		.shift = ring->flags & IORING_SETUP_CQE32 ? 1 : 0,
		.looked_at = ring->completions_seen,
	};
}

/* An unknown one has no parts. */
static struct uring entered(unsigned ring, unsigned flags, bool of_library)
{
	struct uring found;

	if (of_library || flags & IORING_ENTER_REGISTERED_RING || !uring_find((int)ring, &found))
		return (struct uring){0};
	return found;
}

static void arg_ring(struct call *call, unsigned ring, bool registered)
{
	if (registered)
		arg_int(call, 0, (int64_t)pair_make((int)ring, 0));
	else
		arg_fd(call, 0, (int)ring);
}

int io_uring_enter_record(io_uring_enter_function *next, uintptr_t site, unsigned ring,
			  unsigned submit, unsigned least, unsigned flags, const void *argument,
			  size_t size)
{
	bool of_library = is_of_library();
	struct submissions submissions;
	struct completions completions;
	struct uring known;
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_enter, 11, site))
		return next(ring, submit, least, flags, argument, size);
	known = entered(ring, flags, of_library);
	submissions = submissions_of(&known, submit);
	arg_ring(&call, ring, flags & IORING_ENTER_REGISTERED_RING);
	arg_int(&call, 1, submit);
	arg_int(&call, 2, least);
	arg_int(&call, 3, flags);
	arg_submitted(&call, 4, &submissions);
	arg_int(&call, 9, 0);
	arg_int(&call, 10, 0);
	call_start(&call);
	result = next(ring, submit, least, flags, argument, size);
	call_stop(&call);
	result_negative(&call, result);
	/* it may have been unmapped while this thread waited */
	known = entered(ring, flags, of_library);
	completions = completions_of(&known);
	arg_completed(&call, 9, &completions);
	call_leave(&call);
	return result;
}

typedef int library_enter_function(unsigned ring, unsigned submit, unsigned least, unsigned flags,
				   sigset_t *mask);

static int enter_by_library(unsigned ring, unsigned submit, unsigned least, unsigned flags,
			    const void *argument, size_t size)
{
	library_enter_function *next = function_next(SYM_io_uring_enter);

	(void)size;
	return next(ring, submit, least, flags, (sigset_t *)argument);
}

WRAPPER int io_uring_enter(unsigned ring, unsigned submit, unsigned least, unsigned flags,
			   sigset_t *mask)
{
	return io_uring_enter_record(enter_by_library, CALL_SITE, ring, submit, least, flags, mask,
				     0);
}

/* ---- what is registered with it ---- */

/* Parts of a resized ring are mapped anew, in other sizes. Which ring has a number is not known. */
static void registered(unsigned ring, unsigned operation, int result)
{
	if (result < 0)
		return;
	if (operation == REGISTER_RESIZE_RINGS)
		uring_closed(ring, ring);
	else if (operation == (REGISTER_RESIZE_RINGS | REGISTER_BY_NUMBER))
		uring_closed(0, UINT32_MAX);
}

int io_uring_register_record(io_uring_register_function *next, uintptr_t site, unsigned ring,
			     unsigned operation, const void *argument, unsigned count)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_uring_register, 3, site)) {
		result = next(ring, operation, argument, count);
		registered(ring, operation, result);
		return result;
	}
	arg_ring(&call, ring, operation & REGISTER_BY_NUMBER);
	arg_int(&call, 1, operation);
	arg_int(&call, 2, count);
	call_start(&call);
	result = next(ring, operation, argument, count);
	call_stop(&call);
	registered(ring, operation, result);
	result_negative(&call, result);
	call_leave(&call);
	return result;
}

WRAPPER int io_uring_register(unsigned ring, unsigned operation, const void *argument,
			      unsigned count)
{
	return io_uring_register_record(function_next(SYM_io_uring_register), CALL_SITE, ring,
					operation, argument, count);
}
