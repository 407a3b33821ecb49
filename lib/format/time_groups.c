/* SPDX-License-Identifier: MIT */
/* time_groups.c - see time_groups.h */
#include "format/time_groups.h"

#include <string.h>

#define GROUP_OF_SIGNATURE 2048u /* records that are worth codes of their own */
#define GROUP_OF_FUNCTION 1024u

static uint16_t new_group(struct time_groups *groups, uint32_t records)
{
	groups->list[groups->count].records = records;
	return (uint16_t)groups->count++;
}

/* A group for each signature that has many records. */
static void group_signatures(struct time_groups *groups, struct signature_table *table)
{
	for (uint32_t i = 0; i < table->count; i++) {
		struct signature *signature = table->list[i];
		struct time_group_of_function *function = &groups->functions[signature->function];

		if (signature->count < GROUP_OF_SIGNATURE || groups->count > TIME_GROUPS_OWN) {
			function->rest += signature->count;
			continue;
		}
		signature->group = new_group(groups, signature->count);
		if (signature->count > function->most) {
			function->most = signature->count;
			function->group = signature->group;
		}
	}
}

/* Those of a function that have together many others get one for them, few others are with the most of their function. What is left shares the first group. */
static void group_others(struct time_groups *groups, struct signature_table *table)
{
	for (uint32_t i = 0; i < table->function_count; i++)
		if (groups->functions[i].rest >= GROUP_OF_FUNCTION)
			groups->functions[i].group = new_group(groups, 0);
	for (uint32_t i = 0; i < table->count; i++) {
		struct signature *signature = table->list[i];

		if (signature->group > 0)
			continue;
		signature->group = groups->functions[signature->function].group;
		groups->list[signature->group].records += signature->count;
	}
}

void time_groups_make(struct time_groups *groups, struct signature_table *table)
{
	uint32_t begin = 0;

	memset(groups->functions, 0, table->function_count * sizeof(*groups->functions));
	groups->count = 0;
	new_group(groups, 0);
	for (uint32_t i = 0; i < table->count; i++)
		table->list[i]->group = 0;
	group_signatures(groups, table);
	group_others(groups, table);
	for (uint32_t i = 0; i < groups->count; i++) {
		groups->list[i].begin = begin;
		begin += groups->list[i].records;
	}
}

bool time_groups_are_one(const struct time_groups *groups, uint32_t count)
{
	for (uint32_t i = 0; i < groups->count; i++)
		if (groups->list[i].records > 0)
			return groups->list[i].records == count;
	return true;
}

void time_groups_sort(struct time_groups *groups, const struct signature_table *table,
		      const struct grouped_times *times, uint64_t *idle, uint64_t *duration)
{
	const uint16_t *signature = times->signature, *group = groups->of_signature;
	const uint64_t *idle_before = times->idle, *duration_before = times->duration;
	struct time_group *list = groups->list;

	for (uint32_t i = 0; i < table->count; i++)
		groups->of_signature[i] = table->list[i]->group;
	for (uint32_t i = 0; i < groups->count; i++)
		list[i].next = list[i].begin;
	for (uint32_t i = 0; i < times->count; i++) {
		uint32_t at = list[group[signature[i]]].next++;

		idle[at] = idle_before[i];
		duration[at] = duration_before[i];
	}
}

void time_groups_put(const struct time_groups *groups, const uint64_t *times,
		     struct sequence_work *sequence, struct varints *words, struct varints *bits)
{
	for (uint32_t i = 0; i < groups->count; i++)
		sequence_write(sequence, times + groups->list[i].begin, groups->list[i].records,
			       SEQUENCE_NOISE, words, bits);
}

#ifdef UNIT_TEST
#include "unittest.h"

enum { UNIT_SIGNATURES = 6 };

static struct signature unit_signatures[UNIT_SIGNATURES] = {
	{.function = 0, .count = 3000}, /* its own group, 1 */
	{.function = 0, .count = 2048}, /* its own group, 2 */
	{.function = 0, .count = 7},    /* with the most of its function */
	{.function = 1, .count = 2000}, /* those of function 1 together, 3 */
	{.function = 1, .count = 10},   {.function = 2, .count = 1}, /* what is left, 0 */
};

static void unit_make(struct time_groups *groups, struct signature_table *table)
{
	*table = (struct signature_table){.count = UNIT_SIGNATURES, .function_count = 3};
	for (unsigned i = 0; i < UNIT_SIGNATURES; i++)
		table->list[i] = &unit_signatures[i];
	time_groups_make(groups, table);
}

TEST_CASE(time_groups_of_signatures)
{
	static const uint16_t expected[UNIT_SIGNATURES] = {1, 2, 1, 3, 3, 0};
	static const struct time_group groups_expected[] = {
		{1, 0, 0}, {3007, 1, 0}, {2048, 3008, 0}, {2010, 5056, 0}};
	static struct time_groups groups;
	static struct signature_table table;

	unit_make(&groups, &table);
	for (unsigned i = 0; i < UNIT_SIGNATURES; i++)
		EXPECT_EQ(unit_signatures[i].group, expected[i]);
	REQUIRE(groups.count == 4);
	for (unsigned i = 0; i < 4; i++) {
		EXPECT_EQ(groups.list[i].records, groups_expected[i].records);
		EXPECT_EQ(groups.list[i].begin, groups_expected[i].begin);
	}
	EXPECT(!time_groups_are_one(&groups, 7066));
	table.count = 1;
	time_groups_make(&groups, &table);
	EXPECT(time_groups_are_one(&groups, 3000));
}

/* Within a group times stay in their order. */
TEST_CASE(time_groups_sort_times)
{
	static const uint16_t signature[] = {5, 0, 1, 2, 0, 1};
	static const uint64_t idle[] = {10, 11, 12, 13, 14, 15}, duration[] = {0, 1, 2, 3, 4, 5};
	static const uint32_t places[] = {0, 1, 3008, 2, 3, 3009};
	static uint64_t idle_sorted[7066], duration_sorted[7066];
	static struct time_groups groups;
	static struct signature_table table;

	unit_make(&groups, &table);
	time_groups_sort(&groups, &table, &(struct grouped_times){signature, idle, duration, 6},
			 idle_sorted, duration_sorted);
	for (unsigned i = 0; i < 6; i++) {
		EXPECT_EQ(idle_sorted[places[i]], idle[i]);
		EXPECT_EQ(duration_sorted[places[i]], duration[i]);
	}
}
#endif
