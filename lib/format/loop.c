/* SPDX-License-Identifier: MIT */
/* loop.c - see loop.h */
#include "format/loop.h"

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
#endif
