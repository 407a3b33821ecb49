/* SPDX-License-Identifier: MIT */
/* scaled.c - numbers with a unit. */
#include "format/scaled.h"

#include <stddef.h>

#define EXPONENT_MAX 60

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit sizes[] = {{"k", 1u << 10},   {"kib", 1u << 10}, {"m", 1u << 20},
				    {"mib", 1u << 20}, {"g", 1u << 30},   {"gib", 1u << 30},
				    {NULL, 0}};
static const struct unit times[] = {
	{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {NULL, 0}};

/* mantissa * 10 ^ exponent */
struct decimal {
	uint64_t mantissa;
	int exponent;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits; how many. -1: too many. */
static int read_digits(const char **text, uint64_t *number)
{
	int count = 0;

	for (; is_digit(**text); (*text)++, count++)
		if (__builtin_mul_overflow(*number, 10u, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(**text - '0'), number))
			return -1;
	return count;
}

/* "e-7", if there is one. */
static bool read_exponent(const char **text, int *exponent)
{
	const char *at = *text;
	uint64_t number = 0;
	bool negative;

	if ((*at | 0x20) != 'e')
		return true;
	at++;
	negative = *at == '-';
	at += *at == '-' || *at == '+';
	if (read_digits(&at, &number) <= 0 || number > EXPONENT_MAX)
		return false;
	*exponent += negative ? -(int)number : (int)number;
	*text = at;
	return true;
}

static bool read_decimal(const char **text, struct decimal *decimal)
{
	int whole, part = 0;

	*decimal = (struct decimal){0};
	whole = read_digits(text, &decimal->mantissa);
	if (whole >= 0 && **text == '.') {
		(*text)++;
		part = read_digits(text, &decimal->mantissa);
	}
	if (whole < 0 || part < 0 || whole + part == 0)
		return false;
	decimal->exponent = -part;
	return read_exponent(text, &decimal->exponent);
}

static bool scale(struct decimal decimal, uint64_t factor, uint64_t *value)
{
	unsigned __int128 product = (unsigned __int128)decimal.mantissa * factor;

	for (; decimal.exponent < 0 && product; decimal.exponent++)
		product /= 10;
	for (; decimal.exponent > 0 && product <= UINT64_MAX; decimal.exponent--)
		product *= 10;
	if (product > UINT64_MAX)
		return false;
	*value = (uint64_t)product;
	return true;
}

static bool same_word(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a | 0x20) != *b)
			return false;
	return !*a && !*b;
}

static bool read_scaled(const char *text, const struct unit *units, uint64_t bare, uint64_t *value)
{
	struct decimal decimal;

	if (!read_decimal(&text, &decimal))
		return false;
	if (!*text)
		return scale(decimal, bare, value);
	for (; units->name; units++)
		if (same_word(text, units->name))
			return scale(decimal, units->factor, value);
	return false;
}

bool scaled_size(const char *text, uint64_t *bytes)
{
	return read_scaled(text, sizes, 1, bytes);
}

bool scaled_megabytes(const char *text, uint64_t *bytes)
{
	return read_scaled(text, sizes, 1u << 20, bytes);
}

bool scaled_time(const char *text, uint64_t *ns)
{
	return read_scaled(text, times, 1000000000, ns);
}

#ifdef UNIT_TEST
#include "unittest.h"

static uint64_t time_of(const char *text)
{
	uint64_t ns = 12345;

	return scaled_time(text, &ns) ? ns : 12345;
}

TEST_CASE(scaled_times)
{
	EXPECT_TRUE(time_of("10ns") == 10 && time_of("5us") == 5000 && time_of("3MS") == 3000000);
	EXPECT_TRUE(time_of("2") == 2000000000 && time_of("2s") == 2000000000);
	EXPECT_TRUE(time_of("1e-7") == 100 && time_of("0.0000001") == 100);
	EXPECT_TRUE(time_of("1.0E-07") == 100 && time_of(".5") == 500000000);
	EXPECT_TRUE(time_of("1.5ms") == 1500000 && time_of("1e+1") == 10000000000);
	EXPECT_TRUE(time_of("1e-10") == 0 && time_of("0") == 0 && time_of("0e60") == 0);
}

TEST_CASE(scaled_nonsense)
{
	static const char *const wrong[] = {
		"",      ".",           "e5",   "x",     "-1",   "1 s", "1es",
		"1e",    "1e+",         "1e61", "1.2.3", "1m s", "ns",  "18446744073709551616",
		"1e11s", "99999999999s"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		EXPECT_TRUE(time_of(wrong[i]) == 12345);
}

TEST_CASE(scaled_sizes)
{
	uint64_t bytes = 0;

	EXPECT_TRUE(scaled_size("64k", &bytes) && bytes == 65536);
	EXPECT_TRUE(scaled_size("1.5MiB", &bytes) && bytes == 1572864);
	EXPECT_TRUE(scaled_size("12345", &bytes) && bytes == 12345);
	EXPECT_TRUE(scaled_megabytes("4", &bytes) && bytes == 4u << 20);
	EXPECT_TRUE(scaled_megabytes("64k", &bytes) && bytes == 65536);
	EXPECT_TRUE(!scaled_size("16384000000000000000g", &bytes) && bytes == 65536);
}
#endif
