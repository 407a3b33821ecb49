/* SPDX-License-Identifier: MIT */
/* mpi_comms.c - see mpi_comms.h */
#include "wrap/mpi_comms.h"

#include "record/text.h"
#include "wrap/mpi_comm_define.h"
#include "wrap/mpi_comm_identity.h"
#include "wrap/mpi_comm_lengths.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_unknown.h"
#include "wrap/mpi_worlds.h"

#define NUMBER_WORLD 1u
#define NUMBER_SELF 2u

struct mpi_table mpi_comm_table;

static struct mpi_comm world = {
	.id = NUMBER_WORLD, .kind = COMM_WORLD, .indegree = -1, .outdegree = -1, .dims = -1};
static struct mpi_comm self = {
	.id = NUMBER_SELF, .kind = COMM_SELF, .indegree = -1, .outdegree = -1, .dims = -1};
static uintptr_t world_handle, null_handle;
static _Atomic uint32_t last_number = NUMBER_SELF;

static struct mpi_comm *unused;
static struct mpi_lock unused_lock;

MPI_Comm mpi_comm_world(void)
{
	mpi_handles_load();
	return (MPI_Comm)world_handle;
}

MPI_Comm mpi_comm_null(void)
{
	mpi_handles_load();
	return (MPI_Comm)null_handle;
}

void mpi_comm_predefined(uintptr_t handle, uint32_t number)
{
	struct mpi_comm *comm = number == NUMBER_WORLD  ? &world
				: number == NUMBER_SELF ? &self
							: NULL;

	if (number == NUMBER_WORLD)
		world_handle = handle;
	if (!comm)
		null_handle = handle;
	mpi_table_set(&mpi_comm_table, handle, (uintptr_t)comm);
}

bool mpi_comm_is_predefined(MPI_Comm handle)
{
	uint64_t value = mpi_table_find(&mpi_comm_table, (uintptr_t)handle);

	return value == (uintptr_t)&world || value == (uintptr_t)&self;
}

static struct mpi_comm *comm_new(enum comm_kind kind)
{
	struct mpi_comm *comm;

	mpi_lock(&unused_lock);
	comm = unused;
	if (comm)
		unused = comm->next;
	mpi_unlock(&unused_lock);
	if (!comm)
		comm = mpi_memory_get(sizeof(*comm));
	if (!comm)
		return NULL;
	*comm = (struct mpi_comm){
		.kind = (uint8_t)kind, .indegree = -1, .outdegree = -1, .dims = -1};
	comm->id = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
	return comm;
}

static void comm_free(struct mpi_comm *comm)
{
	mpi_comm_keys_forget(comm);
	mpi_lock(&unused_lock);
	comm->next = unused;
	unused = comm;
	mpi_unlock(&unused_lock);
}

static void comm_describe(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle,
			  bool rename)
{
	char name[MPI_MAX_OBJECT_NAME + 1] = "";
	struct mpi_comm_groups groups = {0};
	struct mpi_query query;
	int length = 0;

	if (!rename || comm->local.count == 0)
		mpi_comm_read(mpi, comm, handle, &groups);
	if (comm->identity == 0)
		mpi_comm_identify(comm, NULL, 0);
	mpi_query_begin(&query);
	mpi->Comm_get_name(handle, name, &length);
	mpi_query_end(&query);
	mpi_comm_define(comm, &groups, name);
	mpi_comm_groups_release(&groups);
}

/* ---- from handles ---- */

/* A new one, not described yet, for a handle that is in no table. */
static struct mpi_comm *comm_of(const struct mpi_library *mpi, MPI_Comm handle)
{
	struct mpi_comm *comm;
	uint64_t value;

	if (!handle)
		return NULL;
	mpi_handles_load();
	value = mpi_table_find(&mpi_comm_table, (uintptr_t)handle);
	if (value != MPI_TABLE_NONE)
		return (struct mpi_comm *)(uintptr_t)value;
	if (!mpi || (uintptr_t)handle <= MPI_TABLE_KEY_NEVER)
		return NULL;
	comm = comm_new(COMM_UNKNOWN);
	if (comm)
		mpi_table_set(&mpi_comm_table, (uintptr_t)handle, (uintptr_t)comm);
	return comm;
}

struct mpi_comm *mpi_comm_get_slow(MPI_Comm handle)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *comm = comm_of(mpi, handle);

	if (comm && mpi && !comm->defined)
		comm_describe(mpi, comm, handle, false);
	return comm;
}

uint32_t mpi_comm_seen_slow(struct call *call, MPI_Comm handle)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *comm = mpi_comm_peek(handle);

	if (comm)
		return mpi_table_remember(&mpi_comm_table, (uintptr_t)handle, comm->id);
	comm = comm_of(mpi, handle);

	if (comm && mpi && !comm->defined) {
		if ((comm == &world || comm == &self) && mpi_world_runs())
			comm_describe(mpi, comm, handle, false);
		else
			mpi_unknown_add(call, MPI_OBJECT_COMM, (uintptr_t)handle);
	}
	return comm ? comm->id : 0;
}

uint32_t mpi_comm_plain(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_of(mpi_running(), handle);

	return comm ? comm->id : 0;
}

/* Whether it may be the first one with processes of another world. */
static bool meets_worlds(enum comm_kind kind)
{
	return kind == COMM_SPAWN || kind == COMM_PARENT || kind == COMM_ACCEPT ||
	       kind == COMM_CONNECT || kind == COMM_JOIN;
}

static bool has_topology(enum comm_kind kind)
{
	return kind == COMM_CART || kind == COMM_GRAPH || kind == COMM_DIST_GRAPH ||
	       kind == COMM_SUB;
}

uint32_t mpi_comm_made(int result, const MPI_Comm *made, enum comm_kind kind, MPI_Comm parent,
		       int tag)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *from, *comm;
	struct mpi_comm_groups groups = {0};
	uint64_t before;

	if (result != MPI_SUCCESS || !mpi || !made || *made == mpi_comm_null())
		return 0;
	comm = comm_new(kind);
	if (!comm)
		return 0;
	from = mpi_comm_get(parent);
	comm->parent = from ? from->id : 0;
	if (meets_worlds(kind))
		mpi_worlds_met(mpi, *made);
	/* a duplicate may not be ready yet (MPI_Comm_idup) */
	if (kind != COMM_DUP || !mpi_comm_copy(comm, from))
		mpi_comm_read(mpi, comm, kind == COMM_DUP ? parent : *made, &groups);
	if (kind == COMM_DUP && from)
		mpi_comm_topology_copy(comm, from);
	else if (has_topology(kind))
		mpi_comm_topology_read(mpi, comm, *made);
	mpi_comm_identify(comm, from, tag);
	mpi_comm_define(comm, &groups, "");
	mpi_comm_groups_release(&groups);
	before = mpi_table_set(&mpi_comm_table, (uintptr_t)*made, (uintptr_t)comm);
	if (before != MPI_TABLE_NONE && before != 0)
		comm_free((struct mpi_comm *)(uintptr_t)before); /* freed where we do not see it */
	return comm->id;
}

uint32_t mpi_comm_ended(const MPI_Comm *handle)
{
	struct mpi_comm *comm = handle ? comm_of(mpi_running(), *handle) : NULL;
	uint32_t number;

	if (!comm)
		return 0;
	number = comm->id;
	if (comm != &world && comm != &self) {
		mpi_table_remove(&mpi_comm_table, (uintptr_t)*handle);
		comm_free(comm);
	}
	return number;
}

void mpi_comm_renamed(MPI_Comm handle)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *comm = mpi_comm_get(handle);

	if (comm && mpi)
		comm_describe(mpi, comm, handle, true);
}

int mpi_comm_text_tag(const char *text)
{
	return text ? (int)text_hash(text, strlen(text), 0) : 0;
}

void mpi_comms_begin(void)
{
	const struct mpi_library *mpi = mpi_running();
	MPI_Comm parent = mpi_comm_null();
	struct mpi_query query;

	if (!mpi)
		return;
	mpi_handle_null_defined(MPI_OBJECT_COMM);
	mpi_comm_get(mpi_comm_world());
	mpi_query_begin(&query);
	mpi->Comm_get_parent(&parent);
	mpi_query_end(&query);
	mpi_comm_made(MPI_SUCCESS, &parent, COMM_PARENT, mpi_comm_null(), 0);
}
