/* SPDX-License-Identifier: MIT */
/*
 * sequence.h - sequences of numbers, doc/format.md section 5: as varints, to be deflated with what is around them, or packed, that is a symbol for each and
 * raw bits, entropy-coded.
 *
 * Packing is for numbers that are noise around something, such as the durations of one kind of call. Numbers below 128 are symbols themselves. Above, each
 * power of two is divided into 16, and the number in that sixteenth follows as raw bits: what is lost against symbols of their own is little, as
 * the frequencies within a sixteenth differ little.
 */
#ifndef RECORDER_FORMAT_SEQUENCE_H
#define RECORDER_FORMAT_SEQUENCE_H

#include "format/ans.h"
#include "format/bump.h"
#include "format/varint.h"

#define SEQUENCE_DIRECT_LOG 7u
#define SEQUENCE_PARTS_LOG 4u
#define SEQUENCE_SYMBOLS                                                                           \
	((1u << SEQUENCE_DIRECT_LOG) + ((64 - SEQUENCE_DIRECT_LOG) << SEQUENCE_PARTS_LOG))
#define SEQUENCE_LOG_MIN 5u
/* For repetitions of up to four times as many numbers, of which one in eight is looked at: deflate looks 32 KiB back. */
#define SEQUENCE_GUESSES (1u << 12)
/* A packed sequence of tables of 1 << log states has at least 1 << log + this numbers, so that readers need little memory for tables. */
#define SEQUENCE_LOG_MORE 2u

/* ---- symbols ---- */

/* Of a number that is no symbol itself: its symbol, and how many raw bits follow. */
static inline unsigned sequence_large_symbol(uint64_t number, unsigned *raw)
{
	unsigned log = ans_log(number);

	*raw = log - SEQUENCE_PARTS_LOG;
	return (1u << SEQUENCE_DIRECT_LOG) + ((log - SEQUENCE_DIRECT_LOG) << SEQUENCE_PARTS_LOG) +
	       (unsigned)(number >> *raw & ((1u << SEQUENCE_PARTS_LOG) - 1));
}

static inline unsigned sequence_symbol(uint64_t number)
{
	unsigned raw;

	return number < 1u << SEQUENCE_DIRECT_LOG ? (unsigned)number
						  : sequence_large_symbol(number, &raw);
}

static inline unsigned sequence_raw_bits(unsigned symbol)
{
	if (symbol < 1u << SEQUENCE_DIRECT_LOG)
		return 0;
	return ((symbol - (1u << SEQUENCE_DIRECT_LOG)) >> SEQUENCE_PARTS_LOG) +
	       SEQUENCE_DIRECT_LOG - SEQUENCE_PARTS_LOG;
}

/* The least number of a symbol. */
static inline uint64_t sequence_least(unsigned symbol)
{
	unsigned raw = sequence_raw_bits(symbol);

	if (raw == 0)
		return symbol;
	return (uint64_t)((1u << SEQUENCE_PARTS_LOG) | (symbol & ((1u << SEQUENCE_PARTS_LOG) - 1)))
	       << raw;
}

/* ---- writing ---- */

struct sequence_work {
	uint32_t occurred[SEQUENCE_SYMBOLS],
		in_turn[SEQUENCE_SYMBOLS]; /* zeros between sequences */
	unsigned symbols;                  /* there are none above it in the sequence */
	uint16_t scaled[SEQUENCE_SYMBOLS];
	struct ans_step steps[SEQUENCE_SYMBOLS];
	uint16_t symbol_of[ANS_STATES_MAX], next[ANS_STATES_MAX];
	/* what came after two numbers, by their hash; as much is used as the count needs */
	uint32_t after[SEQUENCE_GUESSES];
};

/* What is known of the numbers. */
enum sequence_nature {
	SEQUENCE_NOISE,   /* each is different, with frequencies that tell something */
	SEQUENCE_PATTERN, /* they may repeat; if they do not, they are noise */
};

void sequence_work_init(struct sequence_work *work);

/* The words go to `words`, the bits of packed numbers to `bits`. If there is no room one of them is `full` then, for good. */
void sequence_write(struct sequence_work *work, const uint64_t *numbers, uint32_t count,
		    enum sequence_nature nature, struct varints *words, struct varints *bits);

/* ---- reading ---- */

struct sequence {
	uint32_t left; /* numbers not yet read */
	bool bad;
	struct bytes varints;
	struct bits_in in;
	uint32_t states[2]; /* of the number that is to be read when `left` is odd: the second */
	struct ans_entry *table; /* NULL: not packed */
};

/*
 * Begins with the sequence that is next in `words` and passes over it, and takes its bits from `bits`, behind which eight bytes must be there to be read. The
 * table of a packed one comes from `bump`. 0, -EBADMSG, or -ENOBUFS: there is too little memory.
 */
int sequence_open(struct sequence *sequence, struct bytes *words, struct bytes *bits,
		  struct bump *bump);

/* A number of a symbol that has over 32 bits, or the end of the sequence. */
uint64_t sequence_next_rare(struct sequence *sequence);

#define SEQUENCE_COUNT_LONG                                                                        \
	UINT8_MAX /* `count` of symbols above 32 bits, whose `least` is the symbol */

/* The next number; 0 and `bad` if there is none. */
static inline uint64_t sequence_next(struct sequence *sequence)
{
	const struct ans_entry *entry;
	uint32_t *state;
	uint64_t bits;

	if (__builtin_expect(!sequence->table || sequence->left == 0, 0))
		return sequence_next_rare(sequence);
	state = &sequence->states[sequence->left & 1];
	entry = &sequence->table[*state];
	if (__builtin_expect(entry->count == SEQUENCE_COUNT_LONG, 0))
		return sequence_next_rare(sequence);
	sequence->left--;
	bits = bits_read(&sequence->in, entry->count);
	*state = entry->base + (uint32_t)(bits & (((uint64_t)1 << entry->bits) - 1));
	return entry->least + (bits >> entry->bits);
}

/* The next `count` numbers, of which there are as many. */
void sequence_read(struct sequence *sequence, uint64_t *numbers, uint32_t count);
/* The next `count` numbers of both, in turns. It is faster than one after the other, as each has to wait for what it has read. */
void sequence_read_two(struct sequence *one, struct sequence *other, uint64_t *numbers,
		       uint32_t count);

/* Whether as many were read as were written, and nothing was wrong. */
bool sequence_ended(const struct sequence *sequence);

#endif
