/* SPDX-License-Identifier: MIT */
/* mpi_fortran_known.c - see mpi_fortran_known.h */
#include "wrap/mpi_fortran_known.h"

#include "record/bulk.h"
#include "wrap/mpi_comms.h"
#include "wrap/mpi_handles.h"

#ifdef FORTRAN_CALLS_PMPI

_Atomic uintptr_t fortran_known[MPI_OBJECTS][FORTRAN_KNOWN] BULK;

static bool is_of_mpi(enum mpi_object object, uintptr_t handle)
{
	uint64_t value;

	if (object == MPI_OBJECT_COMM)
		return mpi_comm_is_predefined((MPI_Comm)handle);
	value = mpi_table_find(&mpi_handle_tables[object], handle);
	return value != MPI_TABLE_NONE && (value & MPI_HANDLE_PREDEFINED);
}

void fortran_known_learn(enum mpi_object object, MPI_Fint number, uintptr_t handle)
{
	if (handle)
		atomic_store_explicit(&fortran_known[object][number],
				      is_of_mpi(object, handle) ? handle : FORTRAN_OF_PROGRAM,
				      memory_order_relaxed);
}

#endif
