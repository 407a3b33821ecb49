/* SPDX-License-Identifier: MIT */
/*
 * counting.h - names that differ in a number, such as those that a loop makes: "part.0041", "part.0042".
 */
#ifndef RECORDER_FORMAT_COUNTING_H
#define RECORDER_FORMAT_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTING_DIGITS 18u /* at most; of longer numbers the last ones */

/* Where the last number of a name lies; both are the same if it has none. */
struct counting_place {
	size_t begin, end;
};

struct counting_place counting_find(const uint8_t *name, size_t size);
/*
 * The step from one name to another of the same size that differs only in its last number, which lies at `place`, if that became larger in as many digits; 0: they
 * differ otherwise, or not at all.
 */
uint64_t counting_step(const uint8_t *from, const uint8_t *to, size_t size,
		       struct counting_place place);
/* Makes the last number of a name larger. False, and the name is undefined: it has none, or not enough digits. */
bool counting_add(uint8_t *name, size_t size, uint64_t step);

#endif
