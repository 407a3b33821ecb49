/* SPDX-License-Identifier: MIT */
/* mpi_comms.c - identities and definitions of communicators */
#include "wrap/mpi_comms.h"

#include "record/arena.h"
#include "record/text.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_ranks.h"
#include "wrap/mpi_unknown.h"
#include "wrap/mpi_worlds.h"

#define NUMBER_WORLD 1u
#define NUMBER_SELF 2u

struct mpi_table mpi_comm_table;

/* How many times the same key made a communicator. */
static struct mpi_table occurrences;

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

/* None will be made from it any more: how many there were is of no use. */
static void keys_forget(struct mpi_comm *comm)
{
	for (unsigned i = 0; i < MPI_COMM_KEYS && comm->keys[i]; i++)
		mpi_table_remove(&occurrences, comm->keys[i]);
}

static void comm_free(struct mpi_comm *comm)
{
	keys_forget(comm);
	mpi_lock(&unused_lock);
	comm->next = unused;
	unused = comm;
	mpi_unlock(&unused_lock);
}

/* ---- who is in it ---- */

/* Members of both groups, while they are in scratch memory. */
struct groups {
	struct mpi_ranks local, remote;
};

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

/* Asks MPI for rank, size and members. */
static void comm_read(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle,
		      struct groups *groups)
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

/* A duplicate has its parent's members. False: they are not kept. */
static bool comm_copy(struct mpi_comm *comm, const struct mpi_comm *parent)
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

static void groups_release(struct groups *groups)
{
	mpi_ranks_release(&groups->local);
	mpi_ranks_release(&groups->remote);
}

/* ---- topology ---- */

static void topology_read(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle)
{
	int in = 0, out = 0, weighted, dims = 0, topology = MPI_UNDEFINED;
	struct mpi_query query;

	mpi_query_begin(&query);
	mpi->Topo_test(handle, &topology);
	if (topology == MPI_CART) {
		mpi->Cartdim_get(handle, &dims);
		in = out = 2 * dims;
	} else if (topology == MPI_GRAPH) {
		mpi->Graph_neighbors_count(handle, comm->rank, &in);
		out = in;
	} else if (topology == MPI_DIST_GRAPH) {
		mpi->Dist_graph_neighbors_count(handle, &in, &out, &weighted);
	}
	mpi_query_end(&query);
	comm->indegree = in;
	comm->outdegree = out;
	comm->dims = dims;
}

static bool has_topology(enum comm_kind kind)
{
	return kind == COMM_CART || kind == COMM_GRAPH || kind == COMM_DIST_GRAPH ||
	       kind == COMM_SUB;
}

static void topology_copy(struct mpi_comm *comm, const struct mpi_comm *parent)
{
	comm->indegree = parent->indegree;
	comm->outdegree = parent->outdegree;
	comm->dims = parent->dims;
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

/* Whether it may be the first one with processes of another world. */
static bool meets_worlds(enum comm_kind kind)
{
	return kind == COMM_SPAWN || kind == COMM_PARENT || kind == COMM_ACCEPT ||
	       kind == COMM_CONNECT || kind == COMM_JOIN;
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

static void comm_identify(struct mpi_comm *comm, struct mpi_comm *parent, int tag)
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

/* ---- definition ---- */

static struct def_comm definition_of(const struct mpi_comm *comm, const struct groups *groups,
				     const char *name)
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

/* A definition that does not fit is made without the lists. */
static void comm_define(struct mpi_comm *comm, const struct groups *groups, const char *name)
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

static void comm_describe(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle,
			  bool rename)
{
	char name[MPI_MAX_OBJECT_NAME + 1] = "";
	struct groups groups = {0};
	struct mpi_query query;
	int length = 0;

	if (!rename || comm->local.count == 0)
		comm_read(mpi, comm, handle, &groups);
	if (comm->identity == 0)
		comm_identify(comm, NULL, 0);
	mpi_query_begin(&query);
	mpi->Comm_get_name(handle, name, &length);
	mpi_query_end(&query);
	comm_define(comm, &groups, name);
	groups_release(&groups);
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

uint32_t mpi_comm_made(int result, const MPI_Comm *made, enum comm_kind kind, MPI_Comm parent,
		       int tag)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *from, *comm;
	struct groups groups = {0};
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
	if (kind != COMM_DUP || !comm_copy(comm, from))
		comm_read(mpi, comm, kind == COMM_DUP ? parent : *made, &groups);
	if (kind == COMM_DUP && from)
		topology_copy(comm, from);
	else if (has_topology(kind))
		topology_read(mpi, comm, *made);
	comm_identify(comm, from, tag);
	comm_define(comm, &groups, "");
	groups_release(&groups);
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

/* ---- lengths ---- */

int64_t length_size(MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	if (!comm)
		return 0;
	return comm->remote_size > 0 ? comm->remote_size : comm->size;
}

int64_t length_localsize(MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	return comm ? comm->size : 0;
}

int64_t length_rootsize(MPI_Comm handle, int root)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	if (!comm)
		return 0;
	if (comm->remote_size > 0)
		return root == MPI_ROOT ? comm->remote_size : 0;
	return root == comm->rank ? comm->size : 0;
}

bool length_leaf(MPI_Comm handle, int root)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	return comm && (comm->remote_size == 0 || root >= 0);
}

static const struct mpi_comm *comm_with_topology(MPI_Comm handle)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *comm = mpi_comm_peek(handle);

	if (comm && comm->dims < 0 && mpi)
		topology_read(mpi, comm, handle);
	return comm;
}

int64_t length_indegree(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_with_topology(handle);

	return comm ? comm->indegree : 0;
}

int64_t length_outdegree(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_with_topology(handle);

	return comm ? comm->outdegree : 0;
}

int64_t length_cartdims(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_with_topology(handle);

	return comm ? comm->dims : 0;
}
