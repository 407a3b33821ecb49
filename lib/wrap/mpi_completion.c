/* SPDX-License-Identifier: MIT */
/*
 * mpi_completion.c - completion of requests. Of any and of some requests the numbers of those are recorded that have
 * completed, in the order of their statuses; which of the program's array they were say the indices.
 */
#include "wrap/mpi_completion.h"

#include "functions_gen.h"

/* How many requests a call shows that is still waiting. */
#define SHOWN 8

/* ---- polls ---- */

/* Begins the record of a poll: without arguments, or as the one before has left it. */
static CALL_INLINE bool enter_poll(struct call *call, unsigned function, unsigned arg_count,
				   uintptr_t site)
{
	if (!poll_enter(call, function, arg_count, site))
		return false;
	if (!poll_is_again(call))
		args_absent(call, arg_count);
	return true;
}

/* Whether a poll that has found nothing, like the one before, says so by the same value. */
static CALL_INLINE bool says_the_same(const struct call *call, unsigned index, int64_t value)
{
	return poll_is_again(call) && call->record->args[index] == (uint64_t)value;
}

/* ---- one request ---- */

void mpi_wait_begin(struct mpi_single *single, uintptr_t site, MPI_Request handle,
		    const void *variable)
{
	single->handle = handle;
	single->variable = variable;
	single->request = mpi_request_take(handle, variable);
	single->recorded = call_enter(&single->call, FN_MPI_Wait, 2, site);
	if (!single->recorded)
		return;
	args_absent(&single->call, 2);
	arg_int(&single->call, 0, single->request.number);
}

void mpi_wait_end(struct mpi_single *single, int result, MPI_Request handle,
		  const MPI_Status *status)
{
	if (!mpi_request_is_null(handle))
		mpi_request_put(single->handle, single->variable, single->request);
	if (!single->recorded)
		return;
	result_mpi_error(&single->call, result);
	arg_mpi_status_fields(&single->call, 1, result, status, single->request.kind);
	call_leave(&single->call);
}

void mpi_test_begin(struct mpi_single *single, uintptr_t site, MPI_Request handle,
		    const void *variable)
{
	single->handle = handle;
	single->variable = variable;
	single->request = (struct mpi_request){0};
	single->recorded = enter_poll(&single->call, FN_MPI_Test, TEST_ARGS, site);
}

void mpi_test_end(struct mpi_single *single, int result, MPI_Request handle, bool flag,
		  const MPI_Status *status)
{
	struct call *call = &single->call;

	if (mpi_request_is_null(handle))
		single->request = mpi_request_take(single->handle, single->variable);
	else if (single->recorded)
		single->request = mpi_request_find(single->handle, single->variable);
	if (!single->recorded)
		return;
	if (flag || !says_the_same(call, 0, single->request.number))
		poll_found(call);
	result_mpi_error(call, result);
	arg_int(call, 0, single->request.number);
	arg_int(call, 1, flag);
	if (flag)
		arg_mpi_status_fields(call, 2, result, status, single->request.kind);
	poll_leave(call);
}

void mpi_get_status_begin(struct mpi_single *single, uintptr_t site, MPI_Request handle)
{
	single->recorded =
		enter_poll(&single->call, FN_MPI_Request_get_status, GET_STATUS_ARGS, site);
	if (!single->recorded)
		return;
	single->request = mpi_request_find(handle, NULL);
	arg_int(&single->call, 0, single->request.number);
}

void mpi_get_status_end(struct mpi_single *single, int result, bool flag, const MPI_Status *status)
{
	if (!single->recorded)
		return;
	if (flag)
		poll_found(&single->call);
	result_mpi_error(&single->call, result);
	arg_int(&single->call, 1, flag);
	if (flag)
		arg_mpi_status_fields(&single->call, 2, result, status, single->request.kind);
	poll_leave(&single->call);
}

/* ---- several ---- */

/* `polls`: the call does not wait, and may find nothing. */
static CALL_INLINE void completion_enter(struct mpi_completion *completion, bool polls,
					 unsigned function, unsigned arg_count, uintptr_t site)
{
	struct call *call = &completion->call;

	completion->polls = polls;
	completion->recorded = polls ? enter_poll(call, function, arg_count, site)
				     : call_enter(call, function, arg_count, site);
	if (!completion->recorded)
		return;
	completion->size = call_size(arg_count);
	if (!polls)
		args_absent(call, arg_count);
	arg_int(call, 0, completion->batch.count);
}

static CALL_INLINE void completion_end(struct mpi_completion *completion)
{
	if (completion->recorded && completion->polls)
		poll_leave(&completion->call);
	else if (completion->recorded)
		call_leave(&completion->call);
	mpi_batch_end(&completion->batch);
}

/* Ends a poll that has found nothing, if the record of the one before says all of it: `value` at `index`, and what was there before the call. */
static CALL_INLINE bool ends_again(struct mpi_completion *completion, unsigned index, int64_t value)
{
	if (!completion->recorded || !completion->polls ||
	    !says_the_same(&completion->call, index, value))
		return false;
	completion_end(completion);
	return true;
}

/* The first thing that is said after the call, if it was not what the poll before it was. */
static CALL_INLINE void tell_result(struct mpi_completion *completion, int result)
{
	if (completion->polls)
		poll_found(&completion->call);
	result_mpi_error(&completion->call, result);
}

/* ---- all of them ---- */

void mpi_waitall_begin(struct mpi_completion *completion, uintptr_t site, int count,
		       struct mpi_variables requests, MPI_Status *statuses)
{
	struct mpi_batch *batch = &completion->batch;

	if (mpi_batch_begin(batch, count, requests))
		mpi_batch_take_all(batch);
	mpi_batch_want_statuses(batch, statuses);
	completion_enter(completion, false, FN_MPI_Waitall, 3, site);
	if (completion->recorded && batch->scratch)
		arg_mpi_numbers(&completion->call, 1, batch->numbers, count);
}

void mpi_waitall_end(struct mpi_completion *completion, int result)
{
	struct mpi_batch *batch = &completion->batch;

	if (batch->scratch)
		mpi_batch_put_back(batch);
	if (completion->recorded) {
		tell_result(completion, result);
		if (batch->scratch)
			arg_mpi_statuses(&completion->call, 2, result, batch->statuses,
					 batch->kinds, batch->count);
	}
	completion_end(completion);
}

void mpi_testall_begin(struct mpi_completion *completion, uintptr_t site, int count,
		       struct mpi_variables requests, MPI_Status *statuses)
{
	mpi_batch_begin(&completion->batch, count, requests);
	mpi_batch_want_statuses(&completion->batch, statuses);
	completion_enter(completion, true, FN_MPI_Testall, TESTALL_ARGS, site);
}

void mpi_testall_end(struct mpi_completion *completion, int result, bool flag)
{
	struct mpi_batch *batch = &completion->batch;
	struct call *call = &completion->call;
	bool done =
		batch->scratch && (result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS) && flag;

	if (result == MPI_SUCCESS && !flag && ends_again(completion, 2, 0))
		return;
	for (int at = 0; done && at < batch->count; at++)
		mpi_batch_completed(batch, at, at);
	if (!done && result != MPI_SUCCESS)
		mpi_batch_take_gone(batch);
	if (completion->recorded) {
		tell_result(completion, result);
		arg_int(call, 2, flag);
		if (done) {
			arg_mpi_numbers(call, 1, batch->numbers, batch->count);
			arg_mpi_statuses(call, 3, result, batch->statuses, batch->kinds,
					 batch->count);
		}
	}
	completion_end(completion);
}

/* Puts the first requests into the open record, where "recorder where" finds them. */
static void show(struct mpi_completion *completion)
{
	const struct mpi_batch *batch = &completion->batch;
	int count = batch->count < SHOWN ? batch->count : SHOWN;
	int64_t numbers[SHOWN];

	if (!batch->scratch)
		return;
	for (int at = 0; at < count; at++)
		numbers[at] =
			mpi_request_find(batch->handles[at], mpi_variable(batch->requests, at))
				.number;
	arg_array(&completion->call, 1, numbers, (uint32_t)count, (uint32_t)batch->count, 0);
}

/* After the call: the requests shown are taken out again, those that completed come in. */
static void arg_completed(struct mpi_completion *completion, int result, int count)
{
	struct call *call = &completion->call;

	/* a narrow store makes who reads the whole word wait */
	if (call->record->size != completion->size)
		call->record->size = completion->size;
	tell_result(completion, result);
	call->record->args[1] = BLOCK_ABSENT;
	if (count >= 0)
		arg_mpi_numbers(call, 1, completion->batch.numbers, count);
}

/* ---- any ---- */

void mpi_any_begin(struct mpi_completion *completion, unsigned function, uintptr_t site, int count,
		   struct mpi_variables requests)
{
	bool waits = function == FN_MPI_Waitany;

	mpi_batch_begin(&completion->batch, count, requests);
	if (waits)
		completion_enter(completion, false, FN_MPI_Waitany, 4, site);
	else
		completion_enter(completion, true, FN_MPI_Testany, TESTANY_ARGS, site);
	if (completion->recorded && waits)
		show(completion);
}

/* How many completed: 1, or 0 if there was none to wait for; -1: the call does not say. */
static int any_completed(struct mpi_batch *batch, int result, const int *index, const int *flag)
{
	if (result != MPI_SUCCESS)
		mpi_batch_take_gone(batch);
	if (result != MPI_SUCCESS || !batch->scratch || !index || (flag && !*flag))
		return -1;
	if (*index < 0 || *index >= batch->count)
		return 0;
	mpi_batch_completed(batch, *index, 0);
	return 1;
}

void mpi_any_end(struct mpi_completion *completion, int result, const int *index, const int *flag,
		 const MPI_Status *status)
{
	struct mpi_batch *batch = &completion->batch;
	struct call *call = &completion->call;
	int count;

	if (result == MPI_SUCCESS && index && flag && !*flag && ends_again(completion, 2, *index))
		return;
	count = any_completed(batch, result, index, flag);
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

/* ---- some ---- */

void mpi_some_begin(struct mpi_completion *completion, unsigned function, uintptr_t site, int count,
		    struct mpi_variables requests, MPI_Status *statuses)
{
	bool waits = function == FN_MPI_Waitsome;

	mpi_batch_begin(&completion->batch, count, requests);
	mpi_batch_want_statuses(&completion->batch, statuses);
	if (waits)
		completion_enter(completion, false, FN_MPI_Waitsome, 5, site);
	else
		completion_enter(completion, true, FN_MPI_Testsome, TESTSOME_ARGS, site);
	if (completion->recorded && waits)
		show(completion);
}

/* Takes those that completed, by their indices. How many; -1: none, or an error of the call. */
static int some_completed(struct mpi_batch *batch, int result, const int *outcount,
			  const int indices[])
{
	int count = 0;

	if (result != MPI_SUCCESS && (result != MPI_ERR_IN_STATUS || !indices))
		mpi_batch_take_gone(batch);
	else if (batch->scratch && outcount && indices)
		for (; count < *outcount && count < batch->count; count++)
			mpi_batch_completed(batch, indices[count], count);
	return count > 0 ? count : -1;
}

void mpi_some_end(struct mpi_completion *completion, int result, const int *outcount,
		  const int indices[])
{
	struct mpi_batch *batch = &completion->batch;
	struct call *call = &completion->call;
	int count;

	if (result == MPI_SUCCESS && outcount && *outcount == 0 && ends_again(completion, 2, 0))
		return;
	count = some_completed(batch, result, outcount, indices);
	if (completion->recorded) {
		arg_completed(completion, result, count);
		arg_int_at(call, 2, outcount);
		if (count > 0) {
			arg_ints(call, 3, indices, count);
			arg_mpi_statuses(call, 4, result, batch->statuses, batch->kinds, count);
		}
	}
	completion_end(completion);
}
