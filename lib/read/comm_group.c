/* SPDX-License-Identifier: MIT */
/* comm_group.c - see comm_group.h */
#include "read/comm_group.h"

#include <errno.h>

static uint32_t members_of(const struct def_ranks *range)
{
	return range->count > 0 ? (uint32_t)range->count : 0;
}

static uint32_t ranges_in(struct bytes ranges)
{
	return (uint32_t)(bytes_left(&ranges) / sizeof(struct def_ranks));
}

int comm_group_make(struct comm_group *group, struct bytes ranges, struct pool *pool)
{
	uint32_t count = ranges_in(ranges);
	struct def_ranks range;
	uint64_t members = 0, *before = NULL;

	*group = (struct comm_group){.ranges = ranges};
	if (count <= GROUP_STEP)
		return 0;
	before = pool_alloc(pool, ((count - 1) / GROUP_STEP + 1) * sizeof(*before));
	if (!before)
		return -ENOMEM;
	for (uint32_t i = 0; i < count && def_ranks_next(&ranges, &range); i++) {
		if (i % GROUP_STEP == 0)
			before[i / GROUP_STEP] = members;
		members += members_of(&range);
	}
	group->before = before;
	return 0;
}

/* The range to begin with, and how many members there are before it. */
static uint32_t range_before(const struct comm_group *group, uint64_t rank, uint64_t *members)
{
	uint32_t low = 0, high;

	*members = 0;
	if (!group->before)
		return 0;
	high = (ranges_in(group->ranges) - 1) / GROUP_STEP;
	while (low < high) {
		uint32_t middle = high - (high - low) / 2;

		if (group->before[middle] <= rank)
			low = middle;
		else
			high = middle - 1;
	}
	*members = group->before[low];
	return low * GROUP_STEP;
}

int32_t comm_group_member(const struct comm_group *group, int32_t rank, uint32_t *at)
{
	struct bytes ranges = group->ranges;
	struct def_ranks range;
	uint64_t members;
	int64_t left, world;

	*at = 0;
	if (rank < 0)
		return -1;
	*at = range_before(group, (uint64_t)rank, &members);
	bytes_take(&ranges, *at * sizeof(range));
	left = rank - (int64_t)members;
	for (; def_ranks_next(&ranges, &range); ++*at) {
		if (left < members_of(&range)) {
			world = range.first + left * range.stride;
			return world >= 0 && world <= INT32_MAX ? (int32_t)world : -1;
		}
		left -= members_of(&range);
	}
	return -1;
}

#ifdef UNIT_TEST
#include <stdlib.h>

#include "unittest.h"

/* By counting from the first range. */
static int32_t group_counted(const struct def_ranks *ranges, uint32_t count, int64_t rank,
			     uint32_t *at)
{
	for (*at = 0; *at<count; rank -= ranges[*at].count> 0 ? ranges[*at].count : 0, ++*at)
		if (rank < ranges[*at].count)
			return ranges[*at].first + (int32_t)rank * ranges[*at].stride;
	return -1;
}

TEST_CASE(group_members_are_found_as_by_counting)
{
	static struct def_ranks ranges[1000];
	struct pool pool = {0};
	struct comm_group group;

	for (uint32_t count = 0; count <= 1000; count += count < 70 ? 1 : 31) {
		int32_t members = 0;

		for (uint32_t i = 0; i < count; i++) {
			ranges[i] = (struct def_ranks){(int32_t)(1000 + 97 * i),
						       (int32_t)(i * 7 % 5) - 1, 3};
			members += ranges[i].count > 0 ? ranges[i].count : 0;
		}
		REQUIRE(comm_group_make(&group, bytes_of(ranges, count * sizeof(*ranges)), &pool) ==
			0);
		for (int32_t rank = 0; rank < members + 2; rank++) {
			uint32_t at, expected;

			EXPECT_EQ(comm_group_member(&group, rank, &at),
				  group_counted(ranges, count, rank, &expected));
			EXPECT(rank >= members || at == expected);
		}
		EXPECT_EQ(comm_group_member(&group, -1, &(uint32_t){0}), -1);
	}
	pool_release(&pool);
}

TEST_CASE(group_of_more_members_than_there_are_numbers)
{
	static struct def_ranks ranges[100];
	struct pool pool = {0};
	struct comm_group group;
	uint32_t at;

	for (uint32_t i = 0; i < 100; i++)
		ranges[i] = (struct def_ranks){0, INT32_MAX, 1};
	REQUIRE(comm_group_make(&group, bytes_of(ranges, sizeof(ranges)), &pool) == 0);
	EXPECT_EQ(comm_group_member(&group, INT32_MAX, &at), 0);
	EXPECT_EQ(at, 1);
	pool_release(&pool);
}
#endif
