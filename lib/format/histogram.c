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

void histogram_move(struct histogram_counts *to, struct histogram_counts *from)
{
	for (unsigned symbol = 0; symbol < SEQUENCE_SYMBOLS; symbol++)
		to->counts[symbol] += from->counts[symbol];
	to->excess += from->excess;
	memset(from, 0, sizeof(*from));
}

uint32_t histogram_put(const struct histogram_counts *histogram, struct varints *words)
{
	unsigned last = 0, used = 0;

	for (unsigned symbol = 0; symbol < SEQUENCE_SYMBOLS; symbol++)
		used += histogram->counts[symbol] > 0;
	varints_put(words, used);
	for (unsigned symbol = 0; symbol < SEQUENCE_SYMBOLS; symbol++) {
		if (histogram->counts[symbol] == 0)
			continue;
		varints_put(words, symbol - last);
		varints_put(words, histogram->counts[symbol] - 1);
		last = symbol;
	}
	if (last >= HISTOGRAM_SINGLE)
		varints_put(words, histogram->excess);
	return used;
}

/* ---- reading ---- */

/* What the numbers can be more than the least ones of their buckets. */
struct capacity {
	uint64_t all;
	uint32_t count; /* numbers */
	bool in_parts;  /* how large its buckets are */
};

/* Of a bucket: how much more than the least one a number can be. */
static uint64_t most_more(const struct capacity *capacity, uint64_t symbol)
{
	uint64_t least = sequence_least((unsigned)symbol);

	if (!capacity->in_parts)
		return ((uint64_t)1 << sequence_raw_bits((unsigned)symbol)) - 1;
	return least < HISTOGRAM_SINGLE
		       ? 0
		       : ((uint64_t)1 << (ans_log(least) - HISTOGRAM_PARTS_LOG)) - 1;
}

/* Whether a bucket begins with the symbol. */
static bool is_bucket(const struct capacity *capacity, uint64_t symbol)
{
	return !capacity->in_parts || histogram_bucket(sequence_least((unsigned)symbol)) == symbol;
}

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

	for (uint64_t i = 0; i < buckets; i++) {
		uint64_t more;

		if (!next_bucket(words, i == 0, &symbol, &count) || !is_bucket(capacity, symbol) ||
		    count > most - capacity->count)
			return false;
		more = most_more(capacity, symbol);
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

/* What is known of a bucket when those before it were passed. */
struct bucket {
	uint64_t symbol, count;
	uint64_t share; /* what its numbers are together more than the least ones */
	uint64_t passed,
		shared; /* sums of all up to this one: what they could be more, what they are */
};

/* Buckets were looked at before: they are right. */
static void take_bucket(struct bucket *bucket, struct bytes *words, bool first, uint64_t excess,
			const struct capacity *capacity)
{
	uint64_t before = bucket->shared;

	next_bucket(words, first, &bucket->symbol, &bucket->count);
	bucket->passed += most_more(capacity, bucket->symbol) * bucket->count;
	if (capacity->all > 0)
		bucket->shared = (uint64_t)((__uint128_t)excess * bucket->passed / capacity->all);
	bucket->share = bucket->shared - before;
}

static void fill_all(struct histogram *histogram, struct bytes words, uint64_t buckets,
		     uint64_t excess, const struct capacity *capacity)
{
	struct bucket bucket = {0};
	uint64_t *numbers = histogram->numbers;

	for (uint64_t i = 0; i < buckets; i++) {
		take_bucket(&bucket, &words, i == 0, excess, capacity);
		fill(numbers, bucket.count, sequence_least((unsigned)bucket.symbol), bucket.share);
		numbers += bucket.count;
	}
}

/* Reads how many buckets there are, and passes over them and the excess. *begin is set to where they stand. 0 or -EBADMSG. */
static int read_sizes(struct bytes *words, uint32_t most, uint64_t *buckets, struct bytes *begin,
		      struct capacity *capacity, uint64_t *excess)
{
	*buckets = bytes_varint(words);
	*begin = *words;
	if (words->bad || *buckets > SEQUENCE_SYMBOLS || !measure(words, *buckets, most, capacity))
		return -EBADMSG;
	*excess = capacity->all > 0 ? bytes_varint(words) : 0;
	return words->bad || *excess > capacity->all ? -EBADMSG : 0;
}

static void begin_dealing(struct histogram *histogram, uint32_t count)
{
	histogram->count = histogram->left = count;
	histogram->at = 0;
	histogram->step = count > 0 ? step_through(count) : 0;
}

int histogram_read(struct histogram *histogram, uint32_t most, struct bytes *words,
		   struct bump *bump)
{
	uint64_t buckets, excess;
	struct bytes begin;
	struct capacity capacity = {0};
	int error = read_sizes(words, most, &buckets, &begin, &capacity, &excess);

	if (error)
		return error;
	histogram->numbers = bump_take(bump, capacity.count, sizeof(*histogram->numbers));
	if (!histogram->numbers)
		return -ENOBUFS;
	begin_dealing(histogram, capacity.count);
	fill_all(histogram, begin, buckets, excess, &capacity);
	return 0;
}

/* ---- parts ---- */

static void add_run(struct histogram_runs *runs, uint64_t value, uint64_t count)
{
	if (count == 0)
		return;
	runs->numbers += count;
	runs->runs[runs->count++] = (struct histogram_run){value, runs->numbers};
}

int histogram_read_runs(struct histogram_runs *runs, uint32_t most, struct bytes *words,
			struct bump *bump)
{
	uint64_t buckets, excess;
	struct bytes begin;
	struct capacity capacity = {.in_parts = true};
	struct bucket bucket = {0};
	int error = read_sizes(words, most, &buckets, &begin, &capacity, &excess);

	if (error)
		return error;
	*runs = (struct histogram_runs){.buckets = (uint32_t)buckets};
	runs->runs = bump_take(bump, 2 * buckets, sizeof(*runs->runs));
	if (!runs->runs)
		return -ENOBUFS;
	for (uint64_t i = 0; i < buckets; i++) {
		uint64_t least, larger;

		take_bucket(&bucket, &begin, i == 0, excess, &capacity);
		least = sequence_least((unsigned)bucket.symbol) + bucket.share / bucket.count;
		larger = bucket.share % bucket.count;
		add_run(runs, least, bucket.count - larger);
		add_run(runs, least + 1, larger);
	}
	return 0;
}

/* How many of the first `numbers` are in the part. */
static uint64_t share_before(struct histogram_share share, uint64_t numbers)
{
	uint64_t groups = numbers / share.each;
	uint64_t taken = groups > share.which ? (groups - share.which - 1) / share.of + 1 : 0;

	return taken * share.each + (groups % share.of == share.which ? numbers % share.each : 0);
}

uint64_t histogram_sum(const struct histogram_runs *runs, struct histogram_share share)
{
	uint64_t sum = 0, before = 0;

	for (uint32_t i = 0; i < runs->count; i++) {
		uint64_t until = share_before(share, runs->runs[i].end);

		sum += (until - before) * runs->runs[i].value;
		before = until;
	}
	return sum;
}

int histogram_deal(struct histogram *histogram, const struct histogram_runs *runs,
		   struct histogram_share share, struct bump *bump)
{
	uint64_t count = share_before(share, runs->numbers), at = 0;

	histogram->numbers = bump_take(bump, count, sizeof(*histogram->numbers));
	if (!histogram->numbers)
		return -ENOBUFS;
	begin_dealing(histogram, (uint32_t)count);
	for (uint32_t i = 0; i < runs->count; i++)
		for (uint64_t end = share_before(share, runs->runs[i].end); at < end; at++)
			histogram->numbers[at] = runs->runs[i].value;
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

/* All parts together are the whole, bucket by bucket. */
static void histogram_test_parts(uint32_t groups, uint32_t each, uint32_t parts)
{
	static struct histogram_counts counts;
	static int balance[SEQUENCE_SYMBOLS];
	struct varints words = varints_in(histogram_test.words, sizeof(histogram_test.words));
	struct bump bump = {histogram_test.memory, sizeof(histogram_test.memory)};
	struct bytes from;
	struct histogram_runs runs;
	uint64_t sum = 0, number;

	memset(&counts, 0, sizeof(counts));
	memset(balance, 0, sizeof(balance));
	for (uint32_t i = 0; i < groups * each; i++) {
		histogram_add(&counts, histogram_test.numbers[i]);
		balance[histogram_bucket(histogram_test.numbers[i])]++;
		sum += histogram_test.numbers[i];
	}
	histogram_put(&counts, &words);
	from = bytes_of(histogram_test.words, (size_t)(words.p - histogram_test.words));
	REQUIRE(histogram_read_runs(&runs, groups * each, &from, &bump) == 0);
	EXPECT_EQ(bytes_left(&from), 0);
	EXPECT_EQ(runs.numbers, groups * each);
	for (uint32_t part = 0; part < parts; part++) {
		struct histogram_share share = {each, part, parts};
		struct bump room = bump;
		struct histogram histogram;
		uint64_t whole = histogram_sum(&runs, share);

		REQUIRE(histogram_deal(&histogram, &runs, share, &room) == 0);
		EXPECT_EQ(histogram.count, (groups / parts + (part < groups % parts)) * each);
		while (histogram_next(&histogram, &number)) {
			whole -= number;
			sum -= number;
			balance[histogram_bucket(number)]--;
		}
		EXPECT_EQ(whole, 0);
	}
	EXPECT_EQ(sum, 0);
	for (unsigned i = 0; i < SEQUENCE_SYMBOLS; i++)
		EXPECT_EQ(balance[i], 0);
}

TEST_CASE(histogram_parts_are_the_whole)
{
	uint64_t state = 1;

	for (uint32_t i = 0; i < 3000; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		histogram_test.numbers[i] = (state >> 33) >> (state >> 20) % 31;
	}
	for (uint32_t groups = 1; groups < 500; groups = groups * 3 + 2)
		for (uint32_t each = 1; each < 7; each++)
			for (uint32_t parts = 1; parts <= groups; parts = parts * 2 + 1)
				histogram_test_parts(groups, each, parts);
}
#endif
