/* SPDX-License-Identifier: MIT */
/*
 * mpi_fortran_known.h - the C handles of MPI's own objects, by the numbers that they have in Fortran.
 *
 * MPI translates a number by a table of its own, which threads share. Its own objects - MPI_COMM_WORLD, MPI_INTEGER, MPI_SUM - have small numbers, and
 * neither these nor their C handles ever change: they are asked for once. An object that the program makes may be freed, and its number
 * stand for another one then: of these MPI is asked each time, but only once whether they are its own.
 *
 * Any thread may read and learn: whoever learns a number stores the same as all others.
 */
#ifndef RECORDER_WRAP_MPI_FORTRAN_KNOWN_H
#define RECORDER_WRAP_MPI_FORTRAN_KNOWN_H

#include "wrap/mpi_library.h"
#include "wrap/mpi_predefined.h"

#ifdef FORTRAN_CALLS_PMPI

#define FORTRAN_KNOWN 128u /* numbers below it; those of Open MPI 4.1's own objects end at 72 */

/* In place of a handle. */
#define FORTRAN_UNKNOWN 0u
#define FORTRAN_OF_PROGRAM 1u

extern _Atomic uintptr_t fortran_known[MPI_OBJECTS][FORTRAN_KNOWN];

/* The C handle of an object of MPI's own, or what is known else: above FORTRAN_OF_PROGRAM it is a handle. */
static inline uintptr_t fortran_known_handle(enum mpi_object object, MPI_Fint number)
{
	if ((uint32_t)number >= FORTRAN_KNOWN)
		return FORTRAN_OF_PROGRAM;
	return atomic_load_explicit(&fortran_known[object][number], memory_order_relaxed);
}

/* MPI says that this is the handle with that number, which is below FORTRAN_KNOWN. NULL tells nothing. */
void fortran_known_learn(enum mpi_object object, MPI_Fint number, uintptr_t handle);

#endif
#endif
