/* SPDX-License-Identifier: MIT */
/*
 * mpi_status.h - what a completed operation tells: source, tag, bytes, error.
 */
#ifndef RECORDER_WRAP_MPI_STATUS_H
#define RECORDER_WRAP_MPI_STATUS_H

#include "record/call.h"
#include "wrap/mpi_library.h"

#define MPI_STATUS_WORDS 4u

/* Bytes of a status that has no number of them. */
#define MPI_BYTES_UNKNOWN (-1)

/* Where MPI shall put the status: where the program wants it, or in `ours` if it wants none. */
static inline MPI_Status *mpi_status_or(MPI_Status *status, MPI_Status *ours)
{
	if (status != MPI_STATUS_IGNORE)
		return status;
	*ours = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
	return ours;
}

/* Reads a status into four words. `error` is the class of the error that the call returned for it. */
void mpi_status_read(const MPI_Status *status, int error, int64_t words[MPI_STATUS_WORDS]);

/* The status of a call that succeeded; absent for one that failed. */
void arg_mpi_status(struct call *call, unsigned index, int result, const MPI_Status *status);
/* The same of one in which MPI sets the number of bytes alone. */
void arg_mpi_status_bytes(struct call *call, unsigned index, int result, const MPI_Status *status);

/*
 * `count` statuses: as many as fit into the record. With
 * MPI_ERR_IN_STATUS each has its own error, else none has.
 */
void arg_mpi_statuses(struct call *call, unsigned index, int result, const MPI_Status *statuses,
		      int count);

/* The class of an error code. */
int mpi_error_class(int error);

#endif
