/* SPDX-License-Identifier: MIT */
/*
 * clock.h - time stamps: readings of the CPU's counter, tied to the system's clocks by anchors.
 *
 * A stamp costs one counter read. What a tick is worth is settled later, by readers, from the anchors taken at the start, with each chunk and at
 * the end; so nothing spins at start. Where the counter cannot be trusted (clock_source.h) ticks are CLOCK_MONOTONIC nanoseconds.
 */
#ifndef RECORDER_RECORD_CLOCK_H
#define RECORDER_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "format/wire.h"
#include "record/hidden.h"

extern HIDDEN bool clock_is_monotonic; /* ticks are nanoseconds of CLOCK_MONOTONIC */

static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#endif
}

/* CLOCK_MONOTONIC, ns. */
int64_t clock_mono(void);
uint64_t clock_monotonic_ticks(void);

static inline uint64_t clock_ticks(void)
{
	if (__builtin_expect(clock_is_monotonic, 0))
		return clock_monotonic_ticks();
	return clock_counter();
}

/* Decides between counter and CLOCK_MONOTONIC and detects the granule; once per process, before any stamp. */
void clock_init(void);

/* "tsc", "cntvct" or "monotonic". */
const char *clock_kind(void);

/* Ticks by which consecutive readings differ at least, 1 if not known. */
unsigned clock_granule(void);

/* One instant on all clocks. */
struct anchor clock_anchor(void);

/* The one taken by clock_init(), from which all rates are measured. */
struct anchor clock_first_anchor(void);
void clock_forked(void);

/* Ticks in `ns` nanoseconds by two anchors of this process, at least 1. Without enough time between them: an estimate. */
uint64_t clock_ticks_in(int64_t ns, const struct anchor *first, const struct anchor *last);

#endif
