/* SPDX-License-Identifier: MIT */
/* spread_sort.c - see spread_sort.h */
#include "analysis/spread_sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/huge_pages.h"

#define FEW 16u /* that are put in their place one by one */

static void sort_few(const struct spread *spread, const void **items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const void *item = items[i];
		uint32_t at = i;

		for (; at > 0 && spread->compare(&items[at - 1], &item) > 0; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static void sort_group(const struct spread *spread, const void **items, uint32_t count)
{
	if (count <= FEW)
		sort_few(spread, items, count);
	else
		qsort(items, count, sizeof(*items), spread->compare);
}

/* So many groups that they are about as many as what is sorted: tables for more would only be zeroed. */
static unsigned group_bits(uint32_t count)
{
	unsigned bits = count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0;

	return bits < SPREAD_BITS ? bits : SPREAD_BITS;
}

/* Puts items into their groups, by the first `bits` of those. `ends[g]` becomes where group g begins; ends[1 << bits] stays where the last one ends. */
static void divide(const struct spread *spread, unsigned bits, const void *const *items,
		   uint32_t count, const void **divided, uint32_t *ends)
{
	const unsigned shift = SPREAD_BITS - bits;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		ends[spread->group(spread->data, items[i]) >> shift]++;
	for (uint32_t group = 0; group <= 1u << bits; group++) {
		sum += ends[group];
		ends[group] = sum;
	}
	for (uint32_t i = count; i-- > 0;)
		divided[--ends[spread->group(spread->data, items[i]) >> shift]] = items[i];
}

int spread_sort(const struct spread *spread, const void **items, uint32_t count)
{
	const unsigned bits = group_bits(count);
	const void **divided = huge_pages_alloc(((size_t)count + 1) * sizeof(*divided));
	uint32_t *ends = calloc((1u << bits) + 1, sizeof(*ends));
	int error = divided && ends ? 0 : -ENOMEM;

	if (!error && count > 0) {
		divide(spread, bits, items, count, divided, ends);
		for (uint32_t group = 0; group < 1u << bits; group++)
			sort_group(spread, divided + ends[group], ends[group + 1] - ends[group]);
		memcpy(items, divided, count * sizeof(*items));
	}
	free(divided);
	free(ends);
	return error;
}

#ifdef UNIT_TEST
#include "unittest.h"

static uint32_t unit_group(const void *data, const void *item)
{
	return *(const uint64_t *)item >> *(const unsigned *)data & (SPREAD_GROUPS - 1);
}

static int unit_compare(const void *a, const void *b)
{
	uint64_t x = **(const uint64_t *const *)a, y = **(const uint64_t *const *)b;

	return (x > y) - (x < y);
}

static void unit_sorts(unsigned shift, const uint64_t *numbers, const void **items, uint32_t count)
{
	const struct spread spread = {unit_group, &shift, unit_compare};
	uint64_t sum = 0, sorted_sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += numbers[i];
		items[i] = &numbers[i];
	}
	REQUIRE(spread_sort(&spread, items, count) == 0);
	for (uint32_t i = 0; i < count; i++) {
		sorted_sum += *(const uint64_t *)items[i];
		EXPECT(i == 0 || unit_compare(&items[i - 1], &items[i]) <= 0);
	}
	EXPECT(sum == sorted_sum);
}

/* None, few and many; the same of numbers that are evenly spread, and of those of which most are in one group. */
TEST_CASE(spread_sort_sorts)
{
	enum { MANY = 300000 };
	static const uint32_t counts[] = {0, 1, 2, 3, 17, 1000, 50000, MANY};
	static uint64_t numbers[MANY];
	static const void *items[MANY];

	for (unsigned shift = 64 - SPREAD_BITS; shift > 0; shift -= 23) {
		for (uint64_t i = 0; i < MANY; i++) {
			numbers[i] = (i + 1) * 0x9E3779B97F4A7C15u;
			if (shift < 64 - SPREAD_BITS)
				numbers[i] =
					i % 5 ? i % 1000 : numbers[i] >> (64 - 23 - SPREAD_BITS);
		}
		for (unsigned i = 0; i < sizeof(counts) / sizeof(*counts); i++)
			unit_sorts(shift, numbers, items, counts[i]);
	}
}
#endif
