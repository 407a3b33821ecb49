/* SPDX-License-Identifier: MIT */
/* mpi_ranks.c - members of groups */
#include "wrap/mpi_ranks.h"

#include "record/text.h"
#include "wrap/mpi_comms.h"
#include "wrap/mpi_memory.h"
#include "wrap/mpi_session.h"
#include "wrap/mpi_worlds.h"

#define TEXT_MEMBERS                                                                               \
	64 /* larger groups are not listed: to translate n ranks takes n * world size steps */

/* All processes that started together, once asked for. */
static MPI_Group world_group;
static atomic_uint world_group_known;
static struct mpi_lock world_group_lock;

/* Of MPI_COMM_WORLD, or in a program without it of the processes that its sessions know. */
static bool world_group_ask(const struct mpi_library *mpi)
{
	if (mpi_world_runs() && mpi_comm_world())
		return mpi->Comm_group(mpi_comm_world(), &world_group) == MPI_SUCCESS;
	return mpi_session_world(mpi, &world_group);
}

static bool world_group_get(const struct mpi_library *mpi)
{
	if (atomic_load_explicit(&world_group_known, memory_order_acquire))
		return true;
	mpi_lock(&world_group_lock);
	if (!world_group_known)
		world_group_known = world_group_ask(mpi);
	mpi_unlock(&world_group_lock);
	return world_group_known;
}

void mpi_ranks_end(void)
{
	const struct mpi_library *mpi = mpi_running();

	mpi_worlds_end(mpi);
	mpi_lock(&world_group_lock);
	if (world_group_known && mpi)
		mpi->Group_free(&world_group);
	world_group_known = 0;
	mpi_unlock(&world_group_lock);
}

/* Writes the ranges that `size` processes make, and returns how many; 0 if one is not known. */
static uint32_t compress(const struct mpi_process *processes, int size, struct def_ranks *ranges,
			 uint32_t *worlds)
{
	uint32_t count = 0;

	for (int at = 0; at < size; at++) {
		struct def_ranks *last = count ? &ranges[count - 1] : NULL;
		int32_t rank = processes[at].rank;

		if (processes[at].world == MPI_WORLD_UNKNOWN)
			return 0;
		if (last && worlds[count - 1] != processes[at].world)
			last = NULL;
		if (last && last->count == 1)
			last->stride = rank - last->first;
		if (last && rank == last->first + last->count * last->stride) {
			last->count++;
			continue;
		}
		worlds[count] = processes[at].world;
		ranges[count++] = (struct def_ranks){rank, 1, 1};
	}
	return count;
}

/* Members by their names in this world and others. */
static void name_processes(const struct mpi_library *mpi, MPI_Group group, struct mpi_ranks *ranks,
			   const int *to, struct mpi_process *processes)
{
	for (int at = 0; at < ranks->size; at++) {
		processes[at] = (struct mpi_process){to[at] < 0 ? MPI_WORLD_UNKNOWN : 0, to[at]};
		ranks->foreign |= to[at] < 0;
	}
	ranks->known = !ranks->foreign || mpi_worlds_name(mpi, group, ranks->size, processes);
	ranks->process_hash = 1;
	for (int at = 0; at < ranks->size; at++)
		ranks->process_hash =
			mpi_hash(ranks->process_hash, mpi_process_hash(processes[at]));
}

static bool translate(const struct mpi_library *mpi, MPI_Group group, struct mpi_ranks *ranks)
{
	struct mpi_process *processes;
	int *from, *to;

	ranks->scratch = mpi_scratch_take((size_t)ranks->size *
					  (sizeof(struct def_ranks) + sizeof(uint32_t) +
					   sizeof(struct mpi_process) + 2 * sizeof(int)));
	if (!ranks->scratch)
		return false;
	ranks->ranges = ranks->scratch;
	ranks->worlds = (uint32_t *)(ranks->ranges + ranks->size);
	processes = (struct mpi_process *)(ranks->worlds + ranks->size);
	from = (int *)(processes + ranks->size);
	to = from + ranks->size;
	for (int at = 0; at < ranks->size; at++)
		from[at] = at;
	if (mpi->Group_translate_ranks(group, ranks->size, from, world_group, to) != MPI_SUCCESS)
		return false;
	for (int at = 0; at < ranks->size; at++)
		ranks->hash = mpi_hash(ranks->hash, (uint32_t)to[at]);
	name_processes(mpi, group, ranks, to, processes);
	ranks->count = compress(processes, ranks->size, ranks->ranges, ranks->worlds);
	return true;
}

bool mpi_ranks_of_group(const struct mpi_library *mpi, MPI_Group group, struct mpi_ranks *ranks)
{
	struct mpi_query query;
	bool done;

	*ranks = (struct mpi_ranks){.hash = 1, .known = true};
	mpi_query_begin(&query);
	done = world_group_get(mpi) && mpi->Group_size(group, &ranks->size) == MPI_SUCCESS &&
	       (ranks->size == 0 || translate(mpi, group, ranks));
	mpi_query_end(&query);
	return done;
}

void mpi_ranks_release(struct mpi_ranks *ranks)
{
	mpi_scratch_give(ranks->scratch);
	ranks->scratch = NULL;
}

static void add_number(struct textbuf *text, const char *before, int32_t number)
{
	text_add(text, before);
	if (number < 0)
		text_add(text, "-");
	text_add_u64(text, number < 0 ? (uint64_t) - (int64_t)number : (uint64_t)number);
}

static void add_range(struct textbuf *text, const struct def_ranks *range, bool first)
{
	add_number(text, first ? "" : ",", range->first);
	if (range->count > 1)
		add_number(text, "-", range->first + (range->count - 1) * range->stride);
	if (range->count > 1 && range->stride != 1)
		add_number(text, ":", range->stride);
}

void mpi_ranks_text(const struct mpi_library *mpi, MPI_Group group, char *buffer, size_t size)
{
	struct textbuf text = text_in(buffer, size);
	struct mpi_ranks ranks = {0};
	struct mpi_query query;
	int members = 0;

	mpi_query_begin(&query);
	mpi->Group_size(group, &members);
	mpi_query_end(&query);
	if (members <= TEXT_MEMBERS)
		mpi_ranks_of_group(mpi, group, &ranks);
	if (ranks.foreign)
		ranks.count = 0;
	for (uint32_t at = 0; at < ranks.count; at++)
		add_range(&text, &ranks.ranges[at], at == 0);
	if (ranks.count == 0)
		add_number(&text, "size ", members);
	mpi_ranks_release(&ranks);
}

#ifdef UNIT_TEST
#include "unittest.h"

/* Members must not cancel each other out. */
TEST_CASE(mpi_ranks_hash_differs)
{
	uint64_t seen[73];
	int count = 0;

	for (uint64_t a = 0; a < 8; a++) {
		seen[count++] = mpi_hash(1, a);
		for (uint64_t b = 0; b < 8; b++)
			seen[count++] = mpi_hash(mpi_hash(1, a), b);
	}
	seen[count] = 1;
	for (int at = 0; at < count; at++)
		for (int other = at + 1; other <= count; other++)
			EXPECT(seen[at] != seen[other]);
}

static uint32_t compress_ranks(const int *ranks, int size, struct def_ranks *ranges)
{
	struct mpi_process processes[8];
	uint32_t worlds[8];

	for (int at = 0; at < size; at++)
		processes[at] =
			(struct mpi_process){ranks[at] < 0 ? MPI_WORLD_UNKNOWN : 0, ranks[at]};
	return compress(processes, size, ranges, worlds);
}

TEST_CASE(mpi_ranks_are_compressed)
{
	struct def_ranks ranges[8];
	int all[] = {0, 1, 2, 3};
	int odd[] = {7, 5, 3, 0, 9, 10, 11, 4};
	int foreign[] = {0, -32766};

	EXPECT_EQ(compress_ranks(all, 4, ranges), 1);
	EXPECT(ranges[0].first == 0 && ranges[0].count == 4 && ranges[0].stride == 1);
	EXPECT_EQ(compress_ranks(odd, 8, ranges), 4);
	EXPECT(ranges[0].first == 7 && ranges[0].count == 3 && ranges[0].stride == -2);
	EXPECT(ranges[1].first == 0 && ranges[1].count == 2 && ranges[1].stride == 9);
	EXPECT(ranges[2].first == 10 && ranges[2].count == 2 && ranges[2].stride == 1);
	EXPECT(ranges[3].first == 4 && ranges[3].count == 1 && ranges[3].stride == 1);
	EXPECT_EQ(compress_ranks(foreign, 2, ranges), 0);
	EXPECT_EQ(compress_ranks(all, 0, ranges), 0);
}

TEST_CASE(mpi_ranks_of_several_worlds)
{
	struct mpi_process both[] = {{0, 0}, {0, 1}, {3, 2}, {3, 3}, {0, 4}};
	struct def_ranks ranges[5];
	uint32_t worlds[5];

	EXPECT_EQ(compress(both, 5, ranges, worlds), 3);
	EXPECT(worlds[0] == 0 && worlds[1] == 3 && worlds[2] == 0);
	EXPECT(ranges[1].first == 2 && ranges[1].count == 2 && ranges[2].first == 4);
}
#endif
