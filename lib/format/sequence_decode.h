/* SPDX-License-Identifier: MIT */
/* sequence_decode.h - reads sequences of numbers (sequence.h). */
#ifndef RECORDER_FORMAT_SEQUENCE_DECODE_H
#define RECORDER_FORMAT_SEQUENCE_DECODE_H

#include "format/bump.h"
#include "format/sequence.h"
#include "format/varint.h"

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
