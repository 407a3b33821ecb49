/* SPDX-License-Identifier: MIT */
/* period.c - see period.h */
#include "format/period.h"

/*
 * With the sequence read from its end, borders[i] is the length of the longest begin of its first i + 1 numbers that is also their end, and not all of them (D. Knuth, J. Morris,
 * V. Pratt): they repeat something of length i + 1 - borders[i].
 */
static void find_borders(const uint16_t *last, uint32_t count, uint32_t *borders)
{
	uint32_t border = 0;

	borders[0] = 0;
	for (uint32_t i = 1; i < count; i++) {
		while (border > 0 && *(last - i) != *(last - border))
			border = borders[border - 1];
		border += *(last - i) == *(last - border);
		borders[i] = border;
	}
}

uint32_t period_of_end(const uint16_t *numbers, uint32_t count, uint32_t most, uint32_t *room)
{
	if (count == 0)
		return 0;
	find_borders(numbers + count - 1, count, room);
	for (uint32_t length = count; length > 0; length--) {
		uint32_t period = length - room[length - 1];

		if (period <= most && period <= length / PERIOD_TIMES)
			return period;
	}
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static uint16_t period_numbers[2000];
static uint32_t period_room[2000];

TEST_CASE(period_is_found)
{
	for (uint32_t period = 1; period < 300; period = period * 2 + 1) {
		for (uint32_t i = 0; i < 2000; i++)
			period_numbers[i] =
				(uint16_t)(i < 500 ? i : i % period + (i % period == 0));
		/* what is in it twice does not mislead */
		EXPECT_EQ(period_of_end(period_numbers, 2000, 1000, period_room), period);
		EXPECT_EQ(period_of_end(period_numbers, 2000, period, period_room), period);
		if (period > 3)
			EXPECT_EQ(period_of_end(period_numbers, 2000, period - 1, period_room), 0);
	}
}

TEST_CASE(period_of_what_does_not_repeat)
{
	for (uint32_t i = 0; i < 2000; i++)
		period_numbers[i] = (uint16_t)i;
	EXPECT_EQ(period_of_end(period_numbers, 2000, 1000, period_room), 0);
	EXPECT_EQ(period_of_end(period_numbers, 0, 1000, period_room), 0);
	EXPECT_EQ(period_of_end(period_numbers, 1, 1000, period_room), 0);
	for (uint32_t i = 1990; i < 2000; i++)
		period_numbers[i] = 7;
	EXPECT_EQ(period_of_end(period_numbers, 2000, 1000, period_room), 1);
}
#endif
