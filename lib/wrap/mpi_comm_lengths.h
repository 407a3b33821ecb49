/* SPDX-License-Identifier: MIT */
/*
 * mpi_comm_lengths.h - what the catalogue asks about a communicator before a call: how long the vectors of a collective are.
 *
 * MPI is asked for a topology when one is made, or once, when its degrees or dimensions are first wanted.
 */
#ifndef RECORDER_WRAP_MPI_COMM_LENGTHS_H
#define RECORDER_WRAP_MPI_COMM_LENGTHS_H

#include "wrap/mpi_comms.h"

/* One element for each member, of the remote group if there is one. At the root only, else 0. For each member of the local group. */
int64_t length_size(MPI_Comm handle);
int64_t length_rootsize(MPI_Comm handle, int root);
int64_t length_localsize(MPI_Comm handle);
/* Whether it is one of those that a rooted collective gathers from or scatters to. */
bool length_leaf(MPI_Comm handle, int root);
/* What the vectors of a neighbourhood collective have; the dimensions of a grid. */
int64_t length_indegree(MPI_Comm handle);
int64_t length_outdegree(MPI_Comm handle);
int64_t length_cartdims(MPI_Comm handle);

/* Asks MPI for the degrees and dimensions of a new communicator; those of a duplicate are its parent's. */
void mpi_comm_topology_read(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle);
void mpi_comm_topology_copy(struct mpi_comm *comm, const struct mpi_comm *parent);

#endif
