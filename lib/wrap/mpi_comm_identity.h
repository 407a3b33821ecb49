/* SPDX-License-Identifier: MIT */
/*
 * mpi_comm_identity.h - who is in a communicator, and how it is known on all ranks.
 *
 * The identity of a communicator is a hash of how it was made, of its parent's identity, of the ordered
 * world ranks of its members, of the tag that the program gave, and of how many times all this occurred
 * before. Every member computes the same from what it knows itself: no message is sent. Members of other worlds have the names that
 * PMIx gives them (mpi_worlds.h).
 */
#ifndef RECORDER_WRAP_MPI_COMM_IDENTITY_H
#define RECORDER_WRAP_MPI_COMM_IDENTITY_H

#include "wrap/mpi_comms.h"
#include "wrap/mpi_ranks.h"

/* Members of both groups, while they are in scratch memory. */
struct mpi_comm_groups {
	struct mpi_ranks local, remote;
};

/* Asks MPI for rank, size and members. The groups, zeros before it, are to be released in any case. */
void mpi_comm_read(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle,
		   struct mpi_comm_groups *groups);
/* A duplicate has its parent's members. False: they are not kept. */
bool mpi_comm_copy(struct mpi_comm *comm, const struct mpi_comm *parent);
void mpi_comm_groups_release(struct mpi_comm_groups *groups);

/* Its identity, from its kind and members; the parent may be NULL. */
void mpi_comm_identify(struct mpi_comm *comm, struct mpi_comm *parent, int tag);
/* None will be made from it any more: how many there were is of no use. */
void mpi_comm_keys_forget(struct mpi_comm *comm);

#endif
