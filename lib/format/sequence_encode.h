/* SPDX-License-Identifier: MIT */
/* sequence_encode.h - writes sequences of numbers (sequence.h), each the way that takes fewer bytes. */
#ifndef RECORDER_FORMAT_SEQUENCE_ENCODE_H
#define RECORDER_FORMAT_SEQUENCE_ENCODE_H

#include "format/sequence.h"
#include "format/varint.h"

/* For repetitions of up to four times as many numbers, of which one in eight is looked at: deflate looks 32 KiB back. */
#define SEQUENCE_GUESSES (1u << 12)

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

#endif
