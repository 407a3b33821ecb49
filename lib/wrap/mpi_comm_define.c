/* SPDX-License-Identifier: MIT */
/* mpi_comm_define.c - see mpi_comm_define.h */
#include "wrap/mpi_comm_define.h"

#include "record/arena.h"
#include "record/text.h"
#include "wrap/mpi_worlds.h"

static struct def_comm definition_of(const struct mpi_comm *comm,
				     const struct mpi_comm_groups *groups, const char *name)
{
	struct def_comm def = {
		.id = comm->id,
		.parent = comm->parent,
		.identity = comm->identity,
		.rank = comm->rank,
		.size = comm->size,
		.remote_size = comm->remote_size,
		.kind = comm->kind,
		.name = text_of(name),
		.local_count = comm->local.count,
		.local = comm->local.ranges,
		.local_worlds = comm->local.worlds,
		.remote_count = comm->remote.count,
		.remote = comm->remote.ranges,
		.remote_worlds = comm->remote.worlds,
		.indegree = comm->indegree,
		.outdegree = comm->outdegree,
	};

	if (groups->local.count > MPI_COMM_RANGES) {
		def.local_count = groups->local.count;
		def.local = groups->local.ranges;
		def.local_worlds = groups->local.worlds;
	}
	if (groups->remote.count > MPI_COMM_RANGES) {
		def.remote_count = groups->remote.count;
		def.remote = groups->remote.ranges;
		def.remote_worlds = groups->remote.worlds;
	}
	return def;
}

static bool worlds_define(const uint32_t *worlds, uint32_t count)
{
	bool done = true;

	for (uint32_t at = 0; at < count; at++)
		done &= !worlds[at] || mpi_world_define(worlds[at]);
	return done;
}

/* Worlds are told only where there are others; without a name of one nothing is told of the members. */
static void members_define(const struct mpi_comm *comm, struct def_comm *def)
{
	if (!comm->local.foreign && !comm->remote.foreign) {
		def->local_worlds = def->remote_worlds = NULL;
	} else if (!worlds_define(def->local_worlds, def->local_count) ||
		   !worlds_define(def->remote_worlds, def->remote_count)) {
		def->local_count = def->remote_count = 0;
	}
}

void mpi_comm_define(struct mpi_comm *comm, const struct mpi_comm_groups *groups, const char *name)
{
	struct def_comm def = definition_of(comm, groups, name);
	size_t size = 128 + def.name.length +
		      ((size_t)def.local_count + def.remote_count) *
			      (sizeof(struct def_ranks) + sizeof(uint32_t));
	void *payload = mpi_scratch_take(size);
	bool done;

	if (!payload)
		return;
	members_define(comm, &def);
	done = arena_put(DEF_COMM, payload, def_comm_pack(payload, size, &def));
	if (!done) {
		def.local_count = def.remote_count = 0;
		done = arena_put(DEF_COMM, payload, def_comm_pack(payload, size, &def));
	}
	comm->defined = done;
	mpi_scratch_give(payload);
}
