/* SPDX-License-Identifier: MIT */
/* mpi_worlds.c - see mpi_worlds.h */
#include "wrap/wrapper.h"

#include "record/bulk.h"
#include "wrap/mpi_worlds.h"

#include <stdlib.h>
#include <string.h>

#include "format/defs.h"
#include "format/variable.h"
#include "record/arena.h"
#include "record/function.h"
#include "record/sys.h"
#include "record/text.h"
#include "wrap/mpi_memory.h"
#include "wrap/mpi_ranks.h"

#define WORLDS_MAX 256u /* whose names are kept, by number modulo this */
#define GROUPS_MAX 64u  /* of other worlds that are kept to find processes in */
#define CALLS_MAX 8u    /* threads that are connecting at a time */
#define PROCESSES_MAX (1u << 20)

/* As in pmix_common.h, the same in PMIx 2 to 5. */
#define PMIX_NAME_ROOM 256
#define PMIX_NOT_SUPPORTED (-47)

struct pmix_proc {
	char job[PMIX_NAME_ROOM];
	uint32_t rank;
};

typedef int pmix_connect_fn(const struct pmix_proc *processes, size_t count, const void *info,
			    size_t info_count);

/* Of everything below. */
static struct mpi_lock lock;

static struct {
	uint32_t number; /* 0: the place is free */
	bool defined;
	uint64_t hash;
	char name[PMIX_NAME_ROOM];
} worlds[WORLDS_MAX] BULK;
static uint32_t last_world;

/* Who is in a remote group. The mapping holds all of this. */
struct known {
	size_t size;
	MPI_Group group;
	uint32_t count;
	struct mpi_process processes[];
};

static struct known *groups[GROUPS_MAX];
static uint32_t group_next;

/* What threads told PMIx and has not become a communicator yet. */
static struct {
	int tid; /* 0: free */
	struct known *known;
} calls[CALLS_MAX];

/* ---- worlds ---- */

static uint64_t name_hash(const char *name)
{
	return text_hash(name, strnlen(name, PMIX_NAME_ROOM), 0) | 1;
}

uint64_t mpi_world_hash(void)
{
	static uint64_t hash;
	const char *name;

	if (!hash) {
		name = variable_get("PMIX_NAMESPACE");
		hash = name && *name ? name_hash(name) : 0;
	}
	return hash;
}

static uint32_t world_number(const char *name)
{
	uint64_t hash = name_hash(name);

	if (hash == mpi_world_hash())
		return 0;
	for (uint32_t at = 0; at < WORLDS_MAX; at++)
		if (worlds[at].hash == hash)
			return worlds[at].number;
	last_world++;
	worlds[last_world % WORLDS_MAX].number = last_world;
	worlds[last_world % WORLDS_MAX].hash = hash;
	worlds[last_world % WORLDS_MAX].defined = false;
	memcpy(worlds[last_world % WORLDS_MAX].name, name, PMIX_NAME_ROOM - 1);
	return last_world;
}

bool mpi_world_define(uint32_t world)
{
	uint8_t payload[PMIX_NAME_ROOM + 64];
	uint32_t at = world % WORLDS_MAX;
	struct def_name def = {.id = world,
			       .kind = text_of("world"),
			       .text = text_of(worlds[at].name)};

	if (worlds[at].number != world)
		return false;
	if (!worlds[at].defined)
		worlds[at].defined =
			arena_put(DEF_NAME, payload, def_name_pack(payload, sizeof(payload), &def));
	return worlds[at].defined;
}

uint64_t mpi_process_hash(struct mpi_process process)
{
	uint64_t world = process.world ? worlds[process.world % WORLDS_MAX].hash : mpi_world_hash();

	return mpi_hash(world, (uint32_t)process.rank);
}

/* ---- who is connected ---- */

static struct known *known_new(const struct pmix_proc *processes, size_t count)
{
	size_t size = sizeof(struct known) + count * sizeof(struct mpi_process);
	void *memory = sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	struct known *known = memory;

	if (sys_is_error((long)memory))
		return NULL;
	known->size = size;
	known->count = (uint32_t)count;
	for (size_t at = 0; at < count; at++)
		known->processes[at] = (struct mpi_process){world_number(processes[at].job),
							    (int32_t)processes[at].rank};
	return known;
}

static void known_free(struct known *known)
{
	if (known)
		sys_munmap(known, known->size);
}

/* The place of a thread; without one the first free one, or where none is the first of all. */
static unsigned call_of(int tid)
{
	unsigned at = 0, free_one = CALLS_MAX;

	for (; at < CALLS_MAX && calls[at].tid != tid; at++)
		if (!calls[at].tid && free_one == CALLS_MAX)
			free_one = at;
	if (at < CALLS_MAX)
		return at;
	return free_one < CALLS_MAX ? free_one : 0;
}

static void connecting(const struct pmix_proc *processes, size_t count)
{
	int tid = sys_gettid();
	unsigned at;

	if (!processes || count == 0 || count > PROCESSES_MAX)
		return;
	mpi_lock(&lock);
	at = call_of(tid);
	known_free(calls[at].known);
	calls[at].tid = tid;
	calls[at].known = known_new(processes, count);
	mpi_unlock(&lock);
}

/* Not recorded. PMIx is loaded privately, by a component of Open MPI: it is that of the object that calls. */
WRAPPER int PMIx_Connect(const struct pmix_proc *processes, size_t count, const void *info,
			 size_t info_count)
{
	static const struct symbol_entry symbol = {.name = "PMIx_Connect"};
	pmix_connect_fn *real = symbol_look_up(&symbol, (const void *)CALL_SITE);

	if (!real)
		return PMIX_NOT_SUPPORTED;
	connecting(processes, count);
	return real(processes, count, info, info_count);
}

/* ---- groups of other worlds ---- */

/* What the thread told PMIx last, if it was for a communicator of that many processes. */
static struct known *call_take(int size)
{
	unsigned at = call_of(sys_gettid());
	struct known *known = calls[at].known;

	if (calls[at].tid != sys_gettid())
		return NULL;
	calls[at].tid = 0;
	calls[at].known = NULL;
	if (known && (int)known->count == size)
		return known;
	known_free(known);
	return NULL;
}

/* The remote ones come last. The oldest group gives way. */
static void group_keep(const struct mpi_library *mpi, struct known *known, MPI_Group group,
		       int local)
{
	struct known **place = &groups[group_next++ % GROUPS_MAX];

	known->group = group;
	known->count -= (uint32_t)local;
	memmove(known->processes, known->processes + local,
		known->count * sizeof(*known->processes));
	if (*place)
		mpi->Group_free(&(*place)->group);
	known_free(*place);
	*place = known;
}

void mpi_worlds_met(const struct mpi_library *mpi, MPI_Comm intercomm)
{
	int local = 0, remote = 0;
	struct mpi_query query;
	struct known *known;
	MPI_Group group;

	mpi_query_begin(&query);
	mpi->Comm_size(intercomm, &local);
	if (mpi->Comm_remote_group(intercomm, &group) == MPI_SUCCESS) {
		mpi->Group_size(group, &remote);
		mpi_lock(&lock);
		known = call_take(local + remote);
		if (known)
			group_keep(mpi, known, group, local);
		else
			mpi->Group_free(&group);
		mpi_unlock(&lock);
	}
	mpi_query_end(&query);
}

/* Looks for those that are not known yet in one group. */
static void name_by(const struct mpi_library *mpi, const struct known *known, MPI_Group group,
		    int size, struct mpi_process *processes, int *scratch)
{
	int *from = scratch, *to = scratch + size, count = 0;

	for (int at = 0; at < size; at++)
		if (processes[at].world == MPI_WORLD_UNKNOWN)
			from[count++] = at;
	if (!count ||
	    mpi->Group_translate_ranks(group, count, from, known->group, to) != MPI_SUCCESS)
		return;
	for (int at = 0; at < count; at++)
		if (to[at] >= 0 && to[at] < (int)known->count)
			processes[from[at]] = known->processes[to[at]];
}

bool mpi_worlds_name(const struct mpi_library *mpi, MPI_Group group, int size,
		     struct mpi_process *processes)
{
	int *scratch = mpi_scratch_take(2 * (size_t)size * sizeof(int));

	if (!scratch)
		return false;
	mpi_lock(&lock);
	for (unsigned at = 0; at < GROUPS_MAX; at++)
		if (groups[at])
			name_by(mpi, groups[at], group, size, processes, scratch);
	mpi_unlock(&lock);
	mpi_scratch_give(scratch);
	for (int at = 0; at < size; at++)
		if (processes[at].world == MPI_WORLD_UNKNOWN)
			return false;
	return true;
}

void mpi_worlds_end(const struct mpi_library *mpi)
{
	mpi_lock(&lock);
	for (unsigned at = 0; at < GROUPS_MAX; at++) {
		if (groups[at] && mpi)
			mpi->Group_free(&groups[at]->group);
		known_free(groups[at]);
		groups[at] = NULL;
	}
	mpi_unlock(&lock);
}
