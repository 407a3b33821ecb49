/* SPDX-License-Identifier: MIT */
/* clock_reading.c - see clock_reading.h */
#include "system/clock_reading.h"

#include <time.h>

#define TRIES 5

static uint64_t ns_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t counter(void)
{
#if defined __x86_64__
	return __builtin_ia32_rdtsc();
#elif defined __aarch64__
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

static struct clock_reading read_once(void)
{
	uint64_t before = ns_of(CLOCK_MONOTONIC), after;
	struct clock_reading reading;

	reading.boot = ns_of(CLOCK_BOOTTIME);
	reading.tsc = counter();
	reading.realtime = ns_of(CLOCK_REALTIME);
	after = ns_of(CLOCK_MONOTONIC);
	reading.monotonic = before + (after - before) / 2;
	reading.bound = after - before;
	return reading;
}

struct clock_reading clock_reading_now(void)
{
	struct clock_reading best = read_once();

	for (int i = 1; i < TRIES; i++) {
		struct clock_reading next = read_once();

		if (next.bound < best.bound)
			best = next;
	}
	return best;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(a_reading_lies_within_its_bound)
{
	uint64_t before = ns_of(CLOCK_MONOTONIC), boot = ns_of(CLOCK_BOOTTIME);
	struct clock_reading first = clock_reading_now(), second = clock_reading_now();
	uint64_t after = ns_of(CLOCK_MONOTONIC);

	EXPECT(first.monotonic >= before && second.monotonic <= after);
	EXPECT(first.boot >= boot && second.boot > first.boot);
	EXPECT(second.monotonic > first.monotonic);
#if defined __x86_64__ || defined __aarch64__
	EXPECT(second.tsc > first.tsc);
#endif
}
#endif
