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

#define SEQUENCE_DIRECT_LOG 7u
#define SEQUENCE_PARTS_LOG 4u
#define SEQUENCE_SYMBOLS                                                                           \
	((1u << SEQUENCE_DIRECT_LOG) + ((64 - SEQUENCE_DIRECT_LOG) << SEQUENCE_PARTS_LOG))
#define SEQUENCE_LOG_MIN 5u
/* A packed sequence of tables of 1 << log states has at least 1 << log + this numbers, so that readers need little memory for tables. */
#define SEQUENCE_LOG_MORE 2u
#define SEQUENCE_RAW_AT_ONCE 32u /* more raw bits are in two steps */

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

#endif
