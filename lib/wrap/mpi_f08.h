/* SPDX-License-Identifier: MIT */
/*
 * mpi_f08.h - calls of MPICH's library of Fortran, all bindings.
 *
 * Fortran's functions are C functions there that call MPI_X, which is recorded. Not so those of mpi_f08 that have no buffer: they call
 * PMPI_X. That has a wrapper, too (functions/pmpi.py), which passes on what comes from elsewhere.
 */
#ifndef RECORDER_WRAP_MPI_F08_H
#define RECORDER_WRAP_MPI_F08_H

#include "wrap/mpi_library.h"

/* Whether this is an address in that library. */
#ifdef F08_CALLS_PMPI
bool mpi_f08_calls(uintptr_t site);
#else
static inline bool mpi_f08_calls(uintptr_t site)
{
	(void)site;
	return false;
}
#endif

#endif
