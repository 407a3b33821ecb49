/* SPDX-License-Identifier: MIT */
/*
 * ans.h - an entropy coder for symbols with raw bits behind them: tabled asymmetric numeral systems (J. Duda, arXiv:1311.2540). As dense as arithmetic coding, so
 * that a symbol which is nearly always the same costs next to nothing, and decoded by one table access.
 *
 * The frequencies of all symbols are scaled to 1 << log. A state is a number of so many bits. To read a symbol: the table says for each state which symbol it
 * is, how many bits come then, and to what they are added to give the next state.
 *
 * Writing goes from the last symbol to the first, reading forward; so the bits are read from the end of the stream to its begin:
 *
 *	writing, for i = n - 1 ... 0     ans_add(symbol i), bits_write(raw bits i)
 *	at the end                       bits_write(state)
 *	reading, at first                state = bits_read()
 *	for i = 0 ... n - 1              the symbol of the state, bits_read(raw bits i), state = base + bits_read(bits of the state)
 *
 * The reader's last state is the writer's first, which is 0.
 */
#ifndef RECORDER_FORMAT_ANS_H
#define RECORDER_FORMAT_ANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ANS_LOG_MAX 11u
#define ANS_STATES_MAX (1u << ANS_LOG_MAX)

/* The place of the highest bit of a number that is not 0. */
static inline unsigned ans_log(uint64_t number)
{
	return 63u - (unsigned)__builtin_clzll(number);
}

/*
 * Scales how often each symbol occurred to a sum of 1 << log; what occurred at all keeps 1 or more. False: there are more different symbols than
 * that, or none.
 */
bool ans_scale(const uint32_t *occurred, unsigned symbols, unsigned log, uint16_t *scaled);
/* The symbol of each of the 1 << log states. */
void ans_spread(const uint16_t *scaled, unsigned symbols, unsigned log, uint16_t *symbol_of);

/* ---- writing ---- */

/* How a symbol changes the state. */
struct ans_step {
	uint32_t bits; /* (state + bits) >> 16 of the state are written */
	int32_t first; /* what is left of the state, plus this, is the place of the next one in the list */
};

/* Steps for each symbol, and the list: 1 << log states. */
void ans_steps(const uint16_t *scaled, unsigned symbols, unsigned log, const uint16_t *symbol_of,
	       struct ans_step *steps, uint16_t *next);

/* Bits, from the low one of the first byte on. The buffer must have eight bytes more than are written. */
struct bits_out {
	uint8_t *p;
	uint64_t bits;
	unsigned count; /* of `bits`, below 8 after bits_flush() */
};

/* `bits` must have room: 64 bits in all. */
static inline void bits_add(struct bits_out *out, uint64_t bits, unsigned count)
{
	out->bits |= bits << out->count;
	out->count += count;
}

static inline void bits_flush(struct bits_out *out)
{
	memcpy(out->p, &out->bits, sizeof(out->bits));
	out->p += out->count >> 3;
	out->bits >>= out->count & ~7u;
	out->count &= 7;
}

/* At most 48 bits at a time. */
static inline void bits_write(struct bits_out *out, uint64_t bits, unsigned count)
{
	bits_add(out, bits, count);
	bits_flush(out);
}

/*
 * Adds a symbol, at most ANS_LOG_MAX bits. `state` is that of the reader plus 1 << log, its size; which is what it is at first. Returns the state after it.
 */
static inline uint32_t ans_add(struct bits_out *out, uint32_t state, const struct ans_step *step,
			       const uint16_t *next)
{
	uint32_t count = (state + step->bits) >> 16;

	bits_add(out, state & ((1u << count) - 1), count);
	return next[(int32_t)(state >> count) + step->first];
}

/* ---- reading ---- */

/* What is read in a state. A number is its symbol's least one and raw bits, see sequence.h. */
struct ans_entry {
	uint16_t base;  /* of the next state */
	uint8_t bits;   /* how many come to be added to it */
	uint8_t count;  /* of these and the symbol's raw bits, which come before them */
	uint32_t least; /* what the raw bits are added to */
};

/*
 * `base` and `bits` of one entry for each of the 1 << log states. `scaled` has the right sum, and is used up.
 */
void ans_table(uint16_t *scaled, unsigned log, const uint16_t *symbol_of, struct ans_entry *table);

/* From the last bit on. Eight bytes behind the stream must be there to be read. */
struct bits_in {
	const uint8_t *bytes;
	uint64_t left; /* bits not yet read */
	bool bad;      /* more were asked for than there are */
};

/* At most 48 bits at a time; 0 beyond the first one. */
static inline uint64_t bits_read(struct bits_in *in, unsigned count)
{
	uint64_t bits;

	if (__builtin_expect(in->left < count, 0)) {
		in->left = 0;
		in->bad = true;
		return 0;
	}
	in->left -= count;
	memcpy(&bits, in->bytes + (in->left >> 3), sizeof(bits));
	return bits >> (in->left & 7) & (((uint64_t)1 << count) - 1);
}

#endif
