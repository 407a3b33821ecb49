/* SPDX-License-Identifier: MIT */
/*
 * units.h - ticks into units of time: T() of doc/format.md section 5.
 */
#ifndef RECORDER_FORMAT_UNITS_H
#define RECORDER_FORMAT_UNITS_H

#include <stdint.h>

struct units {
	uint64_t unit, phase;       /* ticks */
	uint64_t reciprocal, exact; /* of the unit, and up to which numbers; see units_of() */
};

static inline struct units units_make(uint64_t unit, uint64_t phase)
{
	return (struct units){unit, phase, UINT64_MAX / unit + 1, unit > 1 ? UINT64_MAX / unit : 0};
}

/*
 * T(ticks), by a multiplication with 2^64 / unit, rounded up. As that is too large by less than unit / 2^64, the high half of its product with a number x is
 * x / unit exactly as long as x * unit is below 2^64.
 */
static inline uint64_t units_of(const struct units *units, uint64_t ticks)
{
	uint64_t rest = ticks - units->phase;

	/* also where the difference is negative: `exact` is at most 2^63 */
	if (__builtin_expect(rest >= units->exact, 0))
		return ticks <= units->phase ? 0 : rest / units->unit;
	return (uint64_t)((__uint128_t)rest * units->reciprocal >> 64);
}

#endif
