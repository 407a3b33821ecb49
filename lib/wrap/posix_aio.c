/* SPDX-License-Identifier: MIT */
/*
 * posix_aio.c - the wrappers of aio_read and the like, which say in a control block what they are to do. Other than the kernel, libc reads
 * that without a check: a bad one ends the program, but not in the recorder.
 */
#include "wrap/wrapper.h"

#include <aio.h>

#include "wrap/posix_aio.h"

_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64), "one is taken for the other");

struct numbers aio_numbers;

/* ---- one request ---- */

static void arg_block(struct call *call, unsigned index, const struct aiocb *request)
{
	if (!readable(request, sizeof(*request))) {
		arg_int(call, index, (int64_t)pair_make(-1, 0));
		return;
	}
	arg_fd(call, index, request->aio_fildes);
	if (call->record->arg_count <= index + 1)
		return;
	arg_int(call, index + 1, request->aio_offset);
	arg_int(call, index + 2, (int64_t)request->aio_nbytes);
}

static int transfer_record(int (*next)(struct aiocb *request), unsigned function, uintptr_t site,
			   struct aiocb *request)
{
	struct call call;
	int result;

	if (!call_enter(&call, function, 4, site))
		return next(request);
	arg_aio_new(&call, 0, request);
	arg_int(&call, 2, 0);
	arg_int(&call, 3, 0);
	arg_block(&call, 1, request);
	call_start(&call);
	result = next(request);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int aio_read(struct aiocb *request)
{
	return transfer_record(function_next(SYM_aio_read), FN_aio_read, CALL_SITE, request);
}

WRAPPER int aio_read64(struct aiocb64 *request)
{
	return transfer_record(function_next(SYM_aio_read64), FN_aio_read, CALL_SITE,
			       (struct aiocb *)request);
}

WRAPPER int aio_write(struct aiocb *request)
{
	return transfer_record(function_next(SYM_aio_write), FN_aio_write, CALL_SITE, request);
}

WRAPPER int aio_write64(struct aiocb64 *request)
{
	return transfer_record(function_next(SYM_aio_write64), FN_aio_write, CALL_SITE,
			       (struct aiocb *)request);
}

static int sync_record(int (*next)(int operation, struct aiocb *request), uintptr_t site,
		       int operation, struct aiocb *request)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_aio_fsync, 3, site))
		return next(operation, request);
	arg_int(&call, 0, operation);
	arg_aio_new(&call, 1, request);
	arg_block(&call, 2, request);
	call_start(&call);
	result = next(operation, request);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int aio_fsync(int operation, struct aiocb *request)
{
	return sync_record(function_next(SYM_aio_fsync), CALL_SITE, operation, request);
}

WRAPPER int aio_fsync64(int operation, struct aiocb64 *request)
{
	return sync_record(function_next(SYM_aio_fsync64), CALL_SITE, operation,
			   (struct aiocb *)request);
}

/* ---- many ---- */

static const struct aiocb *request_at(const void *requests, uint32_t at)
{
	const struct aiocb *const *request = (const struct aiocb *const *)requests + at;

	return readable(request, sizeof(*request)) ? *request : NULL;
}

static int64_t number_at(const void *requests, uint32_t at)
{
	return numbers_find(&aio_numbers, (uintptr_t)request_at(requests, at));
}

static int64_t new_number_at(const void *requests, uint32_t at)
{
	return numbers_begin(&aio_numbers, (uintptr_t)request_at(requests, at));
}

static bool can_read(struct call *call, unsigned index, const void *requests, int64_t count)
{
	if (!requests || count <= 0 || readable(requests, (size_t)count * sizeof(void *)))
		return true;
	call->record->args[index] = BLOCK_UNREADABLE;
	return false;
}

void arg_aios(struct call *call, unsigned index, const void *requests, int64_t count)
{
	if (can_read(call, index, requests, count))
		arg_each(call, index, count, number_at, requests);
}

void arg_aios_new(struct call *call, unsigned index, const void *requests, int64_t count)
{
	if (can_read(call, index, requests, count))
		arg_each(call, index, count, new_number_at, requests);
}

/* The control block, or an empty one. */
static struct aiocb block_at(const void *requests, uint32_t at)
{
	const struct aiocb *request = request_at(requests, at);

	if (request && readable(request, sizeof(*request)))
		return *request;
	return (struct aiocb){.aio_lio_opcode = LIO_NOP, .aio_fildes = -1};
}

static int64_t operation_at(const void *requests, uint32_t at)
{
	return block_at(requests, at).aio_lio_opcode;
}

static int64_t file_at(const void *requests, uint32_t at)
{
	return fd_pair(block_at(requests, at).aio_fildes);
}

static int64_t offset_at(const void *requests, uint32_t at)
{
	return block_at(requests, at).aio_offset;
}

static int64_t size_at(const void *requests, uint32_t at)
{
	return (int64_t)block_at(requests, at).aio_nbytes;
}

static int list_record(int (*next)(int mode, struct aiocb *const requests[], int count,
				   struct sigevent *event),
		       uintptr_t site, int mode, struct aiocb *const requests[], int count,
		       struct sigevent *event)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_lio_listio, 7, site))
		return next(mode, requests, count, event);
	arg_int(&call, 0, mode);
	arg_aios_new(&call, 1, requests, count);
	arg_int(&call, 2, count);
	arg_each(&call, 3, count, operation_at, requests);
	arg_each(&call, 4, count, file_at, requests);
	arg_each(&call, 5, count, offset_at, requests);
	arg_each(&call, 6, count, size_at, requests);
	call_start(&call);
	result = next(mode, requests, count, event);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int lio_listio(int mode, struct aiocb *const requests[], int count, struct sigevent *event)
{
	return list_record(function_next(SYM_lio_listio), CALL_SITE, mode, requests, count, event);
}

WRAPPER int lio_listio64(int mode, struct aiocb64 *const requests[], int count,
			 struct sigevent *event)
{
	__typeof__(lio_listio) *next = function_next(SYM_lio_listio64);

	return list_record(next, CALL_SITE, mode, (struct aiocb *const *)requests, count, event);
}
