/* SPDX-License-Identifier: MIT */
/* quantities.c - see quantities.h */
#include "analysis/quantities.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *quantity_count(char text[QUANTITY_ROOM], uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *at = text;

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = '\0';
	return text;
}

/* Three digits: "1.23", "12.3", "123". Rounding must not make a fourth. */
static void put_digits(char text[QUANTITY_ROOM], double value, const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(text, QUANTITY_ROOM, "%.*f %s", decimals, value, unit);
}

const char *quantity_rank(char text[QUANTITY_ROOM], int32_t world, int32_t rank)
{
	if (world > 0)
		snprintf(text, QUANTITY_ROOM, "%" PRId32 ":%" PRId32, world, rank);
	else
		snprintf(text, QUANTITY_ROOM, "%" PRId32, rank);
	return text;
}

const char *quantity_bytes(char text[QUANTITY_ROOM], int64_t bytes)
{
	static const char *const units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes / 1e3;
	unsigned unit = 0;

	if (bytes <= 0)
		return memcpy(text, "-", 2);
	if (bytes < 1000) {
		snprintf(text, QUANTITY_ROOM, "%" PRId64 " B", bytes);
		return text;
	}
	while (value >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1e3;
		unit++;
	}
	put_digits(text, value, units[unit]);
	return text;
}

const char *quantity_time(char text[QUANTITY_ROOM], int64_t ns)
{
	double value = (double)ns;

	if (ns < 1000)
		snprintf(text, QUANTITY_ROOM, "%" PRId64 " ns", ns);
	else if (value < 999.5e3)
		put_digits(text, value / 1e3, "us");
	else if (value < 999.5e6)
		put_digits(text, value / 1e6, "ms");
	else if (value < 999.5e9)
		put_digits(text, value / 1e9, "s");
	else
		memcpy(text + strlen(quantity_count(text, (uint64_t)(value / 1e9 + 0.5))), " s", 3);
	return text;
}

const char *quantity_share(char text[QUANTITY_ROOM], double part, double whole)
{
	if (whole <= 0)
		return memcpy(text, "-", 2);
	snprintf(text, QUANTITY_ROOM, "%.1f %%", 100 * part / whole);
	return text;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(quantities_are_readable)
{
	char text[QUANTITY_ROOM];

	EXPECT(!strcmp(quantity_count(text, 0), "0"));
	EXPECT(!strcmp(quantity_count(text, 999), "999"));
	EXPECT(!strcmp(quantity_count(text, 1000), "1,000"));
	EXPECT(!strcmp(quantity_count(text, UINT64_MAX), "18,446,744,073,709,551,615"));
	EXPECT(!strcmp(quantity_bytes(text, 0), "-"));
	EXPECT(!strcmp(quantity_bytes(text, 999), "999 B"));
	EXPECT(!strcmp(quantity_bytes(text, 4096), "4.10 KB"));
	EXPECT(!strcmp(quantity_bytes(text, 999600), "1.00 MB"));
	EXPECT(!strcmp(quantity_bytes(text, 123456789), "123 MB"));
	EXPECT(!strcmp(quantity_bytes(text, INT64_MAX), "9.22 EB"));
	EXPECT(!strcmp(quantity_time(text, 850), "850 ns"));
	EXPECT(!strcmp(quantity_time(text, 9996), "10.0 us"));
	EXPECT(!strcmp(quantity_time(text, 1250000), "1.25 ms"));
	EXPECT(!strcmp(quantity_time(text, 999600000), "1.00 s"));
	EXPECT(!strcmp(quantity_time(text, 1250000000000), "1,250 s"));
	EXPECT(!strcmp(quantity_share(text, 1, 8), "12.5 %"));
	EXPECT(!strcmp(quantity_share(text, 1, 0), "-"));
}
#endif
