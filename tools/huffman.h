/* SPDX-License-Identifier: MIT */
/*
 * huffman.h - prefix codes as deflate has them (RFC 1951, 3.2.2): made of how often each symbol comes, told by their lengths alone.
 */
#ifndef RECORDER_TOOLS_HUFFMAN_H
#define RECORDER_TOOLS_HUFFMAN_H

#include <stdint.h>

#define HUFFMAN_SYMBOLS 288u /* most of an alphabet */
#define HUFFMAN_LONGEST 15u  /* bits of a code */

struct huffman {
	uint8_t lengths[HUFFMAN_SYMBOLS]; /* bits, 0: it has no code */
	uint16_t codes[HUFFMAN_SYMBOLS];  /* the bit that is written first is the lowest */
};

/*
 * Codes of at most `most` bits (enough for `count` symbols, and at most HUFFMAN_LONGEST) for those that come at all, which is counts[] times. At least two have one, as readers refuse a code
 * of a single symbol. The sum of all counts is below 2^32.
 */
void huffman_make(struct huffman *huffman, const uint32_t *counts, unsigned count, unsigned most);
/* Codes of the lengths that are there. */
void huffman_number(struct huffman *huffman, unsigned count);

#endif
