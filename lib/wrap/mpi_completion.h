/* SPDX-License-Identifier: MIT */
/*
 * mpi_completion.h - calls that complete requests, but for the call itself: what is recorded and kept before and after it,
 * the same for C (mpi_wait.c, mpi_waitany.c) and Fortran (mpi_fortran_wait.c).
 *
 *	begin(&completion, ..., CALL_SITE, ...);
 *	if (completion.recorded) {
 *		... statuses that the program ignores are taken all the same ...
 *		call_start(&completion.call);	of polls poll_start()
 *	}
 *	result = next(...);
 *	if (completion.recorded)
 *		call_stop(&completion.call);
 *	end(&completion, result, ...);
 */
#ifndef RECORDER_WRAP_MPI_COMPLETION_H
#define RECORDER_WRAP_MPI_COMPLETION_H

#include "record/repeat.h"
#include "wrap/mpi_args.h"
#include "wrap/mpi_batch.h"

/* Arguments in the records of polls, for poll_start(). */
enum {
	TEST_ARGS = 4,
	GET_STATUS_ARGS = 4,
	TESTALL_ARGS = 5,
	TESTANY_ARGS = 6,
	TESTSOME_ARGS = 6,
};

/* Whether a call of `function` is only to be passed on: it is filtered out, and no request has a number. */
static inline bool mpi_completion_passes(unsigned function)
{
	return unlikely(function_state_of(function) == FUNCTION_OFF) && !mpi_requests_kept;
}

/* ---- one request ---- */

/* A program may pass NULL, which MPI refuses. */
static inline MPI_Request mpi_request_behind(const MPI_Request *request)
{
	return request ? *request : (MPI_Request)mpi_request_null;
}

struct mpi_single {
	struct call call;
	bool recorded;
	MPI_Request handle;   /* as it was before the call */
	const void *variable; /* where the program keeps it */
	struct mpi_request request;
};

/* MPI_Wait: the request is taken out of the table before the call, since it will be complete; if it is not (an error, a
 * persistent request) it is put back. `handle`: what it is after the call. `status` is read if the call is recorded. */
void mpi_wait_begin(struct mpi_single *single, uintptr_t site, MPI_Request handle,
		    const void *variable);
void mpi_wait_end(struct mpi_single *single, int result, MPI_Request handle,
		  const MPI_Status *status);

/* MPI_Test: looks after the call at what has completed. */
void mpi_test_begin(struct mpi_single *single, uintptr_t site, MPI_Request handle,
		    const void *variable);
void mpi_test_end(struct mpi_single *single, int result, MPI_Request handle, bool flag,
		  const MPI_Status *status);

/* MPI_Request_get_status: the request stays. */
void mpi_get_status_begin(struct mpi_single *single, uintptr_t site, MPI_Request handle);
void mpi_get_status_end(struct mpi_single *single, int result, bool flag, const MPI_Status *status);

/* ---- several ---- */

struct mpi_completion {
	struct call call;
	bool recorded;
	bool polls;    /* it does not wait */
	uint32_t size; /* of the record, without the requests that it shows while it waits */
	struct mpi_batch batch;
};

void mpi_waitall_begin(struct mpi_completion *completion, uintptr_t site, int count,
		       struct mpi_variables requests, MPI_Status *statuses);
void mpi_waitall_end(struct mpi_completion *completion, int result);

void mpi_testall_begin(struct mpi_completion *completion, uintptr_t site, int count,
		       struct mpi_variables requests, MPI_Status *statuses);
void mpi_testall_end(struct mpi_completion *completion, int result, bool flag);

/* MPI_Waitany and MPI_Testany, by function. `index` counts from 0. */
void mpi_any_begin(struct mpi_completion *completion, unsigned function, uintptr_t site, int count,
		   struct mpi_variables requests);
void mpi_any_end(struct mpi_completion *completion, int result, const int *index, const int *flag,
		 const MPI_Status *status);

/* MPI_Waitsome and MPI_Testsome. `indices` count from 0; NULL: the call gave none. */
void mpi_some_begin(struct mpi_completion *completion, unsigned function, uintptr_t site, int count,
		    struct mpi_variables requests, MPI_Status *statuses);
/* In place of call_start(). */
static inline void mpi_some_start(struct mpi_completion *completion)
{
	if (completion->polls)
		poll_start(&completion->call, TESTSOME_ARGS);
	else
		call_start(&completion->call);
}
void mpi_some_end(struct mpi_completion *completion, int result, const int *outcount,
		  const int indices[]);

#endif
