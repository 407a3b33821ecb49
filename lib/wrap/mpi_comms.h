/* SPDX-License-Identifier: MIT */
/*
 * mpi_comms.h - the communicators of this process: from handles to what is known of them, from when they are made, or first seen, until
 * they are freed. Each has a number, which records bear and which is one of this process, and an identity (mpi_comm_identity.h), which all ranks know.
 */
#ifndef RECORDER_WRAP_MPI_COMMS_H
#define RECORDER_WRAP_MPI_COMMS_H

#include "format/defs_mpi.h"
#include "record/call.h"
#include "wrap/mpi_library.h"
#include "wrap/mpi_predefined.h"
#include "wrap/mpi_table.h"

#define MPI_COMM_RANGES 8u
#define MPI_COMM_KEYS 8u

struct mpi_members {
	uint64_t hash, process_hash; /* mpi_ranks.h */
	bool foreign, known;
	uint32_t count; /* of ranges; 0: not kept here */
	struct def_ranks ranges[MPI_COMM_RANGES];
	uint32_t worlds[MPI_COMM_RANGES];
};

struct mpi_comm {
	uint32_t id; /* 1 MPI_COMM_WORLD, 2 MPI_COMM_SELF */
	uint32_t parent;
	uint64_t identity;
	int32_t rank, size;
	int32_t remote_size;                       /* 0: an intracommunicator */
	uint8_t kind;                              /* enum comm_kind */
	_Atomic uint8_t defined;                   /* in the trace */
	_Atomic int32_t indegree, outdegree, dims; /* -1: MPI was not asked yet */
	struct mpi_members local, remote;
	uintptr_t keys[MPI_COMM_KEYS]; /* of how communicators were made from it; 0 none */
	struct mpi_comm *next;         /* in the list of those that can be used again */
};

extern struct mpi_table mpi_comm_table;

struct mpi_comm *mpi_comm_get_slow(MPI_Comm handle);

/* What is known of a communicator; NULL for MPI_COMM_NULL and while MPI is not initialized. */
static inline struct mpi_comm *mpi_comm_get(MPI_Comm handle)
{
	uint64_t value = mpi_table_find(&mpi_comm_table, (uintptr_t)handle);
	struct mpi_comm *comm = (struct mpi_comm *)(uintptr_t)value;

	if (__builtin_expect(value == MPI_TABLE_NONE || (comm && !comm->defined), 0))
		return mpi_comm_get_slow(handle);
	return comm;
}

/* The same if it is described already: MPI is not asked. */
static inline struct mpi_comm *mpi_comm_peek(MPI_Comm handle)
{
	uint64_t value = mpi_table_find(&mpi_comm_table, (uintptr_t)handle);
	struct mpi_comm *comm = (struct mpi_comm *)(uintptr_t)value;

	return value == MPI_TABLE_NONE || !comm || !comm->defined ? NULL : comm;
}

uint32_t mpi_comm_seen_slow(struct call *call, MPI_Comm handle);

/* Its number, before the call that it is handed to: MPI is not asked about one that is not known unless the call succeeds. */
static inline uint32_t mpi_comm_seen(struct call *call, MPI_Comm handle)
{
	uint32_t number = mpi_table_recent(&mpi_comm_table, (uintptr_t)handle);

	return __builtin_expect(number != MPI_RECENT_NONE, 1) ? number
							      : mpi_comm_seen_slow(call, handle);
}

/* Its number alone: MPI is never asked about it. */
uint32_t mpi_comm_plain(MPI_Comm handle);

/* Its number, 0 for MPI_COMM_NULL. */
static inline uint32_t mpi_comm_number(MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_get(handle);

	return comm ? comm->id : 0;
}

/*
 * A call made the communicator behind `made` if it succeeded. Its number, 0 if there is none. `parent` is
 * mpi_comm_null() for those that have none; `tag` is 0 where the call has none.
 */
uint32_t mpi_comm_made(int result, const MPI_Comm *made, enum comm_kind kind, MPI_Comm parent,
		       int tag);
/* A call is about to free it. Its number. */
uint32_t mpi_comm_ended(const MPI_Comm *handle);
void mpi_comm_renamed(MPI_Comm handle);
/* Where the program gives a text in place of a tag. */
int mpi_comm_text_tag(const char *text);

/* MPI_COMM_WORLD, MPI_COMM_NULL of the program's MPI. */
MPI_Comm mpi_comm_world(void);
MPI_Comm mpi_comm_null(void);

/* Whether it is MPI_COMM_WORLD or MPI_COMM_SELF. */
bool mpi_comm_is_predefined(MPI_Comm handle);
/* A predefined handle, by its number (mpi_predefined.h). */
void mpi_comm_predefined(uintptr_t handle, uint32_t number);
/* After MPI_Init: defines the communicators that are there from the start. */
void mpi_comms_begin(void);

#endif
