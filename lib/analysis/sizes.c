/* SPDX-License-Identifier: MIT */
/* sizes.c - see sizes.h */
#include "analysis/sizes.h"

static const struct {
	int64_t least;
	const char *name;
} classes[ANALYSIS_SIZES] = {
	{0, "0-100"},           {100, "100-1K"},     {1000, "1K-10K"},    {10000, "10K-100K"},
	{100000, "100K-1M"},    {1000000, "1M-4M"},  {4000000, "4M-10M"}, {10000000, "10M-100M"},
	{100000000, "100M-1G"}, {1000000000, "1G+"},
};

unsigned size_class_of(int64_t bytes)
{
	unsigned i = 0;

	while (i + 1 < ANALYSIS_SIZES && bytes >= classes[i + 1].least)
		i++;
	return i;
}

int64_t analysis_size_least(unsigned size_class)
{
	return size_class < ANALYSIS_SIZES ? classes[size_class].least : -1;
}

const char *analysis_size_name(unsigned size_class)
{
	return size_class < ANALYSIS_SIZES ? classes[size_class].name : "";
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(sizes_begin_where_they_say)
{
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++) {
		EXPECT_EQ(size_class_of(analysis_size_least(i)), i);
		if (i > 0)
			EXPECT_EQ(size_class_of(analysis_size_least(i) - 1), i - 1);
	}
	EXPECT_EQ(size_class_of(INT64_MAX), ANALYSIS_SIZES - 1);
}
#endif
