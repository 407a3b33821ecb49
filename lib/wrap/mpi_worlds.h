/* SPDX-License-Identifier: MIT */
/*
 * mpi_worlds.h - processes of other worlds: those that were spawned, that spawned this one, or that it connected to.
 *
 * MPI has no name for them: a rank of theirs cannot be translated to MPI_COMM_WORLD. But in Open MPI every process that takes part in
 * MPI_Comm_spawn, MPI_Comm_accept and the like (or in the MPI_Init of a child) calls PMIx_Connect() with the names of all of
 * them, those of its own side first: job and rank in it. Two worlds so have names for each other's
 * processes that are the same on both sides, and no message is sent for it.
 *
 * Worlds are numbered in each process: 0 is its own.
 */
#ifndef RECORDER_WRAP_MPI_WORLDS_H
#define RECORDER_WRAP_MPI_WORLDS_H

#include "wrap/mpi_library.h"

#define MPI_WORLD_UNKNOWN UINT32_MAX

struct mpi_process {
	uint32_t world; /* MPI_WORLD_UNKNOWN: then `rank` means nothing */
	int32_t rank;
};

/* A hash of a process's name, the same in all worlds. */
uint64_t mpi_process_hash(struct mpi_process process);

/* A hash of this world's name, 0 if it has none that all of its processes know. */
uint64_t mpi_world_hash(void);

/* Names a world in the trace, once. False: that was so long ago that its name is forgotten. */
bool mpi_world_define(uint32_t world);

/* This thread made an intercommunicator to another world, maybe: remembers who is in it. */
void mpi_worlds_met(const struct mpi_library *mpi, MPI_Comm intercomm);

/* Names the members of a group that are of other worlds, those with world == MPI_WORLD_UNKNOWN. False: not all are known. */
bool mpi_worlds_name(const struct mpi_library *mpi, MPI_Group group, int size,
		     struct mpi_process *processes);

/* Before MPI_Finalize: gives back what is held of MPI. */
void mpi_worlds_end(const struct mpi_library *mpi);

#endif
