/* SPDX-License-Identifier: MIT */
/* mpi_wait.c - completion of one request and of all: MPI_Wait, MPI_Test, MPI_Waitall, MPI_Testall. */
#include "wrap/wrapper.h"

#include "wrap/mpi_completion.h"

/* ---- one request ---- */

WRAPPER int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	__typeof__(MPI_Wait) *next = function_next(SYM_MPI_Wait);
	struct mpi_single single;
	MPI_Status ignored;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Wait))
		return next(request, status);
	mpi_wait_begin(&single, CALL_SITE, mpi_request_behind(request), request);
	if (single.recorded) {
		status = mpi_status_or(status, &ignored);
		call_start(&single.call);
	}
	result = next(request, status);
	if (single.recorded)
		call_stop(&single.call);
	mpi_wait_end(&single, result, mpi_request_behind(request), status);
	return result;
}

WRAPPER int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	__typeof__(MPI_Test) *next = function_next(SYM_MPI_Test);
	struct mpi_single single;
	MPI_Status ignored;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Test))
		return next(request, flag, status);
	mpi_test_begin(&single, CALL_SITE, mpi_request_behind(request), request);
	if (single.recorded) {
		status = mpi_status_or(status, &ignored);
		poll_start(&single.call, TEST_ARGS);
	}
	result = next(request, flag, status);
	if (single.recorded)
		call_stop(&single.call);
	mpi_test_end(&single, result, mpi_request_behind(request), flag && *flag, status);
	return result;
}

WRAPPER int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
	__typeof__(MPI_Request_get_status) *next = function_next(SYM_MPI_Request_get_status);
	struct mpi_single single;
	MPI_Status ignored;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Request_get_status))
		return next(request, flag, status);
	mpi_get_status_begin(&single, CALL_SITE, request);
	if (single.recorded) {
		status = mpi_status_or(status, &ignored);
		poll_start(&single.call, GET_STATUS_ARGS);
	}
	result = next(request, flag, status);
	if (single.recorded)
		call_stop(&single.call);
	mpi_get_status_end(&single, result, result == MPI_SUCCESS && *flag, status);
	return result;
}

/* ---- all of them ---- */

WRAPPER int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses)
{
	__typeof__(MPI_Waitall) *next = function_next(SYM_MPI_Waitall);
	struct mpi_completion completion;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Waitall))
		return next(count, array_of_requests, array_of_statuses);
	mpi_waitall_begin(&completion, CALL_SITE, count, mpi_variables(array_of_requests),
			  array_of_statuses);
	if (completion.recorded) {
		array_of_statuses = completion.batch.statuses;
		call_start(&completion.call);
	}
	result = next(count, array_of_requests, array_of_statuses);
	if (completion.recorded)
		call_stop(&completion.call);
	mpi_waitall_end(&completion, result);
	return result;
}

WRAPPER int MPI_Testall(int count, MPI_Request array_of_requests[], int *flag,
			MPI_Status array_of_statuses[])
{
	__typeof__(MPI_Testall) *next = function_next(SYM_MPI_Testall);
	struct mpi_completion completion;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (mpi_completion_passes(FN_MPI_Testall))
		return next(count, array_of_requests, flag, array_of_statuses);
	mpi_testall_begin(&completion, CALL_SITE, count, mpi_variables(array_of_requests),
			  array_of_statuses);
	if (completion.recorded) {
		array_of_statuses = completion.batch.statuses;
		poll_start(&completion.call, TESTALL_ARGS);
	}
	result = next(count, array_of_requests, flag, array_of_statuses);
	if (completion.recorded)
		call_stop(&completion.call);
	mpi_testall_end(&completion, result, flag && *flag);
	return result;
}
