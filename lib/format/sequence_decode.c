/* SPDX-License-Identifier: MIT */
/* sequence_decode.c - see sequence_decode.h */
#include "format/sequence_decode.h"

#include <errno.h>

/* The frequencies of `used` symbols; false: they are not those of 1 << log states. */
static bool take_table(struct bytes *words, uint16_t *scaled, uint64_t used, unsigned log)
{
	uint64_t symbol = 0, sum = 0;

	for (uint64_t i = 0; i < used && !words->bad; i++) {
		uint64_t distance = bytes_varint(words), frequency = bytes_varint(words);

		if (distance >= SEQUENCE_SYMBOLS || (i > 0 && distance == 0) ||
		    frequency >= ANS_STATES_MAX)
			return false;
		symbol += distance;
		if (symbol >= SEQUENCE_SYMBOLS)
			return false;
		scaled[symbol] = (uint16_t)(frequency + 1);
		sum += frequency + 1;
	}
	return !words->bad && sum == 1u << log;
}

static bool take_bits(struct bytes *words, struct bytes *bits, struct bits_in *in)
{
	uint64_t size = bytes_varint(words);

	if (words->bad || size > (uint64_t)bytes_left(bits) * 8)
		return false;
	in->left = size;
	in->bytes = bytes_take(bits, (size + 7) / 8);
	return in->bytes;
}

static void fill_table(struct ans_entry *table, uint16_t *scaled, unsigned log)
{
	uint16_t symbol_of[ANS_STATES_MAX];

	ans_spread(scaled, SEQUENCE_SYMBOLS, log, symbol_of);
	ans_table(scaled, log, symbol_of, table);
	for (uint32_t state = 0; state < 1u << log; state++) {
		unsigned symbol = symbol_of[state], raw = sequence_raw_bits(symbol);
		uint64_t least = sequence_least(symbol);

		table[state].count = least > UINT32_MAX ? SEQUENCE_COUNT_LONG
							: (uint8_t)(raw + table[state].bits);
		table[state].least = least > UINT32_MAX ? symbol : (uint32_t)least;
	}
}

static int open_packed(struct sequence *sequence, struct bytes *words, struct bytes *bits,
		       struct bump *bump)
{
	uint16_t scaled[SEQUENCE_SYMBOLS] = {0};
	uint64_t used = bytes_varint(words);
	unsigned log = bytes_u8(words);

	if (log < SEQUENCE_LOG_MIN || log > ANS_LOG_MAX || used == 0 ||
	    sequence->left >> SEQUENCE_LOG_MORE < 1u << log ||
	    !take_table(words, scaled, used, log) || !take_bits(words, bits, &sequence->in))
		return -EBADMSG;
	sequence->table = bump_take(bump, 1u << log, sizeof(*sequence->table));
	if (!sequence->table)
		return -ENOBUFS;
	fill_table(sequence->table, scaled, log);
	sequence->states[1] = (uint32_t)bits_read(&sequence->in, log);
	sequence->states[0] = (uint32_t)bits_read(&sequence->in, log);
	return sequence->in.bad ? -EBADMSG : 0;
}

int sequence_open(struct sequence *sequence, struct bytes *words, struct bytes *bits,
		  struct bump *bump)
{
	uint64_t head = bytes_varint(words);

	memset(sequence, 0, sizeof(*sequence));
	if (words->bad || head >> 1 > UINT32_MAX)
		return -EBADMSG;
	sequence->left = (uint32_t)(head >> 1);
	if (head & 1)
		return open_packed(sequence, words, bits, bump);
	if (sequence->left > bytes_left(words))
		return -EBADMSG;
	sequence->varints = *words;
	for (uint32_t i = 0; i < sequence->left && !words->bad; i++)
		bytes_varint(words);
	return words->bad ? -EBADMSG : 0;
}

static uint64_t next_long(struct sequence *sequence)
{
	uint32_t *state = &sequence->states[sequence->left & 1];
	const struct ans_entry *entry = &sequence->table[*state];
	unsigned raw = sequence_raw_bits(entry->least);
	uint64_t number = sequence_least(entry->least);

	if (raw > SEQUENCE_RAW_AT_ONCE) {
		number += bits_read(&sequence->in, raw - SEQUENCE_RAW_AT_ONCE)
			  << SEQUENCE_RAW_AT_ONCE;
		raw = SEQUENCE_RAW_AT_ONCE;
	}
	number += bits_read(&sequence->in, raw);
	*state = entry->base + (uint32_t)bits_read(&sequence->in, entry->bits);
	sequence->left--;
	return number;
}

uint64_t sequence_next_rare(struct sequence *sequence)
{
	if (sequence->left == 0) {
		sequence->bad = true;
		return 0;
	}
	if (sequence->table)
		return next_long(sequence);
	sequence->left--;
	return bytes_varint(&sequence->varints);
}

#define PAIR_BITS 57u /* that are there of any 64 that begin at a byte */

/* A packed sequence in registers, while two numbers at a time are read. */
struct reading {
	const struct ans_entry *table;
	struct bits_in in;
	uint32_t a, b; /* the states of the next number and the one after it */
};

static inline struct reading begin_reading(const struct sequence *sequence)
{
	return (struct reading){sequence->table, sequence->in, sequence->states[sequence->left & 1],
				sequence->states[~sequence->left & 1]};
}

static inline void end_reading(struct sequence *sequence, const struct reading *reading,
			       uint32_t done)
{
	sequence->in = reading->in;
	sequence->states[sequence->left & 1] = reading->a;
	sequence->states[~sequence->left & 1] = reading->b;
	sequence->left -= done;
}

/* One number from the upper bits, entry->count of them, which may be none. */
static inline uint64_t take_number(uint64_t bits, const struct ans_entry *entry, uint32_t *state)
{
	uint64_t taken = bits >> 1 >> (~(unsigned)entry->count & 63);
	uint64_t raw = taken >> entry->bits;

	*state = entry->base + (uint32_t)(taken - (raw << entry->bits));
	return entry->least + raw;
}

/* False: there may be too few bits for two numbers, or too many in them, as in long ones; nothing was read. */
static inline bool read_pair(struct reading *reading, uint64_t *one, uint64_t *other)
{
	const struct ans_entry *first = &reading->table[reading->a];
	const struct ans_entry *second = &reading->table[reading->b];
	unsigned both = (unsigned)first->count + second->count;
	uint64_t left = reading->in.left, bits;

	if (__builtin_expect(left < 64 || both > PAIR_BITS, 0))
		return false;
	memcpy(&bits, reading->in.bytes + (left + 7) / 8 - sizeof(bits), sizeof(bits));
	bits <<= -left & 7;
	*one = take_number(bits, first, &reading->a);
	*other = take_number(bits << first->count, second, &reading->b);
	reading->in.left = left - both;
	return true;
}

/* Reads numbers into every `step`th place. */
static void read_some(struct sequence *sequence, uint64_t *numbers, uint32_t count, size_t step)
{
	uint32_t done = 0;

	while (done < count) {
		struct reading reading = begin_reading(sequence);
		uint32_t begin = done;

		if (sequence->table)
			while (done + 2 <= count && read_pair(&reading, &numbers[done * step],
							      &numbers[(done + 1) * step]))
				done += 2;
		end_reading(sequence, &reading, done - begin);
		if (done < count)
			numbers[done++ * step] = sequence_next(sequence);
	}
}

void sequence_read(struct sequence *sequence, uint64_t *numbers, uint32_t count)
{
	read_some(sequence, numbers, count, 1);
}

void sequence_read_two(struct sequence *one, struct sequence *other, uint64_t *numbers,
		       uint32_t count)
{
	uint32_t done = 0, other_done = 0;

	if (one->table && other->table) {
		struct reading x = begin_reading(one), y = begin_reading(other);

		for (; done + 2 <= count; other_done += 2) {
			uint64_t *to = numbers + 2 * (size_t)done;

			if (!read_pair(&x, to, to + 2))
				break;
			done += 2;
			if (!read_pair(&y, to + 1, to + 3))
				break;
		}
		end_reading(one, &x, done);
		end_reading(other, &y, other_done);
	}
	read_some(one, numbers + 2 * (size_t)done, count - done, 2);
	read_some(other, numbers + 2 * (size_t)other_done + 1, count - other_done, 2);
}

bool sequence_ended(const struct sequence *sequence)
{
	return sequence->left == 0 && !sequence->bad && sequence->in.left == 0 &&
	       !sequence->in.bad && sequence->states[0] == 0 && sequence->states[1] == 0;
}

#ifdef UNIT_TEST
#include "format/sequence_encode.h"
#include "unittest.h"

#define SEQUENCE_TEST_COUNT 3000u

static struct sequence_work sequence_test_work;
static _Alignas(BUMP_ALIGNMENT) struct ans_entry sequence_test_entries[ANS_STATES_MAX];
static struct bump sequence_test_bump(unsigned entries)
{
	return (struct bump){(uint8_t *)sequence_test_entries,
			     entries * sizeof(*sequence_test_entries)};
}

static uint8_t sequence_test_words[SEQUENCE_TEST_COUNT * 10 + 8192];
static uint8_t sequence_test_bits[SEQUENCE_TEST_COUNT * 10 + 64];

/* There and back. The bytes that they took, 0: it went wrong. */
static size_t sequence_test_round(const uint64_t *numbers, uint32_t count,
				  enum sequence_nature nature)
{
	struct varints words = varints_in(sequence_test_words, sizeof(sequence_test_words));
	struct varints bits = varints_in(sequence_test_bits, sizeof(sequence_test_bits));
	struct bump room = sequence_test_bump(ANS_STATES_MAX);
	struct bytes words_in, bits_in;
	struct sequence sequence;

	sequence_write(&sequence_test_work, numbers, count, nature, &words, &bits);
	if (words.full || bits.full)
		return 0;
	words_in = bytes_of(sequence_test_words, (size_t)(words.p - sequence_test_words));
	bits_in = bytes_of(sequence_test_bits, (size_t)(bits.p - sequence_test_bits));
	if (sequence_open(&sequence, &words_in, &bits_in, &room) || bytes_left(&words_in) ||
	    bytes_left(&bits_in))
		return 0;
	for (uint32_t i = 0; i < count; i++)
		if (sequence_next(&sequence) != numbers[i])
			return 0;
	if (!sequence_ended(&sequence))
		return 0;
	sequence_next(&sequence);
	return sequence.bad ? (size_t)(words.p - sequence_test_words) +
				      (size_t)(bits.p - sequence_test_bits)
			    : 0;
}

TEST_CASE(sequence_round_trips)
{
	static uint64_t numbers[SEQUENCE_TEST_COUNT];
	uint64_t random = 1;

	EXPECT_EQ(sequence_test_round(numbers, 0, SEQUENCE_NOISE), 1);
	/* all the same: nothing but the table */
	EXPECT(sequence_test_round(numbers, SEQUENCE_TEST_COUNT, SEQUENCE_NOISE) < 16);
	for (unsigned shift = 0; shift < 64; shift += 7) {
		for (unsigned i = 0; i < SEQUENCE_TEST_COUNT; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			numbers[i] = random >> shift >> i % 5;
		}
		numbers[7] = UINT64_MAX;
		numbers[8] = 0;
		for (uint32_t count = 1; count <= SEQUENCE_TEST_COUNT; count = count * 3 + 1)
			EXPECT(sequence_test_round(numbers, count, SEQUENCE_NOISE) > 0);
		EXPECT(sequence_test_round(numbers, SEQUENCE_TEST_COUNT, SEQUENCE_PATTERN) > 0);
	}
}

/* What repeats is left to deflate. */
TEST_CASE(sequence_patterns)
{
	static uint64_t numbers[SEQUENCE_TEST_COUNT];

	for (unsigned i = 0; i < SEQUENCE_TEST_COUNT; i++)
		numbers[i] = i % 5 * 20;
	EXPECT_EQ(sequence_test_round(numbers, SEQUENCE_TEST_COUNT, SEQUENCE_PATTERN),
		  SEQUENCE_TEST_COUNT + 2);
	EXPECT(sequence_test_round(numbers, SEQUENCE_TEST_COUNT, SEQUENCE_NOISE) < 1000);
}

TEST_CASE(sequence_symbols)
{
	for (unsigned symbol = 0; symbol < SEQUENCE_SYMBOLS; symbol++) {
		uint64_t least = sequence_least(symbol);

		EXPECT_EQ(sequence_symbol(least), symbol);
		EXPECT_EQ(sequence_symbol(least + (((uint64_t)1 << sequence_raw_bits(symbol)) - 1)),
			  symbol);
	}
	EXPECT_EQ(sequence_symbol(UINT64_MAX), SEQUENCE_SYMBOLS - 1);
}

static void sequence_test_read(size_t words_size, size_t bits_size)
{
	struct bump room = sequence_test_bump(ANS_STATES_MAX);
	struct bytes words = bytes_of(sequence_test_words, words_size);
	struct bytes bits = bytes_of(sequence_test_bits, bits_size);
	struct sequence sequence;

	if (sequence_open(&sequence, &words, &bits, &room) == 0)
		for (unsigned i = 0; i < 300; i++)
			sequence_next(&sequence);
}

TEST_CASE(sequence_broken)
{
	uint64_t numbers[200] = {0};
	struct bump less = sequence_test_bump(31), enough = sequence_test_bump(32);
	struct varints words = varints_in(sequence_test_words, sizeof(sequence_test_words));
	struct varints bits = varints_in(sequence_test_bits, sizeof(sequence_test_bits));
	struct bytes words_in, bits_in;
	struct sequence sequence;
	size_t words_size, bits_size;

	for (unsigned i = 0; i < 200; i++)
		numbers[i] = i % 13 * 1000;
	sequence_write(&sequence_test_work, numbers, 200, SEQUENCE_NOISE, &words, &bits);
	words_size = (size_t)(words.p - sequence_test_words);
	bits_size = (size_t)(bits.p - sequence_test_bits);
	REQUIRE(bits_size > 0);
	words_in = bytes_of(sequence_test_words, words_size);
	bits_in = bytes_of(sequence_test_bits, bits_size);
	EXPECT_EQ(sequence_open(&sequence, &words_in, &bits_in, &less), -ENOBUFS);
	words_in = bytes_of(sequence_test_words, words_size);
	bits_in = bytes_of(sequence_test_bits, bits_size);
	EXPECT_EQ(sequence_open(&sequence, &words_in, &bits_in, &enough), 0);
	EXPECT_EQ(enough.left, 0);
	for (size_t at = 0; at < words_size; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			sequence_test_words[at] ^= (uint8_t)(1 << bit);
			sequence_test_read(words_size, bits_size);
			sequence_test_words[at] ^= (uint8_t)(1 << bit);
		}
	for (size_t cut = 0; cut < words_size; cut++)
		sequence_test_read(cut, bits_size);
	for (size_t cut = 0; cut < bits_size; cut++)
		sequence_test_read(words_size, cut);
}

TEST_CASE(sequence_without_room)
{
	uint64_t numbers[200] = {0};
	struct varints words = varints_in(sequence_test_words, 20);
	struct varints bits = varints_in(sequence_test_bits, 8);

	sequence_write(&sequence_test_work, numbers, 200, SEQUENCE_NOISE, &words, &bits);
	EXPECT(bits.full);
	numbers[0] = UINT64_MAX;
	sequence_write(&sequence_test_work, numbers, 100, SEQUENCE_NOISE, &words, &bits);
	EXPECT(words.full && words.p <= words.end);
}
#endif
