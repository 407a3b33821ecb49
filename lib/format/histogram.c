/* SPDX-License-Identifier: MIT */
/* histogram.c - see histogram.h */
#include "format/histogram.h"

#include <errno.h>

#define SUM_MAX ((uint64_t)1 << 63) /* of the largest numbers that the buckets may hold */

/* ---- writing ---- */

void histogram_write(struct histogram_work *work, const uint64_t *numbers, uint32_t count,
		     struct varints *words)
{
	unsigned first = SEQUENCE_SYMBOLS, last = 0, before = 0, used = 0;
	uint64_t excess = 0;

	for (uint32_t i = 0; i < count; i++) {
		unsigned symbol = sequence_symbol(numbers[i]);

		first = symbol < first ? symbol : first;
		last = symbol > last ? symbol : last;
		used += work->counts[symbol]++ == 0;
		excess += numbers[i] - sequence_least(symbol);
	}
	varints_put(words, used);
	for (unsigned symbol = first; symbol <= last; symbol++) {
		if (work->counts[symbol] == 0)
			continue;
		varints_put(words, symbol - before);
		varints_put(words, work->counts[symbol] - 1);
		work->counts[symbol] = 0;
		before = symbol;
	}
	if (used > 0 && last >= HISTOGRAM_EXACT)
		varints_put(words, excess);
}

/* ---- reading ---- */

/* What the numbers can be more than the least ones of their buckets. */
struct capacity {
	uint64_t all;
	uint32_t count; /* numbers */
};

/* The next bucket: its symbol, from the one before; how many numbers. False: it is none. */
static bool next_bucket(struct bytes *words, bool first, uint64_t *symbol, uint64_t *count)
{
	uint64_t distance = bytes_varint(words);

	*count = bytes_varint(words);
	if (words->bad || distance >= SEQUENCE_SYMBOLS || (distance == 0 && !first) ||
	    *count >= UINT32_MAX)
		return false;
	*symbol += distance;
	++*count;
	return *symbol < SEQUENCE_SYMBOLS;
}

/* Passes over `buckets` of them. False: they are wrong, or more than `most` numbers. */
static bool measure(struct bytes *words, uint64_t buckets, uint32_t most, struct capacity *capacity)
{
	uint64_t symbol = 0, count, sum = 0, part;

	*capacity = (struct capacity){0};
	for (uint64_t i = 0; i < buckets; i++) {
		uint64_t more;

		if (!next_bucket(words, i == 0, &symbol, &count) || count > most - capacity->count)
			return false;
		more = ((uint64_t)1 << sequence_raw_bits((unsigned)symbol)) - 1;
		if (__builtin_mul_overflow(sequence_least((unsigned)symbol) + more, count, &part) ||
		    __builtin_add_overflow(sum, part, &sum) || sum > SUM_MAX)
			return false;
		capacity->count += (uint32_t)count;
		capacity->all += more * count;
	}
	return true;
}

/* So far from one number to the next: about as far as the golden section, so that numbers that come one after the other are of different size. */
static uint32_t step_through(uint32_t count)
{
	uint32_t step = (uint32_t)((uint64_t)count * 0x9E3779B9u >> 32);

	for (step += step == 0;; step++) {
		uint32_t a = count, b = step;

		while (b) {
			uint32_t rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

/* The bucket's numbers: `share` is what they are together more than the least ones. */
static void fill(uint64_t *numbers, uint64_t count, uint64_t least, uint64_t share)
{
	uint64_t larger = share % count;

	least += share / count;
	for (uint64_t i = 0; i < count; i++)
		numbers[i] = least + (i >= count - larger);
}

static void fill_all(struct histogram *histogram, struct bytes words, uint64_t buckets,
		     const struct capacity *capacity, uint64_t excess)
{
	uint64_t symbol = 0, count, passed = 0, given = 0, *numbers = histogram->numbers;

	for (uint64_t i = 0; i < buckets; i++) {
		uint64_t until;

		next_bucket(&words, i == 0, &symbol, &count);
		passed += (((uint64_t)1 << sequence_raw_bits((unsigned)symbol)) - 1) * count;
		until = capacity->all == 0
				? 0
				: (uint64_t)((__uint128_t)excess * passed / capacity->all);
		fill(numbers, count, sequence_least((unsigned)symbol), until - given);
		given = until;
		numbers += count;
	}
}

int histogram_read(struct histogram *histogram, uint32_t most, struct bytes *words,
		   struct bump *bump)
{
	uint64_t buckets = bytes_varint(words), excess;
	struct bytes begin = *words;
	struct capacity capacity;

	if (words->bad || buckets > SEQUENCE_SYMBOLS || !measure(words, buckets, most, &capacity))
		return -EBADMSG;
	excess = capacity.all > 0 ? bytes_varint(words) : 0;
	if (words->bad || excess > capacity.all)
		return -EBADMSG;
	histogram->numbers = bump_take(bump, capacity.count, sizeof(*histogram->numbers));
	if (!histogram->numbers)
		return -ENOBUFS;
	histogram->count = histogram->left = capacity.count;
	histogram->at = 0;
	histogram->step = capacity.count > 0 ? step_through(capacity.count) : 0;
	fill_all(histogram, begin, buckets, &capacity, excess);
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct {
	uint64_t numbers[3000];
	uint8_t words[1 << 16];
	_Alignas(16) uint8_t memory[1 << 16];
	struct histogram_work work;
} histogram_test;

static int histogram_test_read(size_t size, struct histogram *histogram)
{
	struct bytes words = bytes_of(histogram_test.words, size);
	struct bump bump = {histogram_test.memory, sizeof(histogram_test.memory)};
	int error = histogram_read(histogram, 3000, &words, &bump);

	return error ? error : bytes_left(&words) ? -E2BIG : 0;
}

/* Each bucket has as many as before, and the sum is the same. */
static void histogram_test_case(uint32_t count)
{
	struct varints words = varints_in(histogram_test.words, sizeof(histogram_test.words));
	static int balance[SEQUENCE_SYMBOLS];
	struct histogram histogram;
	uint64_t sum = 0, number;
	size_t size;

	memset(balance, 0, sizeof(balance));
	for (uint32_t i = 0; i < count; i++) {
		sum += histogram_test.numbers[i];
		balance[sequence_symbol(histogram_test.numbers[i])]++;
	}
	histogram_write(&histogram_test.work, histogram_test.numbers, count, &words);
	size = (size_t)(words.p - histogram_test.words);
	REQUIRE(!words.full);
	REQUIRE(histogram_test_read(size, &histogram) == 0);
	while (histogram_next(&histogram, &number)) {
		sum -= number;
		balance[sequence_symbol(number)]--;
	}
	EXPECT_EQ(sum, 0);
	for (unsigned i = 0; i < SEQUENCE_SYMBOLS; i++)
		EXPECT_EQ(balance[i], 0);
	for (size_t cut = 0; cut < size; cut += 1 + size / 100)
		EXPECT_EQ(histogram_test_read(cut, &histogram), -EBADMSG);
}

TEST_CASE(histogram_keeps_buckets_and_sum)
{
	uint64_t state = 1;

	histogram_test_case(0);
	for (uint32_t count = 1; count <= 3000; count = count * 3 / 2 + 1) {
		for (uint32_t i = 0; i < count; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			histogram_test.numbers[i] = (state >> 33) >> (state >> 20) % 31;
		}
		histogram_test_case(count);
		for (uint32_t i = 0; i < count; i++)
			histogram_test.numbers[i] = 1000;
		histogram_test_case(count);
	}
}

TEST_CASE(histogram_spreads_sizes)
{
	struct varints words = varints_in(histogram_test.words, sizeof(histogram_test.words));
	struct histogram histogram;
	uint64_t number, sum = 0;
	unsigned wrong = 0;

	for (uint32_t i = 0; i < 1000; i++)
		histogram_test.numbers[i] = i < 900 ? 10 : 100;
	histogram_write(&histogram_test.work, histogram_test.numbers, 1000, &words);
	REQUIRE(histogram_test_read((size_t)(words.p - histogram_test.words), &histogram) == 0);
	for (uint32_t i = 1; i <= 1000; i++) {
		REQUIRE(histogram_next(&histogram, &number));
		sum += number;
		wrong += sum > 19u * i + 900 || sum + 900 < 19u * i;
	}
	EXPECT_EQ(wrong, 0); /* never more than ten of the large ones too many or too few */
}
#endif
