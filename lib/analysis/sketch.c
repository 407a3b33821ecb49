/* SPDX-License-Identifier: MIT */
/* sketch.c - see sketch.h */
#include "analysis/sketch.h"

void sketch_merge(struct sketch *into, const struct sketch *from)
{
	for (unsigned i = 0; i < SEQUENCE_SYMBOLS; i++)
		into->counts[i] += from->counts[i];
}

static uint64_t middle_of(unsigned symbol)
{
	unsigned raw = sequence_raw_bits(symbol);

	return sequence_least(symbol) + (raw ? (uint64_t)1 << (raw - 1) : 0);
}

uint64_t sketch_quantile(const struct sketch *sketch, double quantile)
{
	uint64_t all = 0, before = 0, wanted;
	unsigned symbol = 0;

	for (unsigned i = 0; i < SEQUENCE_SYMBOLS; i++)
		all += sketch->counts[i];
	if (all == 0)
		return 0;
	wanted = (uint64_t)(quantile * (double)all);
	for (unsigned i = 0; i < SEQUENCE_SYMBOLS && before <= wanted; i++)
		if (sketch->counts[i] > 0) {
			before += sketch->counts[i];
			symbol = i;
		}
	return middle_of(symbol);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(sketch_quantiles_are_within_a_32nd)
{
	static struct sketch halves[2], whole;

	memset(halves, 0, sizeof(halves));
	memset(&whole, 0, sizeof(whole));
	for (uint64_t i = 1; i <= 1000000; i++)
		sketch_add(&halves[i % 2], i * 10, 1);
	sketch_merge(&whole, &halves[0]);
	sketch_merge(&whole, &halves[1]);
	for (double share = 0.01; share < 1; share += 0.07) {
		double found = (double)sketch_quantile(&whole, share);

		EXPECT(found > share * 1e7 * 31 / 32 - 1 && found < share * 1e7 * 33 / 32 + 1);
	}
}

TEST_CASE(sketch_of_small_numbers_is_exact)
{
	static struct sketch sketch;

	memset(&sketch, 0, sizeof(sketch));
	EXPECT_EQ(sketch_quantile(&sketch, 0.5), 0);
	sketch_add(&sketch, 7, 99);
	sketch_add(&sketch, 100, 1);
	EXPECT_EQ(sketch_quantile(&sketch, 0), 7);
	EXPECT_EQ(sketch_quantile(&sketch, 0.5), 7);
	EXPECT_EQ(sketch_quantile(&sketch, 0.98), 7);
	EXPECT_EQ(sketch_quantile(&sketch, 0.99), 100);
	EXPECT_EQ(sketch_quantile(&sketch, 1), 100);
	sketch_add(&sketch, UINT64_MAX, 1000);
	EXPECT(sketch_quantile(&sketch, 1) > UINT64_MAX / 32 * 31);
}
#endif
