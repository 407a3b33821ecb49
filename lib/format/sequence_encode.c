/* SPDX-License-Identifier: MIT */
/* sequence_encode.c - see sequence_encode.h */
#include "format/sequence_encode.h"

#include "format/places.h"

#define PACK_LEAST ((uint32_t)1 << (SEQUENCE_LOG_MIN + SEQUENCE_LOG_MORE))
#define SAMPLE 8u /* one of so many places is looked at for repetitions, of at least so many */
#define SAMPLE_LEAST 2048u

/* Most bytes of the bits of a packed sequence: a symbol of 11 bits and 59 raw ones each, the first state, and what is written over. */
static size_t bits_bound(uint32_t count)
{
	return (size_t)count * 9 + 32;
}

/* A table of more states tells frequencies apart better, and takes longer to be made. 0: the numbers are too few, or too different. */
static unsigned choose_log(uint32_t count, unsigned used)
{
	unsigned most = ans_log(count) - SEQUENCE_LOG_MORE;

	if (most > ANS_LOG_MAX)
		most = ANS_LOG_MAX;
	return used <= (1u << most) / 2 || used == 1 ? most : 0;
}

void sequence_work_init(struct sequence_work *work)
{
	memset(work->occurred, 0, sizeof(work->occurred));
	memset(work->in_turn, 0, sizeof(work->in_turn));
}

/* In two tables in turns: most numbers are like the one before, and a count has to wait until that one's is stored. */
static unsigned count_symbols(struct sequence_work *work, const uint64_t *numbers, uint32_t count)
{
	uint64_t all = 0; /* is at least as large as each */
	unsigned used = 0;

	for (uint32_t i = 0; i + 1 < count; i += 2) {
		work->occurred[sequence_symbol(numbers[i])]++;
		work->in_turn[sequence_symbol(numbers[i + 1])]++;
		all |= numbers[i] | numbers[i + 1];
	}
	if (count % 2) {
		work->occurred[sequence_symbol(numbers[count - 1])]++;
		all |= numbers[count - 1];
	}
	work->symbols = sequence_symbol(all) + 1;
	for (unsigned symbol = 0; symbol < work->symbols; symbol++) {
		work->occurred[symbol] += work->in_turn[symbol];
		work->in_turn[symbol] = 0;
		used += work->occurred[symbol] > 0;
	}
	return used;
}

static void forget_symbols(struct sequence_work *work)
{
	memset(work->occurred, 0, work->symbols * sizeof(*work->occurred));
}

/* How many of the numbers that come after two numbers with such a hash are what came there the last time, and how many there are. */
static uint32_t count_hits(struct sequence_work *work, const uint64_t *numbers, uint32_t count,
			   uint64_t mask, uint32_t *looked_at)
{
	uint32_t known = count / (uint32_t)(mask + 1), hits = 0;
	uint32_t places = places_for(known < SEQUENCE_GUESSES / 2 ? known : SEQUENCE_GUESSES / 2);
	uint64_t one = 0, two = 0;

	*looked_at = 0;
	memset(work->after, 0, places * sizeof(*work->after));
	for (uint32_t i = 0; i < count; i++) {
		uint64_t hash = one * 0x9E3779B97F4A7C15u ^ two * 0xC2B2AE3D27D4EB4Fu;

		two = one;
		one = numbers[i];
		if ((hash >> 32 & mask) == 0) {
			uint32_t *guess = &work->after[hash >> 48 & (places - 1)];
			uint32_t number = (uint32_t)(one ^ one >> 32);

			++*looked_at;
			hits += *guess == number;
			*guess = number;
		}
	}
	return hits;
}

/* Whether most numbers are what came the last time after the two before them. Then deflate finds the repetitions. Of many different ones every eighth place tells. */
static bool repeats(struct sequence_work *work, const uint64_t *numbers, uint32_t count)
{
	uint32_t looked_at, hits;

	if (count >= SAMPLE_LEAST) {
		hits = count_hits(work, numbers, count, SAMPLE - 1, &looked_at);
		if (looked_at >= count / (2 * SAMPLE) && looked_at <= count / SAMPLE * 2)
			return hits > looked_at / 2;
	}
	hits = count_hits(work, numbers, count, 0, &looked_at);
	return hits > looked_at / 2;
}

static void put_table(const struct sequence_work *work, unsigned used, unsigned log,
		      struct varints *words)
{
	unsigned before = 0;

	varints_put(words, used);
	varints_byte(words, (uint8_t)log);
	for (unsigned symbol = 0; symbol < work->symbols; symbol++) {
		if (!work->scaled[symbol])
			continue;
		varints_put(words, symbol - before);
		varints_put(words, work->scaled[symbol] - 1u);
		before = symbol;
	}
}

/* Always inline, as those below: what is written, and the state, stay in registers. */
static inline uint32_t put_symbol(struct bits_out *out, uint32_t state,
				  const struct sequence_work *work, unsigned symbol)
{
	return ans_add(out, state, &work->steps[symbol], work->next);
}

static inline __attribute__((always_inline)) uint32_t put_large(struct bits_out *out,
								uint32_t state,
								const struct sequence_work *work,
								uint64_t number)
{
	unsigned raw, symbol = sequence_large_symbol(number, &raw);

	/* read in this order from behind: the high raw bits, the low ones, the state's */
	state = put_symbol(out, state, work, symbol);
	bits_flush(out);
	if (raw > SEQUENCE_RAW_AT_ONCE) {
		bits_write(out, number & UINT32_MAX, SEQUENCE_RAW_AT_ONCE);
		number >>= SEQUENCE_RAW_AT_ONCE;
		raw -= SEQUENCE_RAW_AT_ONCE;
	}
	bits_write(out, number & (((uint64_t)1 << raw) - 1), raw);
	return state;
}

/* Symbols have room for two before they are flushed. */
static inline __attribute__((always_inline)) uint32_t put_number(struct bits_out *out,
								 uint32_t state,
								 const struct sequence_work *work,
								 uint64_t number)
{
	return number < 1u << SEQUENCE_DIRECT_LOG ? put_symbol(out, state, work, (unsigned)number)
						  : put_large(out, state, work, number);
}

/* The last number first. */
static void put_numbers(struct bits_out *to, const struct sequence_work *work,
			const uint64_t *numbers, uint32_t count, unsigned log)
{
	uint32_t a = 1u << log, b = a;
	struct bits_out out = *to;

	for (; count > 1; count -= 2) {
		a = put_number(&out, a, work, numbers[count - 1]);
		b = put_number(&out, b, work, numbers[count - 2]);
		bits_flush(&out);
	}
	if (count)
		a = put_number(&out, a, work, numbers[0]);
	bits_flush(&out);
	bits_write(&out, b - (1u << log), log);
	bits_write(&out, a - (1u << log), log);
	*to = out;
}

static void pack(struct sequence_work *work, const uint64_t *numbers, uint32_t count, unsigned used,
		 unsigned log, struct varints *words, struct varints *bits)
{
	struct bits_out out = {.p = bits->p};
	uint64_t size;

	ans_scale(work->occurred, work->symbols, log, work->scaled);
	ans_spread(work->scaled, work->symbols, log, work->symbol_of);
	ans_steps(work->scaled, work->symbols, log, work->symbol_of, work->steps, work->next);
	put_table(work, used, log, words);
	put_numbers(&out, work, numbers, count, log);
	size = (uint64_t)(out.p - bits->p) * 8 + out.count;
	varints_put(words, size);
	bits->p += (size + 7) / 8;
}

void sequence_write(struct sequence_work *work, const uint64_t *numbers, uint32_t count,
		    enum sequence_nature nature, struct varints *words, struct varints *bits)
{
	unsigned used = 0, log = 0;

	if (count >= PACK_LEAST && (nature == SEQUENCE_NOISE || !repeats(work, numbers, count))) {
		used = count_symbols(work, numbers, count);
		log = choose_log(count, used);
		if (!log)
			forget_symbols(work);
	}
	varints_put(words, (uint64_t)count << 1 | (log > 0));
	if (!log) {
		for (uint32_t i = 0; i < count; i++)
			varints_put(words, numbers[i]);
		return;
	}
	if ((size_t)(bits->end - bits->p) < bits_bound(count))
		bits->full = true;
	else
		pack(work, numbers, count, used, log, words, bits);
	forget_symbols(work);
}
