/* SPDX-License-Identifier: MIT */
/* mpi_batch.c - several requests at a time */
#include "wrap/mpi_batch.h"

#include "wrap/mpi_fortran.h"

/* What a variable holds now. */
static MPI_Request handle_in(struct mpi_variables variables, int at)
{
	const void *variable = mpi_variable(variables, at);

#ifdef FORTRAN_CALLS_PMPI
	if (variables.fortran)
		return fortran_request(variable);
#endif
	return *(const MPI_Request *)variable;
}

/* Ours, for a program that ignores them. */
static MPI_Status *statuses_behind(struct mpi_batch *batch)
{
	return batch->scratch == &batch->near ? batch->near.statuses
					      : (MPI_Status *)(batch->numbers + batch->count);
}

/* Of one request, in scratch memory. */
#define EACH (sizeof(int64_t) + sizeof(MPI_Status) + sizeof(MPI_Request) + sizeof(uint8_t))

static void keep_in_scratch(struct mpi_batch *batch)
{
	batch->scratch = mpi_scratch_take((size_t)batch->count * EACH);
	if (!batch->scratch)
		return;
	batch->numbers = batch->scratch;
	batch->handles = (MPI_Request *)(statuses_behind(batch) + batch->count);
	batch->kinds = (uint8_t *)(batch->handles + batch->count);
}

bool mpi_batch_begin_any(struct mpi_batch *batch, int count, struct mpi_variables requests)
{
	batch->count = count;
	batch->requests = requests;
	batch->scratch = NULL;
	if (count < 0 || (count > 0 && !requests.first))
		return false;
	if (count <= MPI_BATCH_NEAR)
		mpi_batch_keep_near(batch);
	else
		keep_in_scratch(batch);
	if (!batch->scratch)
		return false;
	for (int at = 0; at < count; at++)
		batch->handles[at] = handle_in(requests, at);
	return true;
}

void mpi_batch_want_statuses(struct mpi_batch *batch, MPI_Status *statuses)
{
	batch->statuses = statuses;
	if (!batch->scratch || statuses != MPI_STATUSES_IGNORE)
		return;
	batch->statuses = statuses_behind(batch);
	for (int at = 0; at < batch->count; at++)
		mpi_status_or(MPI_STATUS_IGNORE, &batch->statuses[at]);
}

static void note(struct mpi_batch *batch, int at, struct mpi_request request)
{
	batch->numbers[at] = request.number;
	batch->kinds[at] = (uint8_t)request.kind;
}

void mpi_batch_take_all(struct mpi_batch *batch)
{
	for (int at = 0; at < batch->count; at++)
		note(batch, at,
		     mpi_request_take(batch->handles[at], mpi_variable(batch->requests, at)));
}

void mpi_batch_put_back(struct mpi_batch *batch)
{
	for (int at = 0; at < batch->count; at++) {
		struct mpi_request request = {batch->numbers[at], batch->kinds[at]};

		if (!mpi_request_is_null(handle_in(batch->requests, at)))
			mpi_request_put(batch->handles[at], mpi_variable(batch->requests, at),
					request);
	}
}

void mpi_batch_completed(struct mpi_batch *batch, int index, int at)
{
	const void *variable = mpi_variable(batch->requests, index);
	bool gone = mpi_request_is_null(handle_in(batch->requests, index));

	note(batch, at,
	     gone ? mpi_request_take(batch->handles[index], variable)
		  : mpi_request_find(batch->handles[index], variable));
}

void mpi_batch_take_gone(struct mpi_batch *batch)
{
	for (int at = 0; batch->scratch && at < batch->count; at++) {
		if (mpi_request_is_null(handle_in(batch->requests, at)))
			mpi_request_take(batch->handles[at], mpi_variable(batch->requests, at));
	}
}

void arg_mpi_numbers(struct call *call, unsigned index, const int64_t *numbers, int count)
{
	uint32_t stored = (uint32_t)count, most = RECORD_MAX_SIZE / 4 / sizeof(*numbers);
	int64_t sum = 0;

	for (int at = 0; at < count; at++)
		sum += numbers[at];
	arg_array(call, index, numbers, stored < most ? stored : most, (uint32_t)count, sum);
}
