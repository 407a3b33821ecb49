/* SPDX-License-Identifier: MIT */
/*
 * mpi_requests.h - numbers for requests.
 *
 * A request is known from the call that makes it to the one that completes or frees it; numbers count from 1 in the
 * process. One handle can stand for several requests at a time (Open MPI gives the same for all small sends
 * that are complete at once, and for those to MPI_PROC_NULL), so the table is a multiset: of requests with the same handle the
 * one made at the same variable is meant, else the oldest.
 *
 * Other threads make and complete requests meanwhile: the table is in shards, by handle, each with a lock.
 */
#ifndef RECORDER_WRAP_MPI_REQUESTS_H
#define RECORDER_WRAP_MPI_REQUESTS_H

#include "wrap/mpi_library.h"
#include "wrap/mpi_status.h"

/* The number of MPI_REQUEST_NULL, and of a request that was made where we do not see it. */
#define MPI_REQUEST_NUMBER_NULL 0
#define MPI_REQUEST_NUMBER_UNKNOWN (-1)

/* What a request is of: by what MPI defines in the status of one that has completed. */
enum mpi_request_kind {
	REQUEST_COLLECTIVE = 0,
	REQUEST_ONE_SIDED = 0,
	REQUEST_FILE = STATUS_BYTES,
	REQUEST_SEND = STATUS_CANCELLED,
	REQUEST_RECEIVE = STATUS_ENVELOPE | STATUS_BYTES | STATUS_CANCELLED,
	REQUEST_GENERALIZED = REQUEST_RECEIVE, /* the program fills its status */
	/* made where we do not see it; or MPI_REQUEST_NULL, whose status is empty */
	REQUEST_UNKNOWN = REQUEST_RECEIVE,
};

struct mpi_request {
	int64_t number;
	unsigned kind; /* enum mpi_request_kind */
};

/* MPI_REQUEST_NULL of the program's MPI; 0 while not known (mpi_handles_load()). */
extern uintptr_t mpi_request_null;

/* Whether requests get numbers: not before mpi_handles_load(), nor where no call with a request is recorded, as in a rank that is left out. */
extern bool mpi_requests_kept;

/* A call made a request, and put it into that variable. Its number. */
int64_t mpi_request_new(MPI_Request handle, const void *variable, enum mpi_request_kind kind);
/* The same behind `request`, if the call succeeded. */
int64_t mpi_request_made(int result, const MPI_Request *request, enum mpi_request_kind kind);
/* A request that stays. */
struct mpi_request mpi_request_find(MPI_Request handle, const void *variable);
/* Takes a request that is complete out of the table. */
struct mpi_request mpi_request_take(MPI_Request handle, const void *variable);
/* Puts back what was taken: the request is persistent, or not complete after all. */
void mpi_request_put(MPI_Request handle, const void *variable, struct mpi_request request);
/* The program frees a request. Its number. */
int64_t mpi_request_ended(const MPI_Request *request);

#endif
