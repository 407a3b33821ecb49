/* SPDX-License-Identifier: MIT */
/*
 * comm_group.h - which process has which rank in a communicator.
 *
 * A group is ranges of ranks of worlds. One that was put together without regard to these has about as many ranges as members, so that to
 * count from the first one for each message takes long: the number of members before each GROUP_STEPth range is kept.
 */
#ifndef RECORDER_READ_COMM_GROUP_H
#define RECORDER_READ_COMM_GROUP_H

#include "format/defs_mpi.h"
#include "read/pool.h"

#define GROUP_STEP 32u /* a power of two */

struct comm_group {
	struct bytes ranges;    /* struct def_ranks, as def_ranks_next() takes them */
	const uint64_t *before; /* members, by range / GROUP_STEP; NULL: there are few */
};

/* Of ranges that outlive it. 0 or -ENOMEM. */
int comm_group_make(struct comm_group *group, struct bytes ranges, struct pool *pool);
/* The rank in its world of member `rank`, and in *at its range; -1: there is no such member. */
int32_t comm_group_member(const struct comm_group *group, int32_t rank, uint32_t *at);

#endif
