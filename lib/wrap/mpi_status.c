/* SPDX-License-Identifier: MIT */
/* mpi_status.c - capturing statuses and errors */
#include "wrap/mpi_status.h"

#include "record/args.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_memory.h"

/* Left in a record for its other blocks. */
#define RECORD_RESERVE 1024u

static MPI_Datatype byte_type(void)
{
	static _Atomic uintptr_t known;
	uintptr_t handle = known;

	if (!handle) {
#ifdef OPEN_MPI
		handle = (uintptr_t)mpi_library_data("ompi_mpi_byte");
#else
		handle = (uintptr_t)MPI_BYTE;
#endif
		known = handle;
	}
	return (MPI_Datatype)handle;
}

/* MPI_Get_count() gives an int; more than that is MPI_UNDEFINED. */
static int64_t status_bytes(const MPI_Status *status)
{
	const struct mpi_library *mpi = mpi_running();
	MPI_Datatype byte = byte_type();
	struct mpi_query query;
	MPI_Count large;
	int count;

	if (!mpi || !byte)
		return MPI_BYTES_UNKNOWN;
	mpi_query_begin(&query);
	if (mpi->Get_count(status, byte, &count) != MPI_SUCCESS)
		large = MPI_BYTES_UNKNOWN;
	else if (count != MPI_UNDEFINED)
		large = count;
	else if (mpi->Get_elements_x(status, byte, &large) != MPI_SUCCESS || large == MPI_UNDEFINED)
		large = MPI_BYTES_UNKNOWN;
	mpi_query_end(&query);
	return large;
}

void mpi_status_read(const MPI_Status *status, int error, int64_t words[MPI_STATUS_WORDS])
{
	words[0] = status->MPI_SOURCE;
	words[1] = status->MPI_TAG;
	words[2] = status_bytes(status);
	words[3] = error;
}

int mpi_error_class(int error)
{
	const struct mpi_library *mpi;
	int class;

	if (error == MPI_SUCCESS)
		return MPI_SUCCESS;
	mpi = mpi_library();
	return mpi && mpi->Error_class(error, &class) == MPI_SUCCESS ? class : error;
}

static int64_t sum_of(const int64_t *words, uint32_t count)
{
	int64_t sum = 0;

	for (uint32_t at = 0; at < count; at++)
		sum += words[at];
	return sum;
}

static void arg_words(struct call *call, unsigned index, const int64_t words[MPI_STATUS_WORDS])
{
	arg_array(call, index, words, MPI_STATUS_WORDS, MPI_STATUS_WORDS,
		  sum_of(words, MPI_STATUS_WORDS));
}

void arg_mpi_status(struct call *call, unsigned index, int result, const MPI_Status *status)
{
	int64_t words[MPI_STATUS_WORDS];

	if (result != MPI_SUCCESS || !status)
		return;
	mpi_status_read(status, MPI_SUCCESS, words);
	arg_words(call, index, words);
}

void arg_mpi_status_bytes(struct call *call, unsigned index, int result, const MPI_Status *status)
{
	int64_t words[MPI_STATUS_WORDS];

	if (result != MPI_SUCCESS || !status)
		return;
	mpi_status_read(status, MPI_SUCCESS, words);
	words[0] = MPI_ANY_SOURCE;
	words[1] = MPI_ANY_TAG;
	arg_words(call, index, words);
}

/* How many words still fit into the call's record. */
static uint32_t room(const struct call *call)
{
	uint32_t used = call->record->size + RECORD_RESERVE;

	return used < RECORD_MAX_SIZE ? (RECORD_MAX_SIZE - used) / sizeof(int64_t) : 0;
}

void arg_mpi_statuses(struct call *call, unsigned index, int result, const MPI_Status *statuses,
		      int count)
{
	uint32_t original = (uint32_t)count * MPI_STATUS_WORDS, stored = original,
		 fits = room(call);
	int64_t *words, sum;

	if ((result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS) || count < 0 || !statuses)
		return;
	words = mpi_scratch_take(original * sizeof(*words));
	if (!words)
		return;
	for (int at = 0; at < count; at++)
		mpi_status_read(&statuses[at],
				result == MPI_ERR_IN_STATUS
					? mpi_error_class(statuses[at].MPI_ERROR)
					: MPI_SUCCESS,
				words + (uint32_t)at * MPI_STATUS_WORDS);
	sum = sum_of(words, original);
	if (stored > fits)
		stored = fits / MPI_STATUS_WORDS * MPI_STATUS_WORDS;
	arg_array(call, index, words, stored, original, sum);
	mpi_scratch_give(words);
}
