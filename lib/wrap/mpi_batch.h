/* SPDX-License-Identifier: MIT */
/*
 * mpi_batch.h - what is kept during a call on several requests.
 *
 * The program's handles are copied before the call: MPI overwrites those of requests that have completed.
 */
#ifndef RECORDER_WRAP_MPI_BATCH_H
#define RECORDER_WRAP_MPI_BATCH_H

#include "wrap/mpi_args.h"

/*
 * The program's variables of requests: MPI_Request in C, INTEGER in Fortran. By its address a variable tells requests apart
 * that have the same handle.
 */
struct mpi_variables {
	const void *first;
	bool fortran;
};

static inline struct mpi_variables mpi_variables(const MPI_Request requests[])
{
	return (struct mpi_variables){.first = requests};
}

static inline const void *mpi_variable(struct mpi_variables variables, int at)
{
	return (const char *)variables.first +
	       (size_t)at * (variables.fortran ? sizeof(MPI_Fint) : sizeof(MPI_Request));
}

/* So many requests are kept in the batch itself. */
#define MPI_BATCH_NEAR 16

struct mpi_batch {
	int count;
	struct mpi_variables requests;
	MPI_Request *handles; /* as they were before the call */
	int64_t *numbers;     /* room for as many: of requests */
	uint8_t *kinds; /* the same: enum mpi_request_kind, what is defined in their statuses */
	MPI_Status *statuses; /* if they are wanted: the program's, or ours if it has none */
	void *scratch;        /* NULL: nothing could be kept */
	struct mpi_batch_near {
		MPI_Request handles[MPI_BATCH_NEAR];
		int64_t numbers[MPI_BATCH_NEAR];
		MPI_Status statuses[MPI_BATCH_NEAR];
		uint8_t kinds[MPI_BATCH_NEAR];
	} near;
};

static inline bool mpi_request_is_null(MPI_Request request)
{
	return (uintptr_t)request == mpi_request_null;
}

/* Everything is in the batch itself. */
static inline void mpi_batch_keep_near(struct mpi_batch *batch)
{
	batch->scratch = &batch->near;
	batch->handles = batch->near.handles;
	batch->numbers = batch->near.numbers;
	batch->kinds = batch->near.kinds;
}

/* The general case of mpi_batch_begin(). */
bool mpi_batch_begin_any(struct mpi_batch *batch, int count, struct mpi_variables requests);

/* False if nothing could be kept. To be ended in any case. */
static inline bool mpi_batch_begin(struct mpi_batch *batch, int count,
				   struct mpi_variables requests)
{
	const MPI_Request *handles = requests.first;

	if (requests.fortran || !handles || (unsigned)count > MPI_BATCH_NEAR)
		return mpi_batch_begin_any(batch, count, requests);
	batch->count = count;
	batch->requests = requests;
	mpi_batch_keep_near(batch);
	for (int at = 0; at < count; at++)
		batch->handles[at] = handles[at];
	return true;
}

/* Statuses are taken, too, also if the program ignores them. */
void mpi_batch_want_statuses(struct mpi_batch *batch, MPI_Status *statuses);
/* Gives back what was kept. */
static inline void mpi_batch_end(struct mpi_batch *batch)
{
	if (batch->scratch != &batch->near)
		mpi_scratch_give(batch->scratch);
}

/* Before the call: takes all requests out of the table. */
void mpi_batch_take_all(struct mpi_batch *batch);
/* After it: those that are still there are persistent, or not completed because of an error. */
void mpi_batch_put_back(struct mpi_batch *batch);
/* After it: the request that was at `index` has completed; notes it as number `at` of the batch. */
void mpi_batch_completed(struct mpi_batch *batch, int index, int at);
/* After a call that failed and does not say what has completed: takes those that are gone. */
void mpi_batch_take_gone(struct mpi_batch *batch);

/* Numbers of requests, as many as may take a quarter of a record. */
void arg_mpi_numbers(struct call *call, unsigned index, const int64_t *numbers, int count);

#endif
