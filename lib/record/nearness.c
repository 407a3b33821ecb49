/* SPDX-License-Identifier: MIT */
/* nearness.c - see nearness.h */
#include "record/nearness.h"

#include <string.h>

#define COMPARED_MAX 48u /* bytes of a name */

/* What is behind the last '.' or ':'. */
static const char *last_part(const char *name)
{
	const char *part = name;

	for (; *name; name++)
		if (*name == '.' || *name == ':')
			part = name + 1;
	return *part ? part : name;
}

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

static unsigned char folded(char letter)
{
	return (unsigned char)(letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter);
}

/* Letters to be changed, taken and put to make one of the other; of names up to COMPARED_MAX, larger or smaller letters alike. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[COMPARED_MAX + 1], before, above;

	for (unsigned i = 0; i <= b_length; i++)
		row[i] = i;
	for (size_t i = 0; i < a_length; i++) {
		before = row[0]++;
		for (size_t k = 0; k < b_length; k++) {
			above = row[k + 1];
			row[k + 1] = smallest(row[k] + 1, above + 1,
					      before + (folded(a[i]) != folded(b[k])));
			before = above;
		}
	}
	return row[b_length];
}

unsigned nearness(const char *wanted_name, const char *met_name)
{
	const char *wanted = last_part(wanted_name), *met = last_part(met_name);
	size_t wanted_length = strlen(wanted), met_length = strlen(met);
	size_t difference = wanted_length > met_length ? wanted_length - met_length
						       : met_length - wanted_length;
	unsigned allowed = wanted_length < 6 ? 1 : (unsigned)wanted_length / 3, distance;

	if (wanted_length < 2 || difference > allowed || wanted_length > COMPARED_MAX ||
	    met_length > COMPARED_MAX)
		return NEARNESS_NONE;
	distance = distance_of(wanted, wanted_length, met, met_length);
	return distance <= allowed ? distance : NEARNESS_NONE;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(nearness_is_of_last_parts)
{
	EXPECT_EQ(nearness("raw_decode", "json.decoder.JSONDecoder.raw_decode"), 0);
	EXPECT_EQ(nearness("mod:raw_decod", "raw_decode"), 1);
	EXPECT_EQ(nearness("ns::solve", "other::Solve"), 0);
	EXPECT_EQ(nearness("solve", "sovle2"), NEARNESS_NONE);
	EXPECT_EQ(nearness("genn", "gen"), 1);
	EXPECT_EQ(nearness("genn", "venv"), NEARNESS_NONE);
	EXPECT_EQ(nearness("f", "g"), NEARNESS_NONE);
	EXPECT_EQ(nearness("", ""), NEARNESS_NONE);
}
#endif
