/* SPDX-License-Identifier: MIT */
/* loop.c - see loop.h */
#include "format/loop.h"

/* Of an array: how many fields it has, and where the first one is. 0: the argument is none. */
static uint32_t array_fields(const struct raw_record *record, const uint8_t *classes,
			     unsigned argument, const struct array_block **array, uint32_t *at)
{
	uint64_t offset = record->args[argument];

	if (classes[argument] != CLASS_ARRAY || offset <= BLOCK_UNREADABLE)
		return 0;
	*array = (const void *)((const uint8_t *)record + offset);
	*at = (uint32_t)(offset + offsetof(struct array_block, sum));
	return 1 + (*array)->stored;
}

static struct loop_field field_of(const struct array_block *array, uint32_t sum_at, uint32_t first,
				  uint32_t which)
{
	bool whole = array->stored == array->original;

	return (struct loop_field){.at = sum_at + 8 * which,
				   .number = first + which,
				   .sum_at = whole && which > 0 ? sum_at : 0,
				   .implied = whole && which == 0};
}

struct loop_field loop_array_field(const struct raw_record *record, const uint8_t *classes,
				   unsigned class_count, uint64_t number)
{
	uint32_t first = record->arg_count + 1u;

	for (unsigned i = 0; i < record->arg_count && i < class_count && number >= first; i++) {
		const struct array_block *array;
		uint32_t at, count = array_fields(record, classes, i, &array, &at);

		if (number - first < count)
			return field_of(array, at, first, (uint32_t)number - first);
		first += count;
	}
	return (struct loop_field){0};
}

struct loop_field loop_array_field_at(const struct raw_record *record, const uint8_t *classes,
				      unsigned class_count, uint32_t at)
{
	uint32_t first = record->arg_count + 1u;

	for (unsigned i = 0; i < record->arg_count && i < class_count; i++) {
		const struct array_block *array;
		uint32_t sum_at, count = array_fields(record, classes, i, &array, &sum_at);

		if (count > 0 && at >= sum_at && (at - sum_at) / 8 < count)
			return field_of(array, sum_at, first, (at - sum_at) / 8);
		first += count;
	}
	return (struct loop_field){0};
}

/* The first record that lies in record `index`, or is it: `first` says that of those before. False: it would lie in the midst of another one. */
static bool find_first(const uint32_t *inside, uint32_t index, uint32_t *first)
{
	uint32_t at = index;

	if (inside[index] > index)
		return false;
	while (at > index - inside[index])
		at = first[at - 1];
	first[index] = at;
	return at == index - inside[index];
}

bool loop_order(const uint32_t *inside, uint32_t period, uint32_t *room, struct loop_event *events)
{
	/* lists of those that begin before a record does, the outermost first; numbers + 1 */
	uint32_t *first = room, *begin = room + period, *next = begin + period, count = 0;

	for (uint32_t i = 0; i < period; i++)
		begin[i] = 0;
	for (uint32_t i = 0; i < period; i++) {
		if (!find_first(inside, i, first))
			return false;
		next[i] = begin[first[i]];
		begin[first[i]] = i + 1;
	}
	for (uint32_t i = 0; i < period; i++) {
		for (uint32_t k = begin[i]; k > 0; k = next[k - 1])
			events[count++] = (struct loop_event){k - 1, false};
		events[count++] = (struct loop_event){i, true};
	}
	return true;
}

bool loop_order_parts(const struct loop_event *events, struct loop_part *parts, uint32_t count)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct loop_part *part = &parts[i];
		uint32_t last = part->first + part->count - 1, own = 0;

		for (bool found = false; !found; at++) {
			bool belongs = events[at].record - part->first < part->count;

			found = events[at].end && events[at].record == last;
			own = belongs ? own + 1 : 0;
		}
		part->until = at;
		if (part->times > 1 && own != 2 * part->count)
			return false;
	}
	return true;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(loop_events_are_in_order)
{
	/* 3 and 5 have no calls inside, 4 has 3, 6 has all from 1 on */
	static const uint32_t inside[] = {0, 0, 1, 0, 1, 0, 5}, wrong[] = {0, 1, 1};
	static const struct loop_event expected[] = {{0, false}, {0, true}, {6, false}, {2, false},
						     {1, false}, {1, true}, {2, true},  {4, false},
						     {3, false}, {3, true}, {4, true},  {5, false},
						     {5, true},  {6, true}};
	struct loop_event events[14];
	uint32_t room[21];

	REQUIRE(loop_order(inside, 7, room, events));
	for (unsigned i = 0; i < 14; i++)
		EXPECT(events[i].record == expected[i].record && events[i].end == expected[i].end);
	EXPECT(!loop_order(wrong, 3, room, events));
	EXPECT(!loop_order(&inside[2], 1, room, events));
}

/* A string, an array of which all is stored, and one of which it is not. */
TEST_CASE(loop_fields_of_arrays)
{
	struct {
		struct raw_record record;
		uint64_t args[4];
		struct {
			uint32_t stored, original;
			char bytes[8];
		} string;
		struct {
			uint32_t stored, original;
			int64_t sum, elements[2];
		} whole;
		struct {
			uint32_t stored, original;
			int64_t sum, elements[1];
		} part;
	} call = {.record = {.size = sizeof(call), .arg_count = 4},
		  .whole = {2, 2, 9, {4, 5}},
		  .part = {1, 7, 99, {1}}};
	static const uint8_t classes[] = {CLASS_STRING, CLASS_ARRAY, CLASS_ARRAY, CLASS_ARRAY};
	const uint32_t at[] = {offsetof(__typeof__(call), whole.sum),
			       offsetof(__typeof__(call), whole.elements),
			       offsetof(__typeof__(call), whole.elements) + 8,
			       offsetof(__typeof__(call), part.sum),
			       offsetof(__typeof__(call), part.elements)};

	call.args[0] = offsetof(__typeof__(call), string);
	call.args[1] = offsetof(__typeof__(call), whole);
	call.args[2] = BLOCK_ABSENT;
	call.args[3] = offsetof(__typeof__(call), part);
	for (uint32_t i = 0; i < 5; i++) {
		struct loop_field field = loop_array_field(&call.record, classes, 4, 5 + i);

		EXPECT_EQ(field.at, at[i]);
		EXPECT_EQ(loop_array_field_at(&call.record, classes, 4, at[i]).number, 5 + i);
		EXPECT_EQ(field.sum_at, i == 1 || i == 2 ? at[0] : 0);
		EXPECT_EQ(field.implied, i == 0);
	}
	EXPECT_EQ(loop_array_field(&call.record, classes, 4, 4).at, 0);
	EXPECT_EQ(loop_array_field(&call.record, classes, 4, 10).at, 0);
	EXPECT_EQ(loop_array_field(&call.record, classes, 4, UINT64_MAX).at, 0);
	EXPECT_EQ(loop_array_field_at(&call.record, classes, 4, at[0] - 8).at, 0);
	EXPECT_EQ(loop_array_field_at(&call.record, classes, 4, at[2] + 8).at, 0);
	EXPECT_EQ(loop_array_field_at(&call.record, classes, 4, at[4] + 8).at, 0);
	/* what is not described is none */
	EXPECT_EQ(loop_array_field(&call.record, classes, 1, 5).at, 0);
}

TEST_CASE(loop_parts_are_together)
{
	static const uint32_t inside[] = {0, 1, 0, 0, 4, 0};
	struct loop_part parts[] = {{.count = 2, .times = 9},
				    {.first = 2, .count = 2, .times = 3},
				    {.first = 4, .count = 1, .times = 1},
				    {.first = 5, .count = 1, .times = 1}};
	struct loop_event events[12];
	uint32_t room[18];

	REQUIRE(loop_order(inside, 6, room, events));
	REQUIRE(loop_order_parts(events, parts, 4));
	/* 4 begins before all, and is not of the first part */
	EXPECT_EQ(parts[0].until, 5);
	EXPECT_EQ(loop_events_from(&parts[0], 0, 0), 0);
	EXPECT_EQ(loop_events_from(&parts[0], 0, 1), 1);
	EXPECT_EQ(parts[1].until, 9);
	EXPECT_EQ(loop_events_from(&parts[1], 1, 0), 5);
	EXPECT_EQ(parts[2].until, 10);
	EXPECT_EQ(parts[3].until, 12);
	/* nor may it begin in the midst of one that comes again, or come again itself */
	parts[2].times = 2;
	EXPECT(!loop_order_parts(events, parts, 4));
	parts[2].times = 1;
	parts[0] = (struct loop_part){.count = 1, .times = 1};
	parts[1] = (struct loop_part){.first = 1, .count = 4, .times = 2};
	EXPECT(!loop_order_parts(events, parts, 2));
}
#endif
