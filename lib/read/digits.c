/* SPDX-License-Identifier: MIT */
/* digits.c - see digits.h */
#include "read/digits.h"

/* without the zero behind them */
const char digits_pairs[200] =
	"00010203040506070809101112131415161718192021222324252627282930313233"
	"34353637383940414243444546474849505152535455565758596061626364656667"
	"6869707172737475767778798081828384858687888990919293949596979899";

char *digits_before(char *end, uint64_t value)
{
	while (value >= 100) {
		end -= 2;
		digits_pair(end, (unsigned)(value % 100));
		value /= 100;
	}
	if (value >= 10) {
		end -= 2;
		digits_pair(end, (unsigned)value);
	} else {
		*--end = (char)('0' + value);
	}
	return end;
}

static unsigned count_digits(uint64_t value)
{
	unsigned count = 1;

	for (; value >= 10000; value /= 10000)
		count += 4;
	return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

unsigned digits_put(char *to, uint64_t value)
{
	unsigned count = count_digits(value);

	digits_before(to + count, value);
	return count;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

TEST_CASE(digits_are_those_of_printf)
{
	char digits[DIGITS_MAX + 1], expected[DIGITS_MAX + 1];

	for (uint64_t value = 1; value;
	     value = value > UINT64_MAX / 3 ? 0 : value * 3 - value / 7) {
		for (uint64_t near = value - 1; near <= value + 1; near++) {
			digits[digits_put(digits, near)] = 0;
			snprintf(expected, sizeof(expected), "%llu", (unsigned long long)near);
			EXPECT_STR(digits, expected);
		}
	}
	digits[digits_put(digits, UINT64_MAX)] = 0;
	EXPECT_STR(digits, "18446744073709551615");
}
#endif
