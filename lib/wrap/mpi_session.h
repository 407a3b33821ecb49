/* SPDX-License-Identifier: MIT */
/*
 * mpi_session.h - sessions of MPI-4.0: a program may use MPI without MPI_Init. It has no MPI_COMM_WORLD then; world ranks are those of the
 * process set "mpi://WORLD" of any session that is open.
 */
#ifndef RECORDER_WRAP_MPI_SESSION_H
#define RECORDER_WRAP_MPI_SESSION_H

#include "wrap/mpi_library.h"
#include "wrap/mpi_handles.h"

/* The group of all processes, from an open session; to be freed before that ends. False: there is none. */
bool mpi_session_world(const struct mpi_library *mpi, MPI_Group *group);

#if MPI_VERSION >= 4

/* What arguments of kind session need, see mpi_args.h. */
uint32_t mpi_session_made(int result, const MPI_Session *made);
uint32_t mpi_session_ended(const MPI_Session *handle);

#endif
#endif
