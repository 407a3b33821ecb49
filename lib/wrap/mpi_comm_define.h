/* SPDX-License-Identifier: MIT */
/*
 * mpi_comm_define.h - the definition of a communicator in the trace.
 */
#ifndef RECORDER_WRAP_MPI_COMM_DEFINE_H
#define RECORDER_WRAP_MPI_COMM_DEFINE_H

#include "wrap/mpi_comm_identity.h"

/* Sets comm->defined if there was room. A definition that does not fit is made without the lists. */
void mpi_comm_define(struct mpi_comm *comm, const struct mpi_comm_groups *groups, const char *name);

#endif
