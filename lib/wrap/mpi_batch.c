/* SPDX-License-Identifier: MIT */
/* mpi_batch.c - several requests at a time */
#include "wrap/mpi_batch.h"

bool mpi_batch_begin(struct mpi_batch *batch, int count, const MPI_Request requests[],
		     MPI_Status *statuses)
{
	size_t each = sizeof(MPI_Request) + sizeof(int64_t) + sizeof(MPI_Status);

	*batch = (struct mpi_batch){.count = count, .statuses = statuses};
	if (count <= 0 || !requests)
		return false;
	batch->scratch = mpi_scratch_take((size_t)count * each);
	if (!batch->scratch)
		return false;
	batch->numbers = batch->scratch;
	if (statuses == MPI_STATUSES_IGNORE) {
		batch->statuses = (MPI_Status *)(batch->numbers + count);
		memset(batch->statuses, 0, (size_t)count * sizeof(MPI_Status));
	}
	batch->handles = (MPI_Request *)((MPI_Status *)(batch->numbers + count) + count);
	memcpy(batch->handles, requests, (size_t)count * sizeof(MPI_Request));
	return true;
}

void mpi_batch_end(struct mpi_batch *batch)
{
	mpi_scratch_give(batch->scratch);
}

void mpi_batch_take_all(struct mpi_batch *batch, const MPI_Request requests[])
{
	for (int at = 0; at < batch->count; at++)
		batch->numbers[at] = mpi_request_take(batch->handles[at], &requests[at]);
}

void mpi_batch_put_back(struct mpi_batch *batch, const MPI_Request requests[])
{
	for (int at = 0; at < batch->count; at++) {
		if (!mpi_request_is_null(requests[at]))
			mpi_request_put(batch->handles[at], &requests[at], batch->numbers[at]);
	}
}

int64_t mpi_batch_completed(const struct mpi_batch *batch, const MPI_Request requests[], int index)
{
	MPI_Request handle = batch->handles[index];

	if (mpi_request_is_null(requests[index]))
		return mpi_request_take(handle, &requests[index]);
	return mpi_request_find(handle, &requests[index]);
}

void arg_mpi_numbers(struct call *call, unsigned index, const int64_t *numbers, int count)
{
	uint32_t stored = (uint32_t)count, most = RECORD_MAX_SIZE / 4 / sizeof(*numbers);
	int64_t sum = 0;

	for (int at = 0; at < count; at++)
		sum += numbers[at];
	arg_array(call, index, numbers, stored < most ? stored : most, (uint32_t)count, sum);
}
