/* SPDX-License-Identifier: MIT */
/* mpi_waitany.c - completion of any and of some requests */
#include "wrap/wrapper.h"

#include "wrap/mpi_completion.h"

/* ---- any ---- */

WRAPPER int MPI_Waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status)
{
	__typeof__(MPI_Waitany) *next = function_next(SYM_MPI_Waitany);
	struct mpi_completion completion;
	MPI_Status ignored;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Waitany))
		return next(count, array_of_requests, index, status);
	mpi_any_begin(&completion, FN_MPI_Waitany, CALL_SITE, count,
		      mpi_variables(array_of_requests));
	if (completion.recorded) {
		status = mpi_status_or(status, &ignored);
		call_start(&completion.call);
	}
	result = next(count, array_of_requests, index, status);
	if (completion.recorded)
		call_stop(&completion.call);
	mpi_any_end(&completion, result, index, NULL, status);
	return result;
}

WRAPPER int MPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag,
			MPI_Status *status)
{
	__typeof__(MPI_Testany) *next = function_next(SYM_MPI_Testany);
	struct mpi_completion completion;
	MPI_Status ignored;
	int result, no = 0;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Testany))
		return next(count, array_of_requests, index, flag, status);
	mpi_any_begin(&completion, FN_MPI_Testany, CALL_SITE, count,
		      mpi_variables(array_of_requests));
	if (completion.recorded) {
		status = mpi_status_or(status, &ignored);
		poll_start(&completion.call, TESTANY_ARGS);
	}
	result = next(count, array_of_requests, index, flag, status);
	if (completion.recorded)
		call_stop(&completion.call);
	mpi_any_end(&completion, result, index, flag ? flag : &no, status);
	return result;
}

/* ---- some ---- */

/* Both calls: one waits until there is something to tell. */
static int complete_some(__typeof__(MPI_Waitsome) *next, unsigned function, uintptr_t site,
			 int incount, MPI_Request requests[], int *outcount, int indices[],
			 MPI_Status statuses[])
{
	struct mpi_completion completion;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(function))
		return next(incount, requests, outcount, indices, statuses);
	mpi_some_begin(&completion, function, site, incount, mpi_variables(requests), statuses);
	if (completion.recorded) {
		statuses = completion.batch.statuses;
		mpi_some_start(&completion);
	}
	result = next(incount, requests, outcount, indices, statuses);
	if (completion.recorded)
		call_stop(&completion.call);
	mpi_some_end(&completion, result, outcount, indices);
	return result;
}

WRAPPER int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount,
			 int array_of_indices[], MPI_Status array_of_statuses[])
{
	return complete_some(function_next(SYM_MPI_Waitsome), FN_MPI_Waitsome, CALL_SITE, incount,
			     array_of_requests, outcount, array_of_indices, array_of_statuses);
}

WRAPPER int MPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount,
			 int array_of_indices[], MPI_Status array_of_statuses[])
{
	return complete_some(function_next(SYM_MPI_Testsome), FN_MPI_Testsome, CALL_SITE, incount,
			     array_of_requests, outcount, array_of_indices, array_of_statuses);
}
