/* SPDX-License-Identifier: MIT */
/* halves.c - see halves.h */
#include "analysis/halves.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/rows.h"

#define BLOCK_SHIFT 6
#define BLOCK_LEVELS 15u /* beyond them time is cut */
#define LEVELS (BLOCK_LEVELS + 63u)

int halves_comm(struct halves *halves, uint64_t identity, int32_t members, uint32_t *number)
{
	struct half_comm *comms = halves->comms;

	*number = halves->recent_comm;
	if (*number >= halves->comm_keys.count || comms[*number].identity != identity) {
		comms = rows_grown(comms, &halves->comm_room, halves->comm_keys.count,
				   sizeof(*comms));
		if (!comms)
			return -ENOMEM;
		halves->comms = comms;
		if (dictionary_number(&halves->comm_keys, &identity, sizeof(identity), number))
			return -ENOMEM;
		halves->recent_comm = *number;
		comms[*number].identity = identity;
	}
	if (members > comms[*number].members)
		comms[*number].members = members;
	return 0;
}

uint8_t halves_evenness(uint64_t number)
{
	uint64_t block = number >> BLOCK_SHIFT;

	return block ? (uint8_t)__builtin_ctzll(block) : BLOCK_LEVELS;
}

static bool stays(const struct halves *halves, const struct half *half)
{
	if (halves->level <= BLOCK_LEVELS)
		return half->evenness >= halves->level;
	return half->evenness >= BLOCK_LEVELS &&
	       half->arrive < halves->duration >> (halves->level - BLOCK_LEVELS);
}

static void thin(struct halves *halves)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < halves->count; i++)
		if (stays(halves, &halves->list[i]))
			halves->list[kept++] = halves->list[i];
	halves->count = kept;
}

int halves_add(struct halves *halves, const struct half *half)
{
	struct half *list;

	while (stays(halves, half) && halves->count == HALVES_MAX && halves->level < LEVELS) {
		halves->level++;
		thin(halves);
	}
	if (!stays(halves, half) || halves->count == HALVES_MAX)
		return 0;
	list = rows_grown(halves->list, &halves->room, halves->count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	halves->list = list;
	list[halves->count++] = *half;
	return 0;
}

int halves_merge(struct halves *into, const struct halves *from)
{
	int error = 0;

	if (from->level > into->level) {
		into->level = from->level;
		thin(into);
	}
	for (unsigned i = 0; i < HALF_KINDS; i++)
		into->seen[i] += from->seen[i];
	into->left_out += from->left_out;
	into->given_up += from->given_up;
	for (uint32_t i = 0; i < from->count && !error; i++) {
		struct half half = from->list[i];
		const struct half_comm *comm = &from->comms[half.comm];

		error = halves_comm(into, comm->identity, comm->members, &half.comm);
		if (!error)
			error = halves_add(into, &half);
	}
	return error;
}

void halves_release(struct halves *halves)
{
	free(halves->list);
	free(halves->comms);
	dictionary_release(&halves->comm_keys);
}

#ifdef UNIT_TEST
#include "unittest.h"

#define MANY (3 * HALVES_MAX)

/* Number `i` of a channel, or of one of its own. */
static struct half numbered(uint32_t i, bool own_channel)
{
	return (struct half){.meeting = i,
			     .arrive = i,
			     .kind = HALF_SEND,
			     .evenness = halves_evenness(own_channel ? 0 : i)};
}

static void fill(struct halves *halves, uint32_t part, uint32_t parts, bool own_channel)
{
	uint32_t comm;

	halves->duration = MANY;
	EXPECT_EQ(halves_comm(halves, 5, 2, &comm), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		struct half half = numbered(i, own_channel);

		if (i % parts == part)
			EXPECT_EQ(halves_add(halves, &half), 0);
	}
}

static int by_number(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	return (x->meeting > y->meeting) - (x->meeting < y->meeting);
}

static void compare_parts(bool own_channel)
{
	struct halves whole = {0}, put_together = {0};

	fill(&whole, 0, 1, own_channel);
	put_together.duration = MANY;
	for (uint32_t part = 3; part-- > 0;) {
		struct halves one = {0};

		fill(&one, part, 3, own_channel);
		EXPECT_EQ(halves_merge(&put_together, &one), 0);
		halves_release(&one);
	}
	EXPECT(whole.count > 0 && whole.count <= HALVES_MAX);
	EXPECT_EQ(whole.level, put_together.level);
	REQUIRE(whole.count == put_together.count);
	qsort(put_together.list, put_together.count, sizeof(*put_together.list), by_number);
	for (uint32_t i = 0; i < whole.count; i++)
		if (whole.list[i].meeting != put_together.list[i].meeting) {
			EXPECT_EQ(whole.list[i].meeting, put_together.list[i].meeting);
			break;
		}
	halves_release(&whole);
	halves_release(&put_together);
}

TEST_CASE(halves_are_thinned_to_the_same_ones_in_any_order)
{
	compare_parts(false);
}

TEST_CASE(halves_of_channels_of_their_own_are_thinned_by_time)
{
	compare_parts(true);
}
#endif
