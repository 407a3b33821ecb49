/* SPDX-License-Identifier: MIT */
/* ans.c - see ans.h */
#include "format/ans.h"

/* The states of a symbol lie apart from each other by this, modulo their number: odd, so that each is met once. */
static uint32_t distance(uint32_t size)
{
	return (size >> 1) + (size >> 3) + 3;
}

/* Its share of `size`, rounded, at least 1. */
static uint32_t share(uint32_t occurred, uint64_t sum, uint32_t size)
{
	uint64_t part = ((uint64_t)occurred * size + sum / 2) / sum;

	return part ? (uint32_t)part : 1;
}

/* The symbol that a unit less, or more, harms least: the most frequent one. */
static unsigned most_frequent(const uint16_t *scaled, unsigned symbols)
{
	unsigned most = 0;

	for (unsigned s = 1; s < symbols; s++)
		if (scaled[s] > scaled[most])
			most = s;
	return most;
}

/* Gives what is missing to the most frequent symbols, or takes from them what is too much: it harms them least. */
static void settle(uint16_t *scaled, unsigned symbols, int64_t missing)
{
	while (missing) {
		uint16_t *most = &scaled[most_frequent(scaled, symbols)];
		int64_t part = missing;

		if (part < -(*most / 2))
			part = -(*most / 2);
		*most = (uint16_t)(*most + part);
		missing -= part;
	}
}

bool ans_scale(const uint32_t *occurred, unsigned symbols, unsigned log, uint16_t *scaled)
{
	uint32_t size = 1u << log, used = 0;
	int64_t missing = size;
	uint64_t sum = 0;

	for (unsigned s = 0; s < symbols; s++) {
		sum += occurred[s];
		used += occurred[s] > 0;
	}
	if (used > size || used == 0)
		return false;
	for (unsigned s = 0; s < symbols; s++) {
		scaled[s] = occurred[s] ? (uint16_t)share(occurred[s], sum, size) : 0;
		missing -= scaled[s];
	}
	settle(scaled, symbols, missing);
	return true;
}

void ans_spread(const uint16_t *scaled, unsigned symbols, unsigned log, uint16_t *symbol_of)
{
	uint32_t size = 1u << log, at = 0;

	for (unsigned s = 0; s < symbols; s++)
		for (uint32_t i = 0; i < scaled[s]; i++) {
			symbol_of[at] = (uint16_t)s;
			at = (at + distance(size)) & (size - 1);
		}
}

void ans_steps(const uint16_t *scaled, unsigned symbols, unsigned log, const uint16_t *symbol_of,
	       struct ans_step *steps, uint16_t *next)
{
	uint32_t size = 1u << log, begin = 0;

	for (unsigned s = 0; s < symbols; s++) {
		unsigned most = scaled[s] > 1 ? log - ans_log(scaled[s] - 1u) : log;

		steps[s].bits = (most << 16) - ((uint32_t)scaled[s] << most);
		steps[s].first = (int32_t)begin; /* where its next state goes, for now */
		begin += scaled[s];
	}
	for (uint32_t state = 0; state < size; state++)
		next[steps[symbol_of[state]].first++] = (uint16_t)(size + state);
	for (unsigned s = 0; s < symbols; s++)
		steps[s].first -= 2 * scaled[s];
}

void ans_table(uint16_t *scaled, unsigned log, const uint16_t *symbol_of, struct ans_entry *table)
{
	uint32_t size = 1u << log;

	for (uint32_t state = 0; state < size; state++) {
		uint32_t left = scaled[symbol_of[state]]++;
		unsigned bits = log - ans_log(left);

		table[state].base = (uint16_t)((left << bits) - size);
		table[state].bits = (uint8_t)bits;
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

#define ANS_TEST_SYMBOLS 300u
#define ANS_TEST_COUNT 5000u

struct ans_test {
	uint32_t occurred[ANS_TEST_SYMBOLS];
	uint16_t scaled[ANS_TEST_SYMBOLS], symbol_of[ANS_STATES_MAX], next[ANS_STATES_MAX];
	struct ans_step steps[ANS_TEST_SYMBOLS];
	struct ans_entry table[ANS_STATES_MAX];
	uint16_t symbols[ANS_TEST_COUNT];
	uint8_t bytes[ANS_TEST_COUNT * 8 + 16];
};

/* Symbols with `raw` bits behind each there and back; the bits that they took, 0: it went wrong. */
static uint64_t ans_test_round(struct ans_test *t, unsigned log, unsigned raw)
{
	struct bits_out out = {.p = t->bytes};
	struct bits_in in = {.bytes = t->bytes};
	uint64_t mask = ((uint64_t)1 << raw) - 1, total;
	uint32_t state = 1u << log;

	memset(t->occurred, 0, sizeof(t->occurred));
	for (unsigned i = 0; i < ANS_TEST_COUNT; i++)
		t->occurred[t->symbols[i]]++;
	if (!ans_scale(t->occurred, ANS_TEST_SYMBOLS, log, t->scaled))
		return 0;
	ans_spread(t->scaled, ANS_TEST_SYMBOLS, log, t->symbol_of);
	ans_steps(t->scaled, ANS_TEST_SYMBOLS, log, t->symbol_of, t->steps, t->next);
	for (unsigned i = ANS_TEST_COUNT; i-- > 0;) {
		state = ans_add(&out, state, &t->steps[t->symbols[i]], t->next);
		bits_flush(&out);
		bits_write(&out, i * 0x9E3779B97F4A7C15u & mask, raw);
	}
	bits_write(&out, state - (1u << log), log);
	total = in.left = (uint64_t)(out.p - t->bytes) * 8 + out.count;
	ans_table(t->scaled, log, t->symbol_of, t->table);
	state = (uint32_t)bits_read(&in, log);
	for (unsigned i = 0; i < ANS_TEST_COUNT; i++) {
		const struct ans_entry *entry = &t->table[state];

		if (t->symbol_of[state] != t->symbols[i] ||
		    bits_read(&in, raw) != (i * 0x9E3779B97F4A7C15u & mask))
			return 0;
		state = entry->base + (uint32_t)bits_read(&in, entry->bits);
	}
	return in.bad || in.left || state ? 0 : total;
}

TEST_CASE(ans_round_trips)
{
	static struct ans_test t;
	uint32_t random = 1;

	/* one symbol takes nothing */
	EXPECT_EQ(ans_test_round(&t, 11, 0), 11);
	t.symbols[7] = 299;
	EXPECT(ans_test_round(&t, 11, 0) < 120);
	for (unsigned width = 1; width <= 300; width += 23) {
		for (unsigned i = 0; i < ANS_TEST_COUNT; i++) {
			random = random * 1664525 + 1013904223;
			t.symbols[i] = (uint16_t)((random >> 16) % width * ((random >> 8) % 3) / 2);
		}
		EXPECT(ans_test_round(&t, 9, 0) > 0);
		EXPECT(ans_test_round(&t, 11, 5) > 0);
		EXPECT(ans_test_round(&t, 11, 48) > 0);
	}
}

TEST_CASE(ans_scales)
{
	uint32_t occurred[600] = {[3] = 1, [9] = UINT32_MAX, [10] = 1};
	uint16_t scaled[600];

	REQUIRE(ans_scale(occurred, 600, 9, scaled));
	EXPECT_EQ(scaled[3], 1);
	EXPECT_EQ(scaled[9], 510);
	EXPECT_EQ(scaled[4], 0);
	for (unsigned i = 0; i < 512; i++)
		occurred[i] = 1 + i / 511 * 1000000;
	REQUIRE(ans_scale(occurred, 600, 9, scaled));
	EXPECT_EQ(scaled[511], 1);
	occurred[599] = 1;
	EXPECT(!ans_scale(occurred, 600, 9, scaled));
	memset(occurred, 0, sizeof(occurred));
	EXPECT(!ans_scale(occurred, 600, 9, scaled));
}

TEST_CASE(ans_reads_no_further)
{
	static const uint8_t bytes[16] = {0xff, 0x0f};
	struct bits_in in = {.bytes = bytes, .left = 12};

	EXPECT_EQ(bits_read(&in, 5), 31);
	EXPECT_EQ(bits_read(&in, 0), 0);
	EXPECT(!in.bad);
	EXPECT_EQ(bits_read(&in, 8), 0);
	EXPECT(in.bad && in.left == 0);
}
#endif
