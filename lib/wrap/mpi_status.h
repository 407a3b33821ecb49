/* SPDX-License-Identifier: MIT */
/*
 * mpi_status.h - what a completed operation tells: source, tag, bytes, error.
 *
 * MPI leaves undefined what has no meaning for the operation: the words of a status are then what lay there
 * before, and are not recorded.
 */
#ifndef RECORDER_WRAP_MPI_STATUS_H
#define RECORDER_WRAP_MPI_STATUS_H

#include "record/call.h"
#include "wrap/mpi_library.h"

/* What MPI defines in a status, beside its error. */
enum mpi_status_field {
	STATUS_ENVELOPE = 1 << 0, /* source and tag */
	STATUS_BYTES = 1 << 1,
	STATUS_CANCELLED = 1 << 2, /* whether it was; if so, that alone */
};

/* Where MPI shall put the status: where the program wants it, or in `ours` if it wants none. */
static inline MPI_Status *mpi_status_or(MPI_Status *status, MPI_Status *ours)
{
	if (status != MPI_STATUS_IGNORE)
		return status;
	*ours = (MPI_Status){.MPI_SOURCE = MPI_UNDEFINED, .MPI_TAG = MPI_UNDEFINED};
	return ours;
}

/* The status of a call that succeeded, its `fields`; absent for one that failed. */
void arg_mpi_status_fields(struct call *call, unsigned index, int result, const MPI_Status *status,
			   unsigned fields);

/* That of a receive or a probe. */
static inline void arg_mpi_status(struct call *call, unsigned index, int result,
				  const MPI_Status *status)
{
	arg_mpi_status_fields(call, index, result, status, STATUS_ENVELOPE | STATUS_BYTES);
}

/* That of a file operation. */
static inline void arg_mpi_status_bytes(struct call *call, unsigned index, int result,
					const MPI_Status *status)
{
	arg_mpi_status_fields(call, index, result, status, STATUS_BYTES);
}

/*
 * `count` statuses, each with its fields: as many as fit into the record. With
 * MPI_ERR_IN_STATUS each has its own error, and one that failed nothing else.
 */
void arg_mpi_statuses(struct call *call, unsigned index, int result, const MPI_Status *statuses,
		      const uint8_t *fields, int count);

/* The class of an error code. */
int mpi_class_of_error(int error);

#endif
