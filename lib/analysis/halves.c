/* SPDX-License-Identifier: MIT */
/* halves.c - see halves.h */
#include "analysis/halves.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/rows.h"

/* Of each channel stay the first BLOCK numbers of each BLOCK at level 0; then in turns those are half as far, and half as many. */
#define BLOCK_SHIFT 6
#define SINGLE_LEVEL (2 * BLOCK_SHIFT) /* from here on it is one number of so many */
#define CHANNEL_LEVEL 40u              /* from here on no number but 0 */

int halves_comm(struct halves *halves, uint64_t identity, int32_t members, uint32_t *number)
{
	struct half_comm *comms = halves->comms;

	*number = halves->recent_comm;
	if (*number >= halves->comm_keys.count || comms[*number].identity != identity) {
		comms = rows_grown_zeroed(comms, &halves->comm_room, halves->comm_keys.count,
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

static bool number_stays(uint64_t number, unsigned level)
{
	unsigned every = level < SINGLE_LEVEL ? BLOCK_SHIFT + (level + 1) / 2 : level;
	unsigned block = level < SINGLE_LEVEL ? BLOCK_SHIFT - level / 2 : 0;

	return (number & (((uint64_t)1 << every) - 1)) >> block == 0;
}

/* Of a meeting, other bits than those by which they are sorted and divided. */
uint8_t halves_level(uint64_t number, uint64_t meeting)
{
	unsigned level = 0;

	if (number == 0)
		return (uint8_t)(CHANNEL_LEVEL +
				 (unsigned)__builtin_ctzll(meeting >> 16 | 1ull << 47));
	while (level < CHANNEL_LEVEL - 1 && number_stays(number, level + 1))
		level++;
	return (uint8_t)level;
}

static enum half_things things_of(const struct half *half)
{
	return (half->kind & HALF_KIND) == HALF_COLLECTIVE ? HALVES_CALLS : HALVES_MESSAGES;
}

static void raise_level(struct half_list *things, uint32_t level)
{
	uint32_t kept = 0;

	if (level <= things->level)
		return;
	things->level = level;
	for (uint32_t i = 0; i < things->count; i++)
		if (things->list[i].level >= level)
			things->list[kept++] = things->list[i];
	things->count = kept;
}

/* The next level at which some of these go. */
static uint32_t next_level(const struct half_list *things, const struct half *another)
{
	uint32_t least = another->level;

	for (uint32_t i = 0; i < things->count; i++)
		if (things->list[i].level < least)
			least = things->list[i].level;
	return (least > things->level ? least : things->level) + 1;
}

/* 0 or -ENOMEM. */
static int keep(struct half_list *things, const struct half *half)
{
	struct half *list;

	while (half->level >= things->level && things->count == HALVES_MAX)
		raise_level(things, next_level(things, half));
	if (half->level < things->level)
		return 0;
	list = rows_grown(things->list, &things->room, things->count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	things->list = list;
	list[things->count++] = *half;
	return 0;
}

int halves_add(struct halves *halves, const struct half *half)
{
	halves->seen[half->kind & HALF_KIND]++;
	return keep(&halves->things[things_of(half)], half);
}

/* Communicators have other numbers in `into`. 0 or -ENOMEM. */
static int merge_things(struct halves *into, const struct halves *from, enum half_things things)
{
	const struct half_list *list = &from->things[things];
	int error = 0;

	raise_level(&into->things[things], list->level);
	for (uint32_t i = 0; i < list->count && !error; i++) {
		struct half half = list->list[i];
		const struct half_comm *comm = &from->comms[half.comm];

		error = halves_comm(into, comm->identity, comm->members, &half.comm);
		if (!error)
			error = keep(&into->things[things], &half);
	}
	return error;
}

int halves_merge(struct halves *into, const struct halves *from)
{
	int error = 0;

	for (unsigned i = 0; i < HALF_KINDS; i++)
		into->seen[i] += from->seen[i];
	into->left_out += from->left_out;
	into->given_up += from->given_up;
	for (unsigned i = 0; i < HALVES_THINGS && !error; i++)
		error = merge_things(into, from, (enum half_things)i);
	return error;
}

void halves_release(struct halves *halves)
{
	for (unsigned i = 0; i < HALVES_THINGS; i++)
		free(halves->things[i].list);
	free(halves->comms);
	dictionary_release(&halves->comm_keys);
}

#ifdef UNIT_TEST
#include "unittest.h"

#define MANY (3 * HALVES_MAX)

/* Number `i` of a channel, or of one of its own. */
static struct half numbered(uint32_t i, bool own_channel)
{
	uint64_t meeting = (i + 1) * 0x9E3779B97F4A7C15u;

	return (struct half){.meeting = meeting,
			     .kind = HALF_SEND,
			     .level = halves_level(own_channel ? 0 : i, meeting)};
}

static void fill(struct halves *halves, uint32_t part, uint32_t parts, bool own_channel)
{
	uint32_t comm;

	EXPECT_EQ(halves_comm(halves, 5, 2, &comm), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		struct half half = numbered(i, own_channel);

		if (i % parts == part)
			EXPECT_EQ(halves_add(halves, &half), 0);
	}
}

static int by_meeting(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	return (x->meeting > y->meeting) - (x->meeting < y->meeting);
}

static void expect_same(struct half_list *a, struct half_list *b)
{
	EXPECT(a->count > HALVES_MAX / 4 && a->count <= HALVES_MAX);
	EXPECT_EQ(a->level, b->level);
	REQUIRE(a->count == b->count);
	qsort(a->list, a->count, sizeof(*a->list), by_meeting);
	qsort(b->list, b->count, sizeof(*b->list), by_meeting);
	for (uint32_t i = 0; i < a->count; i++)
		if (a->list[i].meeting != b->list[i].meeting) {
			EXPECT_EQ(a->list[i].meeting, b->list[i].meeting);
			break;
		}
}

static void compare_parts(bool own_channel)
{
	struct halves whole = {0}, put_together = {0};

	fill(&whole, 0, 1, own_channel);
	for (uint32_t part = 3; part-- > 0;) {
		struct halves one = {0};

		fill(&one, part, 3, own_channel);
		EXPECT_EQ(halves_merge(&put_together, &one), 0);
		halves_release(&one);
	}
	EXPECT_EQ(put_together.seen[HALF_SEND], MANY);
	expect_same(&whole.things[HALVES_MESSAGES], &put_together.things[HALVES_MESSAGES]);
	halves_release(&whole);
	halves_release(&put_together);
}

TEST_CASE(halves_are_thinned_to_the_same_ones_in_any_order)
{
	compare_parts(false);
}

TEST_CASE(halves_of_channels_of_their_own_are_thinned_by_channel)
{
	compare_parts(true);
}

/* As a job of many ranks has them: few messages of each channel. */
TEST_CASE(halves_of_many_short_channels_stay_of_each_of_them)
{
	struct halves halves = {0};
	uint32_t channels = HALVES_MAX / 8, kept = 0;

	for (uint32_t channel = 0; channel < channels; channel++)
		for (uint32_t number = 0; number < 60; number++) {
			struct half half = numbered(number, false);

			half.rank = channel;
			EXPECT_EQ(halves_add(&halves, &half), 0);
		}
	kept = halves.things[HALVES_MESSAGES].count;
	EXPECT(kept >= 4 * channels && kept % channels == 0);
	halves_release(&halves);
}

TEST_CASE(halves_of_messages_leave_collective_calls_alone)
{
	struct halves halves = {0};
	struct half call = {.kind = HALF_COLLECTIVE, .level = halves_level(1, 1)};

	EXPECT_EQ(halves_add(&halves, &call), 0);
	fill(&halves, 0, 1, false);
	EXPECT(halves.things[HALVES_MESSAGES].level > 1);
	EXPECT_EQ(halves.things[HALVES_CALLS].count, 1);
	halves_release(&halves);
}

TEST_CASE(halves_of_a_level_are_among_those_of_the_one_before)
{
	for (uint64_t number = 1; number < 100000; number++) {
		unsigned last = halves_level(number, 0);

		for (unsigned level = 0; level < CHANNEL_LEVEL; level++)
			EXPECT_EQ(number_stays(number, level), level <= last);
	}
	for (unsigned level = 0; level < 20; level++) {
		uint32_t kept = 0;

		for (uint32_t number = 0; number < 1u << 20; number++)
			kept += number_stays(number, level);
		EXPECT_EQ(kept, (1u << 20) >> level);
	}
}
#endif
