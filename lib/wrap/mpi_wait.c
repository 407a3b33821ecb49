/* SPDX-License-Identifier: MIT */
/*
 * mpi_wait.c - completion of one request and of all: MPI_Wait, MPI_Test, MPI_Waitall, MPI_Testall.
 *
 * MPI_Wait and MPI_Waitall take the requests out of the table before the call, since all of them will be complete; what is
 * not (an error, a persistent request) is put back. The tests look after the call at what has completed.
 */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"
#include "wrap/mpi_batch.h"

/* ---- one request ---- */

WRAPPER int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	__typeof__(MPI_Wait) *next = function_next(SYM_MPI_Wait);
	MPI_Request handle;
	struct mpi_request taken;
	MPI_Status ignored;
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!request)
		return next(request, status);
	handle = *request;
	taken = mpi_request_take(handle, request);
	if (!call_enter(&call, FN_MPI_Wait, 2, CALL_SITE)) {
		result = next(request, status);
		if (!mpi_request_is_null(*request))
			mpi_request_put(handle, request, taken);
		return result;
	}
	args_absent(&call);
	arg_int(&call, 0, taken.number);
	status = mpi_status_or(status, &ignored);
	call_start(&call);
	result = next(request, status);
	call_stop(&call);
	if (!mpi_request_is_null(*request))
		mpi_request_put(handle, request, taken);
	result_mpi_error(&call, result);
	arg_mpi_status_fields(&call, 1, result, status, taken.kind);
	call_leave(&call);
	return result;
}

WRAPPER int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	__typeof__(MPI_Test) *next = function_next(SYM_MPI_Test);
	struct mpi_request found = {0};
	MPI_Request handle;
	MPI_Status ignored;
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!request || !flag)
		return next(request, flag, status);
	handle = *request;
	recorded = call_enter(&call, FN_MPI_Test, 3, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		status = mpi_status_or(status, &ignored);
		call_start(&call);
	}
	result = next(request, flag, status);
	if (recorded)
		call_stop(&call);
	if (mpi_request_is_null(*request))
		found = mpi_request_take(handle, request);
	else if (recorded)
		found = mpi_request_find(handle, request);
	if (!recorded)
		return result;
	result_mpi_error(&call, result);
	arg_int(&call, 0, found.number);
	arg_int(&call, 1, *flag);
	if (*flag)
		arg_mpi_status_fields(&call, 2, result, status, found.kind);
	call_leave(&call);
	return result;
}

WRAPPER int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
	__typeof__(MPI_Request_get_status) *next = function_next(SYM_MPI_Request_get_status);
	struct mpi_request found;
	MPI_Status ignored;
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!call_enter(&call, FN_MPI_Request_get_status, 3, CALL_SITE))
		return next(request, flag, status);
	args_absent(&call);
	found = mpi_request_find(request, NULL);
	arg_int(&call, 0, found.number);
	status = mpi_status_or(status, &ignored);
	call_start(&call);
	result = next(request, flag, status);
	call_stop(&call);
	result_mpi_error(&call, result);
	arg_int_at(&call, 1, flag);
	if (result == MPI_SUCCESS && *flag)
		arg_mpi_status_fields(&call, 2, result, status, found.kind);
	call_leave(&call);
	return result;
}

/* ---- all of them ---- */

WRAPPER int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses)
{
	__typeof__(MPI_Waitall) *next = function_next(SYM_MPI_Waitall);
	struct mpi_batch batch;
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_batch_begin(&batch, count, array_of_requests, array_of_statuses))
		mpi_batch_take_all(&batch, array_of_requests);
	recorded = call_enter(&call, FN_MPI_Waitall, 3, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, count);
		if (batch.scratch)
			arg_mpi_numbers(&call, 1, batch.numbers, count);
		call_start(&call);
	}
	result = next(count, array_of_requests, recorded ? batch.statuses : array_of_statuses);
	if (recorded)
		call_stop(&call);
	if (batch.scratch)
		mpi_batch_put_back(&batch, array_of_requests);
	if (recorded) {
		result_mpi_error(&call, result);
		if (batch.scratch)
			arg_mpi_statuses(&call, 2, result, batch.statuses, batch.kinds, count);
		call_leave(&call);
	}
	mpi_batch_end(&batch);
	return result;
}

/* A successful MPI_Testall: all have completed. */
static void testall_completed(struct mpi_batch *batch, const MPI_Request requests[])
{
	for (int at = 0; at < batch->count; at++)
		mpi_batch_completed(batch, requests, at, at);
}

WRAPPER int MPI_Testall(int count, MPI_Request array_of_requests[], int *flag,
			MPI_Status array_of_statuses[])
{
	__typeof__(MPI_Testall) *next = function_next(SYM_MPI_Testall);
	struct mpi_batch batch;
	struct call call;
	bool recorded, done;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!flag)
		return next(count, array_of_requests, flag, array_of_statuses);
	mpi_batch_begin(&batch, count, array_of_requests, array_of_statuses);
	recorded = call_enter(&call, FN_MPI_Testall, 4, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, count);
		call_start(&call);
	}
	result =
		next(count, array_of_requests, flag, recorded ? batch.statuses : array_of_statuses);
	if (recorded)
		call_stop(&call);
	done = batch.scratch && (result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS) && *flag;
	if (done)
		testall_completed(&batch, array_of_requests);
	else if (result != MPI_SUCCESS)
		mpi_batch_take_gone(&batch, array_of_requests);
	if (recorded) {
		result_mpi_error(&call, result);
		arg_int(&call, 2, *flag);
		if (done) {
			arg_mpi_numbers(&call, 1, batch.numbers, count);
			arg_mpi_statuses(&call, 3, result, batch.statuses, batch.kinds, count);
		}
		call_leave(&call);
	}
	mpi_batch_end(&batch);
	return result;
}
