/* SPDX-License-Identifier: MIT */
/*
 * defs_mpi.h - definitions of MPI's objects, packed and unpacked as those of defs.h: communicators, datatypes, files, windows.
 */
#ifndef RECORDER_FORMAT_DEFS_MPI_H
#define RECORDER_FORMAT_DEFS_MPI_H

#include "format/defs.h"

/* World ranks first, first + stride ... first + (count - 1) * stride. */
struct def_ranks {
	int32_t first, count, stride;
};

struct def_comm {
	uint32_t id;
	uint32_t parent; /* 0 none */
	uint64_t identity;
	int32_t rank, size;
	int32_t remote_size; /* 0: an intracommunicator */
	uint32_t kind;       /* enum comm_kind */
	struct text name;
	uint32_t local_count, remote_count;
	const struct def_ranks *local,
		*remote; /* to pack; not set by unpack, see def_comm_ranks() */
	struct bytes local_bytes, remote_bytes; /* set by unpack */
	int32_t indegree, outdegree;            /* -1: no topology, or not known */
	/* The world of each range, 0 one's own, else the id of a NAME "world"; to pack, NULL: all are one's own. */
	const uint32_t *local_worlds, *remote_worlds;
	struct bytes range_worlds; /* set by unpack, see def_comm_range_world() */
};

struct def_datatype {
	uint32_t id;
	uint32_t combiner;
	int64_t size, extent;
	struct text name;
};

struct def_mpifile {
	uint32_t id;
	uint32_t comm;
	uint32_t file;
	uint32_t amode;
	struct text path;
};

enum win_flavor { WIN_UNKNOWN, WIN_CREATE, WIN_ALLOCATE, WIN_ALLOCATE_SHARED, WIN_DYNAMIC };

struct def_win {
	uint32_t id;
	uint32_t comm;
	uint32_t flavor; /* enum win_flavor */
	int32_t unit;    /* bytes, of displacements into this process's part */
	int64_t size;    /* bytes of this process's part */
};

size_t def_comm_pack(void *buffer, size_t size, const struct def_comm *def);
size_t def_datatype_pack(void *buffer, size_t size, const struct def_datatype *def);
size_t def_mpifile_pack(void *buffer, size_t size, const struct def_mpifile *def);
size_t def_win_pack(void *buffer, size_t size, const struct def_win *def);

bool def_comm_unpack(struct bytes payload, struct def_comm *def);
bool def_datatype_unpack(struct bytes payload, struct def_datatype *def);
bool def_mpifile_unpack(struct bytes payload, struct def_mpifile *def);
bool def_win_unpack(struct bytes payload, struct def_win *def);

/* The world of range `at` of an unpacked communicator, those of the remote group behind those of the local one. */
uint32_t def_comm_range_world(const struct def_comm *def, uint32_t at);
/* The next range of an unpacked group; false after the last. */
bool def_ranks_next(struct bytes *ranks, struct def_ranks *range);

#endif
