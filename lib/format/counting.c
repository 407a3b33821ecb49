/* SPDX-License-Identifier: MIT */
/* counting.c - see counting.h */
#include "format/counting.h"

#include <string.h>

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

struct counting_place counting_find(const uint8_t *name, size_t size)
{
	struct counting_place place;
	size_t at = size;

	while (at > 0 && !is_digit(name[at - 1]))
		at--;
	place.end = at;
	while (at > 0 && place.end - at < COUNTING_DIGITS && is_digit(name[at - 1]))
		at--;
	place.begin = at;
	return place;
}

static uint64_t value(const uint8_t *name, struct counting_place place)
{
	uint64_t number = 0;

	for (size_t i = place.begin; i < place.end; i++)
		number = number * 10 + (uint64_t)(name[i] - '0');
	return number;
}

uint64_t counting_step(const uint8_t *from, const uint8_t *to, size_t size,
		       struct counting_place place)
{
	uint64_t a, b;

	for (size_t i = place.begin; i < place.end; i++)
		if (!is_digit(from[i]))
			return 0;
	if (place.begin == place.end || memcmp(from, to, place.begin) != 0 ||
	    memcmp(from + place.end, to + place.end, size - place.end) != 0)
		return 0;
	a = value(from, place);
	b = value(to, place);
	return b > a ? b - a : 0;
}

bool counting_add(uint8_t *name, size_t size, uint64_t step)
{
	struct counting_place place = counting_find(name, size);
	uint64_t number;

	if (place.begin == place.end)
		return false;
	number = value(name, place);
	if (__builtin_add_overflow(number, step, &number))
		return false;
	for (size_t at = place.end; at > place.begin; at--, number /= 10)
		name[at - 1] = (uint8_t)('0' + number % 10);
	return number == 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static uint64_t counting_test_step(const char *from, const char *to)
{
	const uint8_t *name = (const uint8_t *)to;

	return counting_step((const uint8_t *)from, name, strlen(to),
			     counting_find(name, strlen(to)));
}

static bool counting_test_add(const char *from, uint64_t step, const char *to)
{
	uint8_t name[64] = {0};

	memcpy(name, from, strlen(from));
	return counting_add(name, strlen(from), step) && !strcmp((char *)name, to);
}

TEST_CASE(counting_steps)
{
	EXPECT_EQ(counting_test_step("part.0041", "part.0042"), 1);
	EXPECT_EQ(counting_test_step("a9/part.0099.x", "a9/part.0100.x"), 1);
	EXPECT_EQ(counting_test_step("part.41", "part.97"), 56);
	EXPECT_EQ(counting_test_step("part.42", "part.41"), 0);
	EXPECT_EQ(counting_test_step("part.42", "part.42"), 0);
	EXPECT_EQ(counting_test_step("pert.42", "part.43"), 0);
	EXPECT_EQ(counting_test_step("part.4x", "part.43"), 0);
	EXPECT_EQ(counting_test_step("part.42a", "part.43b"), 0);
	EXPECT_EQ(counting_test_step("none", "nonf"), 0);
	EXPECT_EQ(counting_test_step("", ""), 0);
	EXPECT_EQ(counting_test_step("1000000000000000000000", "1000000000000000000001"), 1);
	EXPECT_EQ(counting_test_step("0999999999999999999999", "1000000000000000000000"), 0);
}

TEST_CASE(counting_adds)
{
	EXPECT(counting_test_add("part.0041", 1, "part.0042"));
	EXPECT(counting_test_add("a9/part.0099.x", 1, "a9/part.0100.x"));
	EXPECT(counting_test_add("9", 0, "9"));
	EXPECT(!counting_test_add("9", 1, "10"));
	EXPECT(!counting_test_add("99", UINT64_MAX, "98"));
	EXPECT(!counting_test_add("none", 1, "none"));
	EXPECT(!counting_test_add("", 1, ""));
}
#endif
