/* SPDX-License-Identifier: MIT */
/*
 * mpi_file_handles.c - files as Fortran has them. MPICH's library of Fortran calls these functions for each file that it is given or
 * gives: such calls are none of the program, and passed on.
 */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"
#include "wrap/mpi_f08.h"

static inline bool enter(struct call *call, unsigned function, uintptr_t site)
{
	return !mpi_f08_calls(site) && call_enter(call, function, 1, site);
}

WRAPPER MPI_Fint MPI_File_c2f(MPI_File file)
{
	__typeof__(MPI_File_c2f) *next = function_next(SYM_MPI_File_c2f);
	struct call call;
	MPI_Fint result;

	if (!next)
		return 0;
	if (!enter(&call, FN_MPI_File_c2f, CALL_SITE))
		return next(file);
	arg_mpi_mpi_file(&call, 0, file);
	call_start(&call);
	result = next(file);
	call_stop(&call);
	result_int(&call, result, false);
	call_leave(&call);
	return result;
}

WRAPPER MPI_File MPI_File_f2c(MPI_Fint file)
{
	__typeof__(MPI_File_f2c) *next = function_next(SYM_MPI_File_f2c);
	struct call call;
	MPI_File result;

	if (!next)
		return 0;
	if (!enter(&call, FN_MPI_File_f2c, CALL_SITE))
		return next(file);
	arg_int(&call, 0, file);
	call_start(&call);
	result = next(file);
	call_stop(&call);
	result_mpi_mpi_file(&call, result);
	call_leave(&call);
	return result;
}
