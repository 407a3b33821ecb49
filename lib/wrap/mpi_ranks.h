/* SPDX-License-Identifier: MIT */
/*
 * mpi_ranks.h - the members of a group, as ranks in MPI_COMM_WORLD.
 */
#ifndef RECORDER_WRAP_MPI_RANKS_H
#define RECORDER_WRAP_MPI_RANKS_H

#include "format/defs_mpi.h"
#include "wrap/mpi_library.h"

struct mpi_ranks {
	int32_t size;          /* members */
	uint64_t hash;         /* of their world ranks in order */
	uint64_t process_hash; /* of their names, the same in all worlds; 0 without other worlds */
	bool foreign;          /* some are of other worlds */
	bool known;            /* what these are called */
	uint32_t count;        /* of ranges; 0: not all members are known */
	struct def_ranks *ranges; /* in scratch memory */
	uint32_t *worlds;         /* of each range (mpi_worlds.h), there, too */
	void *scratch;
};

/* Adds a number to a hash. */
static inline uint64_t mpi_hash(uint64_t hash, uint64_t number)
{
	hash = hash * 0x9E3779B97F4A7C15u + number + 0xD1B54A32D192ED03u;
	hash = (hash ^ hash >> 32) * 0x9FB21C651E98DF25u;
	return hash ^ hash >> 29;
}

/* The members of a group. False: no memory. To be released in any case. */
bool mpi_ranks_of_group(const struct mpi_library *mpi, MPI_Group group, struct mpi_ranks *ranks);
void mpi_ranks_release(struct mpi_ranks *ranks);

/* The members as text, "0-3,8,10-14:2"; large groups only by their size. */
void mpi_ranks_text(const struct mpi_library *mpi, MPI_Group group, char *text, size_t size);

/* Before MPI_Finalize, and before a session ends: gives back what is held of MPI. */
void mpi_ranks_end(void);

#endif
