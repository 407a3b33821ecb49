/* SPDX-License-Identifier: MIT */
/* mpi_comm_identity.c - see mpi_comm_identity.h */
#include "wrap/mpi_comm_identity.h"

#include <string.h>

#include "wrap/mpi_worlds.h"

/* How many times the same key made a communicator. */
static struct mpi_table occurrences;

/* ---- who is in it ---- */

static bool group_read(const struct mpi_library *mpi, __typeof__(PMPI_Comm_group) *get,
		       MPI_Comm handle, struct mpi_ranks *ranks)
{
	struct mpi_query query;
	MPI_Group group;
	bool done;

	mpi_query_begin(&query);
	done = get(handle, &group) == MPI_SUCCESS;
	if (done) {
		done = mpi_ranks_of_group(mpi, group, ranks);
		mpi->Group_free(&group);
	}
	mpi_query_end(&query);
	return done;
}

static void members_keep(struct mpi_members *members, const struct mpi_ranks *ranks)
{
	members->hash = ranks->hash;
	members->process_hash = ranks->process_hash;
	members->foreign = ranks->foreign;
	members->known = ranks->known;
	members->count = ranks->count <= MPI_COMM_RANGES ? ranks->count : 0;
	if (members->count > 0) {
		memcpy(members->ranges, ranks->ranges, members->count * sizeof(*ranks->ranges));
		memcpy(members->worlds, ranks->worlds, members->count * sizeof(*ranks->worlds));
	}
}

void mpi_comm_read(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle,
		   struct mpi_comm_groups *groups)
{
	struct mpi_query query;
	int inter = 0;

	mpi_query_begin(&query);
	mpi->Comm_rank(handle, &comm->rank);
	mpi->Comm_test_inter(handle, &inter);
	mpi_query_end(&query);
	group_read(mpi, mpi->Comm_group, handle, &groups->local);
	if (inter)
		group_read(mpi, mpi->Comm_remote_group, handle, &groups->remote);
	comm->size = groups->local.size;
	comm->remote_size = groups->remote.size;
	members_keep(&comm->local, &groups->local);
	members_keep(&comm->remote, &groups->remote);
}

bool mpi_comm_copy(struct mpi_comm *comm, const struct mpi_comm *parent)
{
	if (!parent || parent->local.count == 0 ||
	    (parent->remote_size > 0 && parent->remote.count == 0))
		return false;
	comm->rank = parent->rank;
	comm->size = parent->size;
	comm->remote_size = parent->remote_size;
	comm->local = parent->local;
	comm->remote = parent->remote;
	return true;
}

void mpi_comm_groups_release(struct mpi_comm_groups *groups)
{
	mpi_ranks_release(&groups->local);
	mpi_ranks_release(&groups->remote);
}

/* ---- identity ---- */

/* Whether all members know the same parent: the two sides of a new intercommunicator do not. */
static bool parent_is_shared(enum comm_kind kind)
{
	switch (kind) {
	case COMM_INTERCOMM_CREATE:
	case COMM_SPAWN:
	case COMM_PARENT:
	case COMM_ACCEPT:
	case COMM_CONNECT:
	case COMM_JOIN:
	case COMM_FROM_GROUP:
	case COMM_FROM_GROUPS:
		return false;
	default:
		return true;
	}
}

/* How it was made, in one word for both sides of a call that has two names. */
static enum comm_kind making(enum comm_kind kind)
{
	if (kind == COMM_CONNECT)
		return COMM_ACCEPT;
	return kind == COMM_PARENT ? COMM_SPAWN : kind;
}

/* Those that find no room stay in the table for ever. */
static void key_keep(struct mpi_comm *parent, uintptr_t key)
{
	for (unsigned i = 0; i < MPI_COMM_KEYS; i++)
		if (!parent->keys[i] || parent->keys[i] == key) {
			parent->keys[i] = key;
			return;
		}
}

/* Of other worlds' members that have no name there is only the number. */
static uint64_t members_hash(const struct mpi_comm *comm, const struct mpi_members *members,
			     int32_t size)
{
	if (!comm->local.foreign && !comm->remote.foreign)
		return members->hash;
	if (!comm->local.known || (comm->remote_size > 0 && !comm->remote.known))
		return (uint64_t)size;
	return members->process_hash;
}

/* Where it belongs to: the parent of all members, or the world of all. */
static uint64_t origin(const struct mpi_comm *comm, const struct mpi_comm *parent)
{
	if (parent)
		return parent->identity;
	return comm->local.foreign || comm->remote.foreign ? 0 : mpi_world_hash();
}

void mpi_comm_identify(struct mpi_comm *comm, struct mpi_comm *parent, int tag)
{
	uint64_t local = members_hash(comm, &comm->local, comm->size);
	uint64_t remote = comm->remote_size > 0
				  ? members_hash(comm, &comm->remote, comm->remote_size)
				  : comm->remote.hash;
	/* the same from both sides */
	bool swap = comm->remote_size > 0 && local > remote;
	uint64_t key;

	if (!parent_is_shared(comm->kind))
		parent = NULL;
	key = mpi_hash(making(comm->kind), origin(comm, parent));
	key = mpi_hash(mpi_hash(key, swap ? remote : local), swap ? local : remote);
	key = mpi_hash(key, (uint32_t)tag);
	if (key < 2)
		key = 2; /* a table's keys */
	comm->identity = mpi_hash(key, mpi_table_count(&occurrences, key));
	if (parent)
		key_keep(parent, key);
}

void mpi_comm_keys_forget(struct mpi_comm *comm)
{
	for (unsigned i = 0; i < MPI_COMM_KEYS && comm->keys[i]; i++)
		mpi_table_remove(&occurrences, comm->keys[i]);
}
