/* SPDX-License-Identifier: MIT */
/*
 * posix_libaio.c - the wrappers of libaio, whose functions are the kernel's calls and give a negative error number. Its structures are the
 * kernel's, too, so its header is not needed.
 */
#include "wrap/wrapper.h"

#include <linux/aio_abi.h>
#include <signal.h>

#include "wrap/posix_aio.h"
#include "wrap/posix_records.h"

static struct numbers contexts;

static int64_t context_number(const struct io_context *context)
{
	return numbers_of(&contexts, (uintptr_t)context);
}

void result_negative(struct call *call, long result)
{
	result_int(call, result, false);
	if (result < 0)
		call->record->outcome = record_outcome((int)-result, 1);
}

int io_setup_record(io_setup_function *next, uintptr_t site, int count, struct io_context **context)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_setup, 2, site))
		return next(count, context);
	arg_int(&call, 0, count);
	arg_int(&call, 1, 0);
	call_start(&call);
	result = next(count, context);
	call_stop(&call);
	result_negative(&call, result);
	if (result >= 0)
		arg_int(&call, 1, numbers_begin(&contexts, (uintptr_t)*context));
	call_leave(&call);
	return result;
}

int io_destroy_record(io_destroy_function *next, uintptr_t site, struct io_context *context)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_destroy, 1, site))
		return next(context);
	arg_int(&call, 0, context_number(context));
	call_start(&call);
	result = next(context);
	call_stop(&call);
	result_negative(&call, result);
	call_leave(&call);
	return result;
}

/* ---- submitting ---- */

/* The control block, or an empty one. */
static struct iocb block_at(const void *requests, uint32_t at)
{
	const struct iocb *const *request = (const struct iocb *const *)requests + at;

	if (readable(request, sizeof(*request)) && readable(*request, sizeof(**request)))
		return **request;
	return (struct iocb){.aio_lio_opcode = IOCB_CMD_NOOP, .aio_fildes = UINT32_MAX};
}

static int64_t operation_at(const void *requests, uint32_t at)
{
	return block_at(requests, at).aio_lio_opcode;
}

static int64_t file_at(const void *requests, uint32_t at)
{
	return fd_pair((int)block_at(requests, at).aio_fildes);
}

static int64_t offset_at(const void *requests, uint32_t at)
{
	return block_at(requests, at).aio_offset;
}

/* Of a vector the sum of its parts. */
static int64_t size_at(const void *requests, uint32_t at)
{
	struct iocb block = block_at(requests, at);

	if (block.aio_lio_opcode != IOCB_CMD_PREADV && block.aio_lio_opcode != IOCB_CMD_PWRITEV)
		return (int64_t)block.aio_nbytes;
	return parts_size(block.aio_buf, block.aio_nbytes);
}

int io_submit_record(io_submit_function *next, uintptr_t site, struct io_context *context,
		     long count, struct iocb *requests[])
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_submit, 7, site))
		return next(context, count, requests);
	arg_int(&call, 0, context_number(context));
	arg_int(&call, 1, count);
	arg_aios_new(&call, 2, requests, count);
	arg_each(&call, 3, count, operation_at, requests);
	arg_each(&call, 4, count, file_at, requests);
	arg_each(&call, 5, count, offset_at, requests);
	arg_each(&call, 6, count, size_at, requests);
	call_start(&call);
	result = next(context, count, requests);
	call_stop(&call);
	result_negative(&call, result);
	call_leave(&call);
	return result;
}

/* ---- what came of it ---- */

static int64_t ended_at(const void *events, uint32_t at)
{
	return numbers_end(&aio_numbers, ((const struct io_event *)events)[at].obj);
}

static int64_t result_at(const void *events, uint32_t at)
{
	return ((const struct io_event *)events)[at].res;
}

static void events_start(struct call *call, struct io_context *context, long least, long count)
{
	arg_int(call, 0, context_number(context));
	arg_int(call, 1, least);
	arg_int(call, 2, count);
	arg_int(call, 3, 0);
	arg_int(call, 4, 0);
	call_start(call);
}

static void events_stop(struct call *call, int result, const struct io_event *events)
{
	call_stop(call);
	result_negative(call, result);
	if (result >= 0) {
		arg_each(call, 3, result, ended_at, events);
		arg_each(call, 4, result, result_at, events);
	}
	call_leave(call);
}

int io_getevents_record(io_getevents_function *next, uintptr_t site, struct io_context *context,
			long least, long count, struct io_event *events, struct timespec *timeout)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_getevents, 5, site))
		return next(context, least, count, events, timeout);
	events_start(&call, context, least, count);
	result = next(context, least, count, events, timeout);
	events_stop(&call, result, events);
	return result;
}

int io_cancel_record(io_cancel_function *next, uintptr_t site, struct io_context *context,
		     struct iocb *request, struct io_event *event)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_cancel, 2, site))
		return next(context, request, event);
	arg_int(&call, 0, context_number(context));
	arg_aio(&call, 1, request);
	call_start(&call);
	result = next(context, request, event);
	call_stop(&call);
	result_negative(&call, result);
	call_leave(&call);
	return result;
}

/* ---- libaio ---- */

WRAPPER int io_setup(int count, struct io_context **context)
{
	return io_setup_record(function_next(SYM_io_setup), CALL_SITE, count, context);
}

WRAPPER int io_destroy(struct io_context *context)
{
	return io_destroy_record(function_next(SYM_io_destroy), CALL_SITE, context);
}

WRAPPER int io_submit(struct io_context *context, long count, struct iocb *requests[])
{
	return io_submit_record(function_next(SYM_io_submit), CALL_SITE, context, count, requests);
}

WRAPPER int io_getevents(struct io_context *context, long least, long count,
			 struct io_event *events, struct timespec *timeout)
{
	return io_getevents_record(function_next(SYM_io_getevents), CALL_SITE, context, least,
				   count, events, timeout);
}

WRAPPER int io_pgetevents(struct io_context *context, long least, long count,
			  struct io_event *events, struct timespec *timeout, sigset_t *mask)
{
	__typeof__(io_pgetevents) *next = function_next(SYM_io_pgetevents);
	struct call call;
	int result;

	if (!call_enter(&call, FN_io_pgetevents, 5, CALL_SITE))
		return next(context, least, count, events, timeout, mask);
	events_start(&call, context, least, count);
	result = next(context, least, count, events, timeout, mask);
	events_stop(&call, result, events);
	return result;
}

WRAPPER int io_cancel(struct io_context *context, struct iocb *request, struct io_event *event)
{
	return io_cancel_record(function_next(SYM_io_cancel), CALL_SITE, context, request, event);
}
