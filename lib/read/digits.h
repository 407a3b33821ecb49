/* SPDX-License-Identifier: MIT */
/* digits.h - numbers as decimal digits, two at once. */
#ifndef RECORDER_READ_DIGITS_H
#define RECORDER_READ_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_MAX 20u /* of a number */

/* The digits of `value`, without a zero behind them, into memory that has DIGITS_MAX bytes; how many. */
unsigned digits_put(char *to, uint64_t value);
/* Writes them so that they end at `end`; returns where they begin. */
char *digits_before(char *end, uint64_t value);

extern const char digits_pairs[200];

/* Two digits of a number below 100. */
static inline void digits_pair(char *to, unsigned value)
{
	memcpy(to, digits_pairs + (size_t)value * 2, 2);
}

#endif
