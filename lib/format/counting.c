/* SPDX-License-Identifier: MIT */
/* counting.c - see counting.h */
#include "format/counting.h"

#include <string.h>

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

/* Where the last number begins and ends; false: there is none. */
static bool last_number(const uint8_t *name, size_t size, size_t *begin, size_t *end)
{
	size_t at = size;

	while (at > 0 && !is_digit(name[at - 1]))
		at--;
	*end = at;
	while (at > 0 && *end - at < COUNTING_DIGITS && is_digit(name[at - 1]))
		at--;
	*begin = at;
	return at < *end;
}

static uint64_t value(const uint8_t *name, size_t begin, size_t end)
{
	uint64_t number = 0;

	for (size_t i = begin; i < end; i++)
		number = number * 10 + (uint64_t)(name[i] - '0');
	return number;
}

uint64_t counting_step(const uint8_t *from, const uint8_t *to, size_t size)
{
	size_t begin, end;
	uint64_t a, b;

	if (!last_number(to, size, &begin, &end) || memcmp(from, to, begin) != 0 ||
	    memcmp(from + end, to + end, size - end) != 0)
		return 0;
	for (size_t i = begin; i < end; i++)
		if (!is_digit(from[i]))
			return 0;
	a = value(from, begin, end);
	b = value(to, begin, end);
	return b > a ? b - a : 0;
}

bool counting_add(uint8_t *name, size_t size, uint64_t step)
{
	size_t begin, end;
	uint64_t number;

	if (!last_number(name, size, &begin, &end))
		return false;
	number = value(name, begin, end);
	if (__builtin_add_overflow(number, step, &number))
		return false;
	for (size_t at = end; at > begin; at--, number /= 10)
		name[at - 1] = (uint8_t)('0' + number % 10);
	return number == 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static uint64_t counting_test_step(const char *from, const char *to)
{
	return counting_step((const uint8_t *)from, (const uint8_t *)to, strlen(to));
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
