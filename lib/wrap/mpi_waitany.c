/* SPDX-License-Identifier: MIT */
/*
 * mpi_waitany.c - completion of any and of some requests. Recorded are the numbers of those that have
 * completed, in the order of their statuses; which of the program's array they were say the indices.
 */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"
#include "wrap/mpi_batch.h"

/* How many requests a call shows that is still waiting. */
#define SHOWN 8

/* Puts the first requests into the open record, where "recorder where" finds them; gives back its size before. */
static uint32_t show(struct call *call, const struct mpi_batch *batch, const MPI_Request requests[])
{
	uint32_t size = call->record->size;
	int64_t numbers[SHOWN];
	int count = batch->count < SHOWN ? batch->count : SHOWN;

	if (batch->scratch) {
		for (int at = 0; at < count; at++)
			numbers[at] = mpi_request_find(requests[at], &requests[at]).number;
		arg_array(call, 1, numbers, (uint32_t)count, (uint32_t)batch->count, 0);
	}
	return size;
}

/* Takes them out again. */
static void unshow(struct call *call, uint32_t size)
{
	call->record->size = size;
	call->record->args[1] = BLOCK_ABSENT;
}

/* Which one completed, if any: then its number and kind are the batch's first. */
static bool any_completed(struct mpi_batch *batch, int result, const MPI_Request requests[],
			  bool flag, const int *index)
{
	if (result != MPI_SUCCESS)
		mpi_batch_take_gone(batch, requests);
	if (!batch->scratch || result != MPI_SUCCESS || !flag || !index || *index < 0 ||
	    *index >= batch->count)
		return false;
	mpi_batch_completed(batch, requests, *index, 0);
	return true;
}

WRAPPER int MPI_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status)
{
	__typeof__(MPI_Waitany) *next = function_next(SYM_MPI_Waitany);
	struct mpi_batch batch;
	MPI_Status ignored;
	struct call call;
	uint32_t size = 0;
	bool recorded, completed;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	mpi_batch_begin(&batch, count, array_of_requests, NULL);
	recorded = call_enter(&call, FN_MPI_Waitany, 4, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, count);
		size = show(&call, &batch, array_of_requests);
		status = mpi_status_or(status, &ignored);
		call_start(&call);
	}
	result = next(count, array_of_requests, index, status);
	if (recorded)
		call_stop(&call);
	completed = any_completed(&batch, result, array_of_requests, true, index);
	if (recorded) {
		unshow(&call, size);
		result_mpi_error(&call, result);
		arg_int_at(&call, 2, index);
		if (completed) {
			arg_mpi_numbers(&call, 1, batch.numbers, 1);
			arg_mpi_status_fields(&call, 3, result, status, batch.kinds[0]);
		}
		call_leave(&call);
	}
	mpi_batch_end(&batch);
	return result;
}

WRAPPER int MPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag,
			MPI_Status *status)
{
	__typeof__(MPI_Testany) *next = function_next(SYM_MPI_Testany);
	struct mpi_batch batch;
	MPI_Status ignored;
	struct call call;
	bool recorded, completed;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	mpi_batch_begin(&batch, count, array_of_requests, NULL);
	recorded = call_enter(&call, FN_MPI_Testany, 5, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, count);
		status = mpi_status_or(status, &ignored);
		call_start(&call);
	}
	result = next(count, array_of_requests, index, flag, status);
	if (recorded)
		call_stop(&call);
	completed = any_completed(&batch, result, array_of_requests, flag && *flag, index);
	if (recorded) {
		result_mpi_error(&call, result);
		arg_int_at(&call, 2, index);
		arg_int_at(&call, 3, flag);
		if (completed) {
			arg_mpi_numbers(&call, 1, batch.numbers, 1);
			arg_mpi_status_fields(&call, 4, result, status, batch.kinds[0]);
		}
		call_leave(&call);
	}
	mpi_batch_end(&batch);
	return result;
}

/* Takes those that completed, by their indices. How many, 0 for none or an error in the call. */
static int some_completed(struct mpi_batch *batch, int result, const MPI_Request requests[],
			  const int *outcount, const int indices[])
{
	int count = 0;

	if (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS)
		mpi_batch_take_gone(batch, requests);
	else if (batch->scratch && outcount && indices)
		for (; count < *outcount && count < batch->count; count++)
			mpi_batch_completed(batch, requests, indices[count], count);
	return count;
}

static void arg_some(struct call *call, int result, const struct mpi_batch *batch, int count,
		     const int *outcount, const int indices[])
{
	result_mpi_error(call, result);
	arg_int_at(call, 2, outcount);
	if (count == 0)
		return;
	arg_mpi_numbers(call, 1, batch->numbers, count);
	arg_ints(call, 3, indices, count);
	arg_mpi_statuses(call, 4, result, batch->statuses, batch->kinds, count);
}

WRAPPER int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount,
			 int array_of_indices[], MPI_Status array_of_statuses[])
{
	__typeof__(MPI_Waitsome) *next = function_next(SYM_MPI_Waitsome);
	struct mpi_batch batch;
	struct call call;
	uint32_t size = 0;
	bool recorded;
	int result, count;

	if (!next)
		return MPI_ERR_OTHER;
	mpi_batch_begin(&batch, incount, array_of_requests, array_of_statuses);
	recorded = call_enter(&call, FN_MPI_Waitsome, 5, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, incount);
		size = show(&call, &batch, array_of_requests);
		call_start(&call);
	}
	result = next(incount, array_of_requests, outcount, array_of_indices,
		      recorded ? batch.statuses : array_of_statuses);
	if (recorded)
		call_stop(&call);
	count = some_completed(&batch, result, array_of_requests, outcount, array_of_indices);
	if (recorded) {
		unshow(&call, size);
		arg_some(&call, result, &batch, count, outcount, array_of_indices);
		call_leave(&call);
	}
	mpi_batch_end(&batch);
	return result;
}

WRAPPER int MPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount,
			 int array_of_indices[], MPI_Status array_of_statuses[])
{
	__typeof__(MPI_Testsome) *next = function_next(SYM_MPI_Testsome);
	struct mpi_batch batch;
	struct call call;
	bool recorded;
	int result, count;

	if (!next)
		return MPI_ERR_OTHER;
	mpi_batch_begin(&batch, incount, array_of_requests, array_of_statuses);
	recorded = call_enter(&call, FN_MPI_Testsome, 5, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, incount);
		call_start(&call);
	}
	result = next(incount, array_of_requests, outcount, array_of_indices,
		      recorded ? batch.statuses : array_of_statuses);
	if (recorded)
		call_stop(&call);
	count = some_completed(&batch, result, array_of_requests, outcount, array_of_indices);
	if (recorded) {
		arg_some(&call, result, &batch, count, outcount, array_of_indices);
		call_leave(&call);
	}
	mpi_batch_end(&batch);
	return result;
}
