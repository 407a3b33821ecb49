/* SPDX-License-Identifier: MIT */
/* defs_mpi.c - see defs_mpi.h */
#include "format/defs_mpi.h"

#include <string.h>

static void pack_group(struct packer *packer, uint32_t count, const struct def_ranks *ranks)
{
	pack_u32(packer, count);
	pack_bytes(packer, ranks, count * sizeof(*ranks));
}

/* The ranges stay packed: how many the caller can hold is not known here. */
static struct bytes bytes_group(struct bytes *payload, uint32_t *count)
{
	size_t size = (size_t)(*count = bytes_u32(payload)) * sizeof(struct def_ranks);
	const uint8_t *p = bytes_take(payload, size);

	if (!p)
		*count = 0;
	return bytes_of(p, p ? size : 0);
}

size_t def_comm_pack(void *buffer, size_t size, const struct def_comm *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, def->parent);
	pack_u64(&packer, def->identity);
	pack_i32(&packer, def->rank);
	pack_i32(&packer, def->size);
	pack_i32(&packer, def->remote_size);
	pack_u32(&packer, def->kind);
	pack_text(&packer, def->name.bytes, def->name.length);
	pack_group(&packer, def->local_count, def->local);
	pack_group(&packer, def->remote_count, def->remote);
	pack_i32(&packer, def->indegree);
	pack_i32(&packer, def->outdegree);
	if (def->local_worlds) {
		pack_bytes(&packer, def->local_worlds, def->local_count * sizeof(uint32_t));
		pack_bytes(&packer, def->remote_worlds, def->remote_count * sizeof(uint32_t));
	}
	return packer_size(&packer, buffer);
}

uint32_t def_comm_range_world(const struct def_comm *def, uint32_t at)
{
	struct bytes worlds = def->range_worlds;

	if (bytes_left(&worlds) / sizeof(uint32_t) <= at)
		return 0;
	bytes_take(&worlds, at * sizeof(uint32_t));
	return bytes_u32(&worlds);
}

bool def_comm_unpack(struct bytes payload, struct def_comm *def)
{
	def->id = bytes_u32(&payload);
	def->parent = bytes_u32(&payload);
	def->identity = bytes_u64(&payload);
	def->rank = bytes_i32(&payload);
	def->size = bytes_i32(&payload);
	def->remote_size = bytes_i32(&payload);
	def->kind = bytes_u32(&payload);
	def->name = bytes_str(&payload);
	def->local_bytes = bytes_group(&payload, &def->local_count);
	def->remote_bytes = bytes_group(&payload, &def->remote_count);
	def->local = def->remote = NULL;
	def->indegree = def->outdegree = -1;
	if (!payload.bad && bytes_left(&payload) >= 2 * sizeof(int32_t)) {
		def->indegree = bytes_i32(&payload);
		def->outdegree = bytes_i32(&payload);
	}
	def->local_worlds = def->remote_worlds = NULL;
	def->range_worlds = bytes_of(payload.p, payload.bad ? 0 : bytes_left(&payload));
	return !payload.bad;
}

bool def_ranks_next(struct bytes *ranks, struct def_ranks *range)
{
	const uint8_t *p = bytes_left(ranks) ? bytes_take(ranks, sizeof(*range)) : NULL;

	if (p)
		memcpy(range, p, sizeof(*range));
	return p;
}

size_t def_datatype_pack(void *buffer, size_t size, const struct def_datatype *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, def->combiner);
	pack_i64(&packer, def->size);
	pack_i64(&packer, def->extent);
	pack_text(&packer, def->name.bytes, def->name.length);
	return packer_size(&packer, buffer);
}

bool def_datatype_unpack(struct bytes payload, struct def_datatype *def)
{
	def->id = bytes_u32(&payload);
	def->combiner = bytes_u32(&payload);
	def->size = bytes_i64(&payload);
	def->extent = bytes_i64(&payload);
	def->name = bytes_str(&payload);
	return !payload.bad;
}

size_t def_mpifile_pack(void *buffer, size_t size, const struct def_mpifile *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, def->comm);
	pack_u32(&packer, def->file);
	pack_u32(&packer, def->amode);
	pack_text(&packer, def->path.bytes, def->path.length);
	return packer_size(&packer, buffer);
}

bool def_mpifile_unpack(struct bytes payload, struct def_mpifile *def)
{
	def->id = bytes_u32(&payload);
	def->comm = bytes_u32(&payload);
	def->file = bytes_u32(&payload);
	def->amode = bytes_u32(&payload);
	def->path = bytes_str(&payload);
	return !payload.bad;
}

size_t def_win_pack(void *buffer, size_t size, const struct def_win *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, def->comm);
	pack_u32(&packer, def->flavor);
	pack_i32(&packer, def->unit);
	pack_i64(&packer, def->size);
	return packer_size(&packer, buffer);
}

bool def_win_unpack(struct bytes payload, struct def_win *def)
{
	def->id = bytes_u32(&payload);
	def->comm = bytes_u32(&payload);
	def->flavor = bytes_u32(&payload);
	def->unit = bytes_i32(&payload);
	def->size = bytes_i64(&payload);
	return !payload.bad;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "defs_cases.h"

TEST_CASE(def_comm_round_trip)
{
	struct def_ranks local[] = {{0, 4, 2}, {1, 1, 0}}, remote = {8, 8, 1}, range;
	struct def_comm in = {.id = 3,
			      .identity = 99,
			      .rank = 1,
			      .size = 5,
			      .remote_size = 8,
			      .kind = COMM_SPLIT,
			      .name = text_of("halo"),
			      .local_count = 2,
			      .remote_count = 1,
			      .local = local,
			      .remote = &remote,
			      .indegree = 2,
			      .outdegree = 3},
			out;
	uint8_t buffer[128];
	size_t size = def_comm_pack(buffer, sizeof(buffer), &in);

	REQUIRE(def_comm_unpack(bytes_of(buffer, size), &out));
	EXPECT_EQ(out.local_count, 2);
	EXPECT(def_ranks_next(&out.local_bytes, &range) && range.count == 4);
	EXPECT(def_ranks_next(&out.local_bytes, &range) && range.first == 1);
	EXPECT(!def_ranks_next(&out.local_bytes, &range));
	EXPECT(def_ranks_next(&out.remote_bytes, &range) && range.first == 8);
	EXPECT(out.indegree == 2 && out.outdegree == 3);
	/* without what came later */
	REQUIRE(def_comm_unpack(bytes_of(buffer, size - 8), &out));
	EXPECT(out.indegree == -1 && out.outdegree == -1);
	EXPECT_TRUNCATIONS(comm, in, buffer, size - 8);
}

TEST_CASE(def_comm_of_several_worlds)
{
	struct def_ranks local[] = {{0, 4, 1}, {0, 2, 1}}, remote = {0, 3, 1};
	uint32_t local_worlds[] = {0, 2}, remote_world = 1;
	struct def_comm in = {.id = 3,
			      .size = 6,
			      .remote_size = 3,
			      .name = text_of(""),
			      .local_count = 2,
			      .remote_count = 1,
			      .local = local,
			      .remote = &remote,
			      .local_worlds = local_worlds,
			      .remote_worlds = &remote_world},
			out;
	uint8_t buffer[160];
	size_t size = def_comm_pack(buffer, sizeof(buffer), &in);

	REQUIRE(def_comm_unpack(bytes_of(buffer, size), &out));
	EXPECT_EQ(def_comm_range_world(&out, 0), 0);
	EXPECT_EQ(def_comm_range_world(&out, 1), 2);
	EXPECT_EQ(def_comm_range_world(&out, 2), 1);
	EXPECT_EQ(def_comm_range_world(&out, 3), 0);
	/* without them all are of one world */
	REQUIRE(def_comm_unpack(bytes_of(buffer, size - 12), &out));
	EXPECT_EQ(def_comm_range_world(&out, 1), 0);
}

TEST_CASE(def_other_round_trips_of_mpi)
{
	struct def_datatype datatype = {1, 0, 4, 8, text_of("MPI_INT")};
	struct def_mpifile mpifile = {1, 2, 3, 4, text_of("out")};
	struct def_win win = {1, 2, WIN_ALLOCATE, 4, 64};
	uint8_t buffer[128];

	EXPECT_TRUNCATIONS(datatype, datatype, buffer, def_datatype_pack(buffer, 128, &datatype));
	EXPECT_TRUNCATIONS(mpifile, mpifile, buffer, def_mpifile_pack(buffer, 128, &mpifile));
	EXPECT_TRUNCATIONS(win, win, buffer, def_win_pack(buffer, 128, &win));
}
#endif
