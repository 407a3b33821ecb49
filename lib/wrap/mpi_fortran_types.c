/* SPDX-License-Identifier: MIT */
/* mpi_fortran_types.c - MPI_Type_get_contents in Fortran: the types that the program gets are handles of Fortran. */
#include "wrap/wrapper.h"

#include "fortran_gen.h"
#include "wrap/mpi_fortran.h"

#ifdef FORTRAN_CALLS_PMPI

/* As mpi_contents_held(). */
static void contents_held(int error, const MPI_Fint *type, int most, const MPI_Fint types[])
{
	int count = error == MPI_SUCCESS ? mpi_contents_count(fortran_datatype(type)) : 0;

	for (int at = 0; at < count && at < most; at++)
		mpi_handle_shared(MPI_OBJECT_DATATYPE, (uintptr_t)fortran_datatype(&types[at]));
}

void fortran_mpi_type_get_contents(mpi_type_get_contents_procedure *next, uintptr_t site,
				   const MPI_Fint *mtype, const MPI_Fint *max_integers,
				   const MPI_Fint *max_addresses, const MPI_Fint *max_datatypes,
				   MPI_Fint *array_of_integers, MPI_Aint *array_of_addresses,
				   MPI_Fint *array_of_datatypes, MPI_Fint *ierror)
{
	struct call call;
	MPI_Fint absent;

	ierror = fortran_error(ierror, &absent);
	*ierror = MPI_ERR_OTHER;
	if (!next)
		return;
	if (!call_enter(&call, FN_MPI_Type_get_contents, 4, site)) {
		next(mtype, max_integers, max_addresses, max_datatypes, array_of_integers,
		     array_of_addresses, array_of_datatypes, ierror);
		contents_held(*ierror, mtype, *max_datatypes, array_of_datatypes);
		return;
	}
	arg_mpi_datatype(&call, 0, fortran_datatype(mtype));
	arg_int(&call, 1, *max_integers);
	arg_int(&call, 2, *max_addresses);
	arg_int(&call, 3, *max_datatypes);
	call_start(&call);
	next(mtype, max_integers, max_addresses, max_datatypes, array_of_integers,
	     array_of_addresses, array_of_datatypes, ierror);
	call_stop(&call);
	contents_held(*ierror, mtype, *max_datatypes, array_of_datatypes);
	result_mpi_error(&call, *ierror);
	call_leave(&call);
}

#endif
