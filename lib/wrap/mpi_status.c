/* SPDX-License-Identifier: MIT */
/* mpi_status.c - capturing statuses and errors */
#include "wrap/mpi_status.h"

#include "record/args.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_memory.h"

/* Left in a record for its other blocks. */
#define RECORD_RESERVE 1024u

#ifndef OPEN_MPI

static bool is_cancelled(const struct mpi_library *mpi, const MPI_Status *status)
{
	int flag = 0;

	return mpi->Test_cancelled(status, &flag) == MPI_SUCCESS && flag;
}

/* MPI_Get_count() gives an int; more than that is MPI_UNDEFINED. */
static int64_t bytes_told(const struct mpi_library *mpi, const MPI_Status *status)
{
	MPI_Count large;
	int count;

	if (mpi->Get_count(status, MPI_BYTE, &count) != MPI_SUCCESS)
		return STATUS_WORD_UNKNOWN;
	if (count != MPI_UNDEFINED)
		return count;
	if (mpi->Get_elements_x(status, MPI_BYTE, &large) != MPI_SUCCESS || large == MPI_UNDEFINED)
		return STATUS_WORD_UNKNOWN;
	return large;
}

int64_t mpi_status_bytes(const MPI_Status *status, unsigned fields)
{
	const struct mpi_library *mpi = mpi_running();
	int64_t bytes = fields & STATUS_BYTES ? STATUS_WORD_UNKNOWN : STATUS_WORD_UNDEFINED;
	struct mpi_query query;

	if (!(fields & (STATUS_BYTES | STATUS_CANCELLED)) || !mpi)
		return bytes;
	mpi_query_begin(&query);
	if ((fields & STATUS_CANCELLED) && is_cancelled(mpi, status))
		bytes = STATUS_WORD_CANCELLED;
	else if (fields & STATUS_BYTES)
		bytes = bytes_told(mpi, status);
	mpi_query_end(&query);
	return bytes;
}

#endif

int mpi_class_of_error(int error)
{
	const struct mpi_library *mpi;
	int class;

	if (error == MPI_SUCCESS)
		return MPI_SUCCESS;
	mpi = mpi_library();
	return mpi && mpi->Error_class(error, &class) == MPI_SUCCESS ? class : error;
}

/* How many words still fit into the call's record. */
static uint32_t room(const struct call *call)
{
	uint32_t used = call->record->size + RECORD_RESERVE;

	return used < RECORD_MAX_SIZE ? (RECORD_MAX_SIZE - used) / sizeof(int64_t) : 0;
}

void arg_mpi_statuses(struct call *call, unsigned index, int result, const MPI_Status *statuses,
		      const uint8_t *fields, int count)
{
	uint32_t original = (uint32_t)count * STATUS_WORDS, stored = original, fits = room(call);
	bool own_errors = result == MPI_ERR_IN_STATUS;
	int64_t *words, sum = 0;

	if ((result != MPI_SUCCESS && !own_errors) || statuses == MPI_STATUSES_IGNORE)
		return;
	words = mpi_scratch_take(original * sizeof(*words));
	if (!words)
		return;
	for (int at = 0; at < count; at++)
		sum += mpi_status_read(&statuses[at], fields[at],
				       own_errors ? mpi_class_of_error(statuses[at].MPI_ERROR)
						  : MPI_SUCCESS,
				       words + (uint32_t)at * STATUS_WORDS);
	if (stored > fits)
		stored = fits / STATUS_WORDS * STATUS_WORDS;
	arg_array(call, index, words, stored, original, sum);
	mpi_scratch_give(words);
}
