/* SPDX-License-Identifier: MIT */
/* mpi_fortran_wait.c - completion of requests in Fortran, where indices count from 1: see mpi_completion.h. */
#include "wrap/wrapper.h"

#include "fortran_gen.h"
#include "wrap/mpi_completion.h"
#include "wrap/mpi_fortran.h"

#ifdef FORTRAN_CALLS_PMPI

/* ---- one request ---- */

/* The status as C has it, of a call that is recorded. */
static const MPI_Status *status_of(const struct mpi_single *single, const MPI_Fint *status,
				   MPI_Status *read)
{
	if (single->recorded)
		fortran_statuses_read(read, status, 1);
	return read;
}

void fortran_mpi_wait(mpi_wait_procedure *next, uintptr_t site, MPI_Fint *request, MPI_Fint *status,
		      MPI_Fint *ierror)
{
	union fortran_status ignored;
	struct mpi_single single;
	MPI_Status read;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Wait)) {
		next(request, status, ierror);
		return;
	}
	mpi_wait_begin(&single, site, fortran_request(request), request);
	if (single.recorded) {
		status = fortran_status_or(status, &ignored);
		call_start(&single.call);
	}
	next(request, status, ierror);
	if (single.recorded)
		call_stop(&single.call);
	mpi_wait_end(&single, *ierror, fortran_request(request), status_of(&single, status, &read));
}

void fortran_mpi_test(mpi_test_procedure *next, uintptr_t site, MPI_Fint *request, MPI_Fint *flag,
		      MPI_Fint *status, MPI_Fint *ierror)
{
	union fortran_status ignored;
	struct mpi_single single;
	MPI_Status read;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Test)) {
		next(request, flag, status, ierror);
		return;
	}
	mpi_test_begin(&single, site, fortran_request(request), request);
	if (single.recorded) {
		status = fortran_status_or(status, &ignored);
		poll_start(&single.call, TEST_ARGS);
	}
	next(request, flag, status, ierror);
	if (single.recorded)
		call_stop(&single.call);
	mpi_test_end(&single, *ierror, fortran_request(request), fortran_logical(flag),
		     status_of(&single, status, &read));
}

void fortran_mpi_request_get_status(mpi_request_get_status_procedure *next, uintptr_t site,
				    const MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status,
				    MPI_Fint *ierror)
{
	union fortran_status ignored;
	struct mpi_single single;
	MPI_Status read;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Request_get_status)) {
		next(request, flag, status, ierror);
		return;
	}
	mpi_get_status_begin(&single, site, fortran_request(request));
	if (single.recorded) {
		status = fortran_status_or(status, &ignored);
		poll_start(&single.call, GET_STATUS_ARGS);
	}
	next(request, flag, status, ierror);
	if (single.recorded)
		call_stop(&single.call);
	mpi_get_status_end(&single, *ierror, *ierror == MPI_SUCCESS && fortran_logical(flag),
			   status_of(&single, status, &read));
}

/* ---- several ---- */

/*
 * After a call that is recorded: its statuses into those of the batch. Open MPI's Fortran functions set none if the call failed,
 * also with MPI_ERR_IN_STATUS.
 */
static void statuses_read(struct mpi_batch *batch, int error, const MPI_Fint statuses[], int count)
{
	if (error != MPI_SUCCESS)
		batch->statuses = MPI_STATUSES_IGNORE;
	else if (batch->scratch)
		fortran_statuses_read(batch->statuses, statuses, count);
}

void fortran_mpi_waitall(mpi_waitall_procedure *next, uintptr_t site, const MPI_Fint *count,
			 MPI_Fint array_of_requests[], MPI_Fint *array_of_statuses,
			 MPI_Fint *ierror)
{
	struct mpi_completion completion;
	union fortran_status *ours = NULL;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Waitall)) {
		next(count, array_of_requests, array_of_statuses, ierror);
		return;
	}
	mpi_waitall_begin(&completion, site, *count, fortran_variables(array_of_requests),
			  MPI_STATUSES_IGNORE);
	if (completion.recorded) {
		array_of_statuses = fortran_statuses_or(array_of_statuses, *count, &ours);
		call_start(&completion.call);
	}
	next(count, array_of_requests, array_of_statuses, ierror);
	if (completion.recorded) {
		call_stop(&completion.call);
		statuses_read(&completion.batch, *ierror, array_of_statuses, *count);
	}
	mpi_waitall_end(&completion, *ierror);
	mpi_scratch_give(ours);
}

void fortran_mpi_testall(mpi_testall_procedure *next, uintptr_t site, const MPI_Fint *count,
			 MPI_Fint array_of_requests[], MPI_Fint *flag, MPI_Fint array_of_statuses[],
			 MPI_Fint *ierror)
{
	struct mpi_completion completion;
	union fortran_status *ours = NULL;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Testall)) {
		next(count, array_of_requests, flag, array_of_statuses, ierror);
		return;
	}
	mpi_testall_begin(&completion, site, *count, fortran_variables(array_of_requests),
			  MPI_STATUSES_IGNORE);
	if (completion.recorded) {
		array_of_statuses = fortran_statuses_or(array_of_statuses, *count, &ours);
		poll_start(&completion.call, TESTALL_ARGS);
	}
	next(count, array_of_requests, flag, array_of_statuses, ierror);
	if (completion.recorded) {
		call_stop(&completion.call);
		statuses_read(&completion.batch, *ierror, array_of_statuses, *count);
	}
	mpi_testall_end(&completion, *ierror, fortran_logical(flag));
	mpi_scratch_give(ours);
}

/* ---- any ---- */

/* An index of Fortran as C has it. MPI_UNDEFINED is none, and if the call failed Open MPI gives that of C. */
static int index_of(int error, MPI_Fint index)
{
	return index == MPI_UNDEFINED || error != MPI_SUCCESS ? index : index - 1;
}

static void any_end(struct mpi_completion *completion, int error, MPI_Fint index,
		    const MPI_Fint *flag, const MPI_Fint *status)
{
	int from_zero = index_of(error, index), found = flag && fortran_logical(flag);
	MPI_Status read;

	if (completion->recorded)
		fortran_statuses_read(&read, status, 1);
	mpi_any_end(completion, error, &from_zero, flag ? &found : NULL, &read);
}

void fortran_mpi_waitany(mpi_waitany_procedure *next, uintptr_t site, const MPI_Fint *count,
			 MPI_Fint array_of_requests[], MPI_Fint *index, MPI_Fint *status,
			 MPI_Fint *ierror)
{
	struct mpi_completion completion;
	union fortran_status ignored;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Waitany)) {
		next(count, array_of_requests, index, status, ierror);
		return;
	}
	mpi_any_begin(&completion, FN_MPI_Waitany, site, *count,
		      fortran_variables(array_of_requests));
	if (completion.recorded) {
		status = fortran_status_or(status, &ignored);
		call_start(&completion.call);
	}
	next(count, array_of_requests, index, status, ierror);
	if (completion.recorded)
		call_stop(&completion.call);
	any_end(&completion, *ierror, *index, NULL, status);
}

void fortran_mpi_testany(mpi_testany_procedure *next, uintptr_t site, const MPI_Fint *count,
			 MPI_Fint array_of_requests[], MPI_Fint *index, MPI_Fint *flag,
			 MPI_Fint *status, MPI_Fint *ierror)
{
	struct mpi_completion completion;
	union fortran_status ignored;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(FN_MPI_Testany)) {
		next(count, array_of_requests, index, flag, status, ierror);
		return;
	}
	mpi_any_begin(&completion, FN_MPI_Testany, site, *count,
		      fortran_variables(array_of_requests));
	if (completion.recorded) {
		status = fortran_status_or(status, &ignored);
		poll_start(&completion.call, TESTANY_ARGS);
	}
	next(count, array_of_requests, index, flag, status, ierror);
	if (completion.recorded)
		call_stop(&completion.call);
	any_end(&completion, *ierror, *index, flag, status);
}

/* ---- some ---- */

/* The indices that a successful call gave, in scratch memory, counting from 0. */
static int *indices_of(const MPI_Fint indices[], int count)
{
	int *from_zero = mpi_scratch_take((size_t)count * sizeof(*from_zero));

	for (int at = 0; from_zero && at < count; at++)
		from_zero[at] = index_of(MPI_SUCCESS, indices[at]);
	return from_zero;
}

static void some_end(struct mpi_completion *completion, int error, MPI_Fint outcount,
		     const MPI_Fint indices[], const MPI_Fint statuses[])
{
	int count = error == MPI_SUCCESS && outcount > 0 ? outcount : 0;
	int *from_zero = count > 0 ? indices_of(indices, count) : NULL;

	if (completion->recorded)
		statuses_read(&completion->batch, error, statuses, count);
	mpi_some_end(completion, error, &outcount, from_zero);
	mpi_scratch_give(from_zero);
}

/* Both calls: one waits until there is something to tell. */
static void complete_some(mpi_waitsome_procedure *next, unsigned function, uintptr_t site,
			  const MPI_Fint *incount, MPI_Fint requests[], MPI_Fint *outcount,
			  MPI_Fint indices[], MPI_Fint statuses[], MPI_Fint *ierror)
{
	struct mpi_completion completion;
	union fortran_status *ours = NULL;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (mpi_completion_passes(function)) {
		next(incount, requests, outcount, indices, statuses, ierror);
		return;
	}
	mpi_some_begin(&completion, function, site, *incount, fortran_variables(requests),
		       MPI_STATUSES_IGNORE);
	if (completion.recorded) {
		statuses = fortran_statuses_or(statuses, *incount, &ours);
		mpi_some_start(&completion);
	}
	next(incount, requests, outcount, indices, statuses, ierror);
	if (completion.recorded)
		call_stop(&completion.call);
	some_end(&completion, *ierror, *outcount, indices, statuses);
	mpi_scratch_give(ours);
}

void fortran_mpi_waitsome(mpi_waitsome_procedure *next, uintptr_t site, const MPI_Fint *incount,
			  MPI_Fint array_of_requests[], MPI_Fint *outcount,
			  MPI_Fint array_of_indices[], MPI_Fint array_of_statuses[],
			  MPI_Fint *ierror)
{
	complete_some(next, FN_MPI_Waitsome, site, incount, array_of_requests, outcount,
		      array_of_indices, array_of_statuses, ierror);
}

void fortran_mpi_testsome(mpi_testsome_procedure *next, uintptr_t site, const MPI_Fint *incount,
			  MPI_Fint array_of_requests[], MPI_Fint *outcount,
			  MPI_Fint array_of_indices[], MPI_Fint array_of_statuses[],
			  MPI_Fint *ierror)
{
	complete_some(next, FN_MPI_Testsome, site, incount, array_of_requests, outcount,
		      array_of_indices, array_of_statuses, ierror);
}

#endif
