/* SPDX-License-Identifier: MIT */
/* mpi_fortran_known.c - see mpi_fortran_known.h */
#include "wrap/mpi_fortran_known.h"

#include "wrap/mpi_comms.h"
#include "wrap/mpi_handles.h"

#ifdef FORTRAN_CALLS_PMPI

_Atomic uintptr_t fortran_known[MPI_OBJECTS][FORTRAN_KNOWN];
_Atomic uint32_t fortran_recorded[MPI_OBJECTS][FORTRAN_KNOWN];

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

/* One more than the number of a handle that is defined in the trace; 0: it is not. */
static uint32_t defined_as(enum mpi_object object, uintptr_t handle)
{
	const struct mpi_comm *comm;
	uint64_t value;

	if (object == MPI_OBJECT_COMM) {
		comm = mpi_comm_peek((MPI_Comm)handle);
		return comm ? comm->id + 1 : 0;
	}
	value = mpi_table_find(&mpi_handle_tables[object], handle);
	return value != MPI_TABLE_NONE && (value & MPI_HANDLE_DEFINED) ? (uint32_t)value + 1 : 0;
}

void fortran_recorded_learn(enum mpi_object object, MPI_Fint number)
{
	uintptr_t known = fortran_known_handle(object, number);

	if (known > FORTRAN_OF_PROGRAM)
		atomic_store_explicit(&fortran_recorded[object][number], defined_as(object, known),
				      memory_order_release);
}

#endif
