/* SPDX-License-Identifier: MIT */
/*
 * mpi_status.h - what a completed operation tells: source, tag, bytes, error.
 *
 * MPI leaves undefined what has no meaning for the operation: the words of a status are then what lay there
 * before, and are not recorded.
 */
#ifndef RECORDER_WRAP_MPI_STATUS_H
#define RECORDER_WRAP_MPI_STATUS_H

#include "record/blocks.h"
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

/* Its bytes, a number or enum status_word. */
#ifdef OPEN_MPI
/* What MPI_Get_count() of bytes and MPI_Test_cancelled() would say: they lie in the program's own MPI_Status. */
static inline int64_t mpi_status_bytes(const MPI_Status *status, unsigned fields)
{
	if ((fields & STATUS_CANCELLED) && status->_cancelled)
		return STATUS_WORD_CANCELLED;
	return fields & STATUS_BYTES ? (int64_t)status->_ucount : STATUS_WORD_UNDEFINED;
}
#else
int64_t mpi_status_bytes(const MPI_Status *status, unsigned fields);
#endif

/* Reads what is defined in a status into its words, and returns their sum. `error` is the class of its own error. */
static inline int64_t mpi_status_read(const MPI_Status *status, unsigned fields, int error,
				      int64_t words[STATUS_WORDS])
{
	int64_t bytes = mpi_status_bytes(status, error == MPI_SUCCESS ? fields : 0);
	int64_t source = STATUS_WORD_UNDEFINED, tag = STATUS_WORD_UNDEFINED;

	if ((fields & STATUS_ENVELOPE) && error == MPI_SUCCESS && bytes != STATUS_WORD_CANCELLED) {
		source = status->MPI_SOURCE;
		tag = status->MPI_TAG;
	}
	words[0] = source;
	words[1] = tag;
	words[2] = bytes;
	words[3] = error;
	return source + tag + bytes + error;
}

/* The status of a call that succeeded, its `fields`; absent for one that failed. */
static CALL_INLINE void arg_mpi_status_fields(struct call *call, unsigned index, int result,
					      const MPI_Status *status, unsigned fields)
{
	struct array_block *block;

	if (unlikely(result != MPI_SUCCESS || !status))
		return;
	block = array_begin(call, index, status, STATUS_WORDS);
	if (unlikely(!block))
		return;
	block->sum = mpi_status_read(status, fields, MPI_SUCCESS, block->elements);
	array_end(call, index, block, STATUS_WORDS, STATUS_WORDS);
}

/* That of a receive or a probe. */
static CALL_INLINE void arg_mpi_status(struct call *call, unsigned index, int result,
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
