/* SPDX-License-Identifier: MIT */
/* mpi_fortran_init.c - begin and end of MPI in Fortran, and what may be called outside of them */
#include "wrap/wrapper.h"

#include "fortran_gen.h"
#include "record/lifecycle.h"
#include "record/pushed.h"
#include "wrap/mpi_fortran.h"
#include "wrap/mpi_init.h"

#ifdef FORTRAN_CALLS_PMPI

void fortran_mpi_init(mpi_init_procedure *next, uintptr_t site, MPI_Fint *ierror)
{
	struct call call;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (!pushed_enter(&call, FN_MPI_Init, 0, site)) {
		next(ierror);
		mpi_begun(*ierror);
		return;
	}
	pushed_start(&call);
	next(ierror);
	pushed_stop(&call);
	mpi_begun(*ierror);
	result_mpi_error(&call, *ierror);
	pushed_leave(&call);
}

void fortran_mpi_init_thread(mpi_init_thread_procedure *next, uintptr_t site,
			     const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
	struct call call;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (!pushed_enter(&call, FN_MPI_Init_thread, 2, site)) {
		next(required, provided, ierror);
		mpi_begun(*ierror);
		return;
	}
	args_absent(&call, 2);
	arg_int(&call, 0, *required);
	pushed_start(&call);
	next(required, provided, ierror);
	pushed_stop(&call);
	mpi_begun(*ierror);
	result_mpi_error(&call, *ierror);
	arg_int_at(&call, 1, provided);
	pushed_leave(&call);
}

void fortran_mpi_finalize(mpi_finalize_procedure *next, uintptr_t site, MPI_Fint *ierror)
{
	struct call call;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	mpi_ending();
	if (!call_enter(&call, FN_MPI_Finalize, 0, site)) {
		next(ierror);
		lifecycle_mpi_finalized();
		return;
	}
	call_start(&call);
	next(ierror);
	call_stop(&call);
	result_mpi_error(&call, *ierror);
	call_leave(&call);
	lifecycle_mpi_finalized();
}

/* Both questions. A program that looks for MPI by these names finds ours though it has no MPI: then there is none. */
static void ask(mpi_initialized_procedure *next, unsigned function, uintptr_t site, MPI_Fint *flag,
		MPI_Fint *ierror)
{
	struct call call;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	if (!next) {
		*flag = 0;
		*ierror = MPI_SUCCESS;
		return;
	}
	if (!call_enter(&call, function, 1, site)) {
		next(flag, ierror);
		return;
	}
	args_absent(&call, 1);
	call_start(&call);
	next(flag, ierror);
	call_stop(&call);
	result_mpi_error(&call, *ierror);
	arg_int(&call, 0, fortran_logical(flag));
	call_leave(&call);
}

void fortran_mpi_initialized(mpi_initialized_procedure *next, uintptr_t site, MPI_Fint *flag,
			     MPI_Fint *ierror)
{
	ask(next, FN_MPI_Initialized, site, flag, ierror);
}

void fortran_mpi_finalized(mpi_finalized_procedure *next, uintptr_t site, MPI_Fint *flag,
			   MPI_Fint *ierror)
{
	ask(next, FN_MPI_Finalized, site, flag, ierror);
}

void fortran_mpi_abort(mpi_abort_procedure *next, uintptr_t site, const MPI_Fint *comm,
		       const MPI_Fint *errorcode, MPI_Fint *ierror)
{
	struct call call;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (pushed_enter(&call, FN_MPI_Abort, 2, site)) {
		arg_mpi_comm(&call, 0, fortran_comm(comm));
		arg_int(&call, 1, *errorcode);
		call_store_noreturn(&call);
	}
	lifecycle_exit("MPI_Abort", *errorcode);
	next(comm, errorcode, ierror);
}

/* 0 pauses recording, 1 and more resume it. */
void fortran_mpi_pcontrol(mpi_pcontrol_procedure *next, uintptr_t site, const MPI_Fint *level)
{
	struct call call;

	if (!next)
		return;
	lifecycle_pause(*level == 0);
	if (!call_enter(&call, FN_MPI_Pcontrol, 1, site)) {
		next(level);
		return;
	}
	args_absent(&call, 1);
	arg_int(&call, 0, *level);
	call_start(&call);
	next(level);
	call_stop(&call);
	result_mpi_error(&call, MPI_SUCCESS);
	call_leave(&call);
}

#endif
