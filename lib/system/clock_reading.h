/* SPDX-License-Identifier: MIT */
/*
 * clock_reading.h - one instant on four clocks: CLOCK_MONOTONIC, which programs of the kernel and samplers have; CLOCK_BOOTTIME; CLOCK_REALTIME; and the CPU's counter, which processes that record themselves have.
 *
 * Nothing has to be aligned afterwards: who has a time of one clock finds the others between two readings, and `bound` says how well.
 */
#ifndef RECORDER_SYSTEM_CLOCK_READING_H
#define RECORDER_SYSTEM_CLOCK_READING_H

#include <stdint.h>

struct clock_reading {
	uint64_t monotonic, boot, realtime; /* ns */
	uint64_t tsc;                       /* ticks; 0: the CPU has none */
	uint64_t bound;                     /* ns: all four were read within */
};

/* The narrowest of some tries. */
struct clock_reading clock_reading_now(void);

#endif
