/* SPDX-License-Identifier: MIT */
/* mpi_args.c - capturing arrays of handles */
#include "wrap/mpi_args.h"

#include <limits.h>

#include "record/readable.h"

static int64_t datatype_number(struct call *call, const void *handles, int64_t at)
{
	return mpi_handle_seen(call, MPI_OBJECT_DATATYPE,
			       (uintptr_t)((const MPI_Datatype *)handles)[at]);
}

static int64_t request_number(struct call *call, const void *handles, int64_t at)
{
	(void)call;

	const MPI_Request *request = (const MPI_Request *)handles + at;

	return mpi_request_find(*request, request).number;
}

void arg_mpi_numbers_of(struct call *call, unsigned index, const void *handles, int64_t count,
			size_t size, mpi_number_of *number)
{
	uint32_t stored = count <= 0 ? 0 : count < ARRAY_MAX ? (uint32_t)count : ARRAY_MAX;
	int64_t *numbers = NULL, sum = 0;

	arg_int(call, index, handles ? BLOCK_UNREADABLE : BLOCK_ABSENT);
	if (handles && readable(handles, stored * size))
		numbers = mpi_scratch_take(ARRAY_MAX * sizeof(*numbers));
	if (!numbers)
		return;
	for (uint32_t at = 0; at < stored; at++) {
		numbers[at] = number(call, handles, at);
		sum += numbers[at];
	}
	arg_array(call, index, numbers, stored, count < 0 ? 0 : (uint32_t)count, sum);
	mpi_scratch_give(numbers);
}

void arg_mpi_datatypes(struct call *call, unsigned index, const MPI_Datatype types[], int64_t count)
{
	arg_mpi_numbers_of(call, index, types, count, sizeof(*types), datatype_number);
}

void arg_mpi_requests(struct call *call, unsigned index, const MPI_Request requests[],
		      int64_t count)
{
	arg_mpi_numbers_of(call, index, requests, count, sizeof(*requests), request_number);
}

int64_t length_sum(const int numbers[], int64_t count)
{
	int64_t sum = 0;

	if (count <= 0 || count > INT_MAX || !readable(numbers, (size_t)count * sizeof(*numbers)))
		return 0;
	for (int64_t at = 0; at < count; at++)
		sum += numbers[at];
	return sum;
}

int64_t length_last(const int numbers[], int64_t count)
{
	bool there = count > 0 && readable(&numbers[count - 1], sizeof(*numbers));

	return there ? numbers[count - 1] : 0;
}
