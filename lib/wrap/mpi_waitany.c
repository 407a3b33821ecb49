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

/* What is kept during a call, and its record. */
struct completion {
	struct mpi_batch batch;
	struct call call;
	bool recorded;
	uint32_t size; /* of the record, without the requests that it shows while it waits */
	MPI_Status ignored;
};

/* Puts the first requests into the open record, where "recorder where" finds them. */
static void show(struct completion *completion, const MPI_Request requests[])
{
	const struct mpi_batch *batch = &completion->batch;
	int count = batch->count < SHOWN ? batch->count : SHOWN;
	int64_t numbers[SHOWN];

	if (!batch->scratch)
		return;
	for (int at = 0; at < count; at++)
		numbers[at] = mpi_request_find(requests[at], &requests[at]).number;
	arg_array(&completion->call, 1, numbers, (uint32_t)count, (uint32_t)batch->count, 0);
}

/* Before the call; the record is not started yet. `statuses`: NULL if it has a single one. */
static void completion_begin(struct completion *completion, unsigned function, unsigned arg_count,
			     uintptr_t site, int count, const MPI_Request requests[],
			     MPI_Status *statuses)
{
	struct call *call = &completion->call;

	mpi_batch_begin(&completion->batch, count, requests, statuses);
	completion->recorded = call_enter(call, function, arg_count, site);
	if (!completion->recorded)
		return;
	args_absent(call);
	arg_int(call, 0, count);
	completion->size = call->record->size;
	if (function == FN_MPI_Waitany || function == FN_MPI_Waitsome)
		show(completion, requests);
}

/* After it: the requests shown are taken out again, those that completed come in. */
static void arg_completed(struct completion *completion, int result, int count)
{
	struct call *call = &completion->call;

	call->record->size = completion->size;
	call->record->args[1] = BLOCK_ABSENT;
	result_mpi_error(call, result);
	if (count >= 0)
		arg_mpi_numbers(call, 1, completion->batch.numbers, count);
}

static void completion_end(struct completion *completion)
{
	if (completion->recorded)
		call_leave(&completion->call);
	mpi_batch_end(&completion->batch);
}

/* ---- any ---- */

/* How many completed: 1, or 0 if there was none to wait for; -1: the call does not say. */
static int any_completed(struct mpi_batch *batch, int result, const MPI_Request requests[],
			 const int *index, const int *flag)
{
	if (result != MPI_SUCCESS)
		mpi_batch_take_gone(batch, requests);
	if (result != MPI_SUCCESS || !batch->scratch || !index || (flag && !*flag))
		return -1;
	if (*index < 0 || *index >= batch->count)
		return 0;
	mpi_batch_completed(batch, requests, *index, 0);
	return 1;
}

/* `flag`: NULL if the call has none. */
static void any_end(struct completion *completion, int result, const MPI_Request requests[],
		    const int *index, const int *flag, const MPI_Status *status)
{
	struct mpi_batch *batch = &completion->batch;
	struct call *call = &completion->call;
	int count;

	if (completion->recorded)
		call_stop(call);
	count = any_completed(batch, result, requests, index, flag);
	if (completion->recorded) {
		arg_completed(completion, result, count);
		arg_int_at(call, 2, index);
		if (flag)
			arg_int_at(call, 3, flag);
		if (count >= 0)
			arg_mpi_status_fields(call, flag ? 4 : 3, result, status,
					      count > 0 ? batch->kinds[0] : REQUEST_UNKNOWN);
	}
	completion_end(completion);
}

WRAPPER int MPI_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status)
{
	__typeof__(MPI_Waitany) *next = function_next(SYM_MPI_Waitany);
	struct completion completion;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	completion_begin(&completion, FN_MPI_Waitany, 4, CALL_SITE, count, array_of_requests, NULL);
	if (completion.recorded) {
		status = mpi_status_or(status, &completion.ignored);
		call_start(&completion.call);
	}
	result = next(count, array_of_requests, index, status);
	any_end(&completion, result, array_of_requests, index, NULL, status);
	return result;
}

WRAPPER int MPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag,
			MPI_Status *status)
{
	__typeof__(MPI_Testany) *next = function_next(SYM_MPI_Testany);
	struct completion completion;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!flag)
		return next(count, array_of_requests, index, flag, status);
	completion_begin(&completion, FN_MPI_Testany, 5, CALL_SITE, count, array_of_requests, NULL);
	if (completion.recorded) {
		status = mpi_status_or(status, &completion.ignored);
		call_start(&completion.call);
	}
	result = next(count, array_of_requests, index, flag, status);
	any_end(&completion, result, array_of_requests, index, flag, status);
	return result;
}

/* ---- some ---- */

/* Takes those that completed, by their indices. How many; -1: none, or an error of the call. */
static int some_completed(struct mpi_batch *batch, int result, const MPI_Request requests[],
			  const int *outcount, const int indices[])
{
	int count = 0;

	if (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS)
		mpi_batch_take_gone(batch, requests);
	else if (batch->scratch && outcount && indices)
		for (; count < *outcount && count < batch->count; count++)
			mpi_batch_completed(batch, requests, indices[count], count);
	return count > 0 ? count : -1;
}

/* Both calls: one waits until there is something to tell. */
static int complete_some(__typeof__(MPI_Waitsome) *next, unsigned function, uintptr_t site,
			 int incount, MPI_Request requests[], int *outcount, int indices[],
			 MPI_Status statuses[])
{
	struct completion completion;
	struct mpi_batch *batch = &completion.batch;
	struct call *call = &completion.call;
	int result, count;

	if (!next)
		return MPI_ERR_OTHER;
	completion_begin(&completion, function, 5, site, incount, requests, statuses);
	if (completion.recorded) {
		statuses = batch->statuses;
		call_start(call);
	}
	result = next(incount, requests, outcount, indices, statuses);
	if (completion.recorded)
		call_stop(call);
	count = some_completed(batch, result, requests, outcount, indices);
	if (completion.recorded) {
		arg_completed(&completion, result, count);
		arg_int_at(call, 2, outcount);
		if (count > 0) {
			arg_ints(call, 3, indices, count);
			arg_mpi_statuses(call, 4, result, batch->statuses, batch->kinds, count);
		}
	}
	completion_end(&completion);
	return result;
}

WRAPPER int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount,
			 int array_of_indices[], MPI_Status array_of_statuses[])
{
	return complete_some(function_next(SYM_MPI_Waitsome), FN_MPI_Waitsome, CALL_SITE, incount,
			     array_of_requests, outcount, array_of_indices, array_of_statuses);
}

WRAPPER int MPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount,
			 int array_of_indices[], MPI_Status array_of_statuses[])
{
	return complete_some(function_next(SYM_MPI_Testsome), FN_MPI_Testsome, CALL_SITE, incount,
			     array_of_requests, outcount, array_of_indices, array_of_statuses);
}
