/* SPDX-License-Identifier: MIT */
/* mpi_init.c - begin and end of MPI, and what may be called outside of them */
#include "wrap/wrapper.h"

#include "wrap/mpi_init.h"

#include "wrap/mpi_args.h"

#include "record/lifecycle.h"
#include "record/pushed.h"
#include "wrap/mpi_clock.h"
#include "wrap/mpi_ranks.h"

void mpi_begun(int result)
{
	const struct mpi_library *mpi;
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int rank = -1, size = 0, length;
	struct mpi_query query;

	mpi_running_set(result == MPI_SUCCESS);
	mpi = mpi_running();
	mpi_handles_load();
	if (!mpi || !mpi_comm_world())
		return;
	mpi_query_begin(&query);
	mpi->Comm_rank(mpi_comm_world(), &rank);
	mpi->Comm_size(mpi_comm_world(), &size);
	mpi->Get_library_version(version, &length);
	lifecycle_mpi_initialized(rank, size, version);
	mpi_query_end(&query);
	mpi_comms_begin();
	mpi_clock_begin(mpi, rank, size);
}

WRAPPER int MPI_Init(int *argc, char ***argv)
{
	__typeof__(MPI_Init) *next = function_next(SYM_MPI_Init);
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!pushed_enter(&call, FN_MPI_Init, 0, CALL_SITE)) {
		result = next(argc, argv);
		mpi_begun(result);
		return result;
	}
	pushed_start(&call);
	result = next(argc, argv);
	pushed_stop(&call);
	mpi_begun(result);
	result_mpi_error(&call, result);
	pushed_leave(&call);
	return result;
}

WRAPPER int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	__typeof__(MPI_Init_thread) *next = function_next(SYM_MPI_Init_thread);
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!pushed_enter(&call, FN_MPI_Init_thread, 2, CALL_SITE)) {
		result = next(argc, argv, required, provided);
		mpi_begun(result);
		return result;
	}
	args_absent(&call, 2);
	arg_int(&call, 0, required);
	pushed_start(&call);
	result = next(argc, argv, required, provided);
	pushed_stop(&call);
	mpi_begun(result);
	result_mpi_error(&call, result);
	arg_int_at(&call, 1, provided);
	pushed_leave(&call);
	return result;
}

void mpi_ending(void)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_query query;

	if (mpi)
		mpi_clock_end(mpi);
	mpi_query_begin(&query);
	mpi_ranks_end();
	mpi_query_end(&query);
	mpi_running_set(false);
}

WRAPPER int MPI_Finalize(void)
{
	__typeof__(MPI_Finalize) *next = function_next(SYM_MPI_Finalize);
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	mpi_ending();
	if (!call_enter(&call, FN_MPI_Finalize, 0, CALL_SITE)) {
		result = next();
		lifecycle_mpi_finalized();
		return result;
	}
	call_start(&call);
	result = next();
	call_stop(&call);
	result_mpi_error(&call, result);
	call_leave(&call);
	lifecycle_mpi_finalized();
	return result;
}

/* A program that looks for MPI by these symbols finds ours though it has no MPI: then there is none. */
WRAPPER int MPI_Initialized(int *flag)
{
	__typeof__(MPI_Initialized) *next = function_next(SYM_MPI_Initialized);
	struct call call;
	int result;

	if (!next) {
		*flag = 0;
		return MPI_SUCCESS;
	}
	if (!call_enter(&call, FN_MPI_Initialized, 1, CALL_SITE))
		return next(flag);
	args_absent(&call, 1);
	call_start(&call);
	result = next(flag);
	call_stop(&call);
	result_mpi_error(&call, result);
	arg_int_at(&call, 0, flag);
	call_leave(&call);
	return result;
}

WRAPPER int MPI_Finalized(int *flag)
{
	__typeof__(MPI_Finalized) *next = function_next(SYM_MPI_Finalized);
	struct call call;
	int result;

	if (!next) {
		*flag = 0;
		return MPI_SUCCESS;
	}
	if (!call_enter(&call, FN_MPI_Finalized, 1, CALL_SITE))
		return next(flag);
	args_absent(&call, 1);
	call_start(&call);
	result = next(flag);
	call_stop(&call);
	result_mpi_error(&call, result);
	arg_int_at(&call, 0, flag);
	call_leave(&call);
	return result;
}

WRAPPER int MPI_Abort(MPI_Comm comm, int errorcode)
{
	__typeof__(MPI_Abort) *next = function_next(SYM_MPI_Abort);
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (pushed_enter(&call, FN_MPI_Abort, 2, CALL_SITE)) {
		arg_mpi_comm(&call, 0, comm);
		arg_int(&call, 1, errorcode);
		call_store_noreturn(&call);
	}
	lifecycle_exit("MPI_Abort", errorcode);
	return next(comm, errorcode);
}

/* 0 pauses recording, 1 and more resume it; further arguments mean nothing to us. */
WRAPPER int MPI_Pcontrol(const int level, ...)
{
	__typeof__(MPI_Pcontrol) *next = function_next(SYM_MPI_Pcontrol);
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	lifecycle_pause(level == 0);
	if (!call_enter(&call, FN_MPI_Pcontrol, 1, CALL_SITE))
		return next(level);
	args_absent(&call, 1);
	arg_int(&call, 0, level);
	call_start(&call);
	result = next(level);
	call_stop(&call);
	result_mpi_error(&call, result);
	call_leave(&call);
	return result;
}
