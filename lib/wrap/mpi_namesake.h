/* SPDX-License-Identifier: MIT */
/*
 * mpi_namesake.h - functions of the program that happen to have the name of one of MPI's.
 *
 * A compiler spells the Fortran subroutine MPI_COMM_RANK mpi_comm_rank_ or mpi_comm_rank__, but may also be told to spell it mpi_comm_rank or MPI_COMM_RANK, and
 * libraries of MPI have all four. The last two are plain names, which a library may have given to something of its own: that of Rmpi
 * is a mpi_comm_rank() of C that takes an object of R. The loader looks into the preload first, so also what means that one comes to us. Whoever has a function
 * by such a name and is no library of MPI gets these calls, with all arguments as they are.
 */
#ifndef RECORDER_WRAP_MPI_NAMESAKE_H
#define RECORDER_WRAP_MPI_NAMESAKE_H

#include "wrap/mpi_entry.h"

/* The program's own function by that spelling (MPI_SPELLED_*) of the symbol's name; NULL: there is none. Keeps errno. */
void *mpi_namesake(unsigned symbol, unsigned spelling);

#endif
