/* SPDX-License-Identifier: MIT */
/* overhead.c - see overhead.h */
#include "record/overhead.h"

#include <stdatomic.h>

#include "record/sys.h"

#define READINGS 64u         /* that the cost of one is measured by */
#define SHORT_MAX (1u << 17) /* ticks: some 50 us */
#define SECOND INT64_C(1000000000)

static _Atomic uint64_t ticks, records;
static _Atomic int64_t cpu; /* ns */

int64_t overhead_begin(void)
{
	return sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void overhead_end(int64_t begin)
{
	atomic_fetch_add_explicit(&cpu, overhead_begin() - begin, memory_order_relaxed);
}

void overhead_between(uint64_t start, uint64_t end)
{
	uint64_t taken = end - start;

	atomic_fetch_add_explicit(&ticks, taken < SHORT_MAX ? taken : SHORT_MAX,
				  memory_order_relaxed);
}

void overhead_records(uint32_t count)
{
	atomic_fetch_add_explicit(&records, count, memory_order_relaxed);
}

/* Ticks that READINGS readings take: the least of some tries, for the thread may be interrupted. */
static uint64_t measure_readings(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned try = 0; try < 3; try++) {
		uint64_t begin = clock_ticks(), taken;

		for (unsigned i = 1; i < READINGS; i++)
			clock_ticks();
		taken = clock_ticks() - begin;
		least = taken < least ? taken : least;
	}
	return least;
}

uint64_t overhead_estimate(const struct anchor *now)
{
	struct anchor first = clock_first_anchor();
	uint64_t a_second = clock_ticks_in(SECOND, &first, now);
	unsigned __int128 all = (unsigned __int128)atomic_load(&records) * OVERHEAD_READINGS *
				measure_readings() / READINGS;

	all += atomic_load(&ticks);
	return (uint64_t)(all * SECOND / a_second) + (uint64_t)atomic_load(&cpu);
}

void overhead_forked(void)
{
	atomic_store(&ticks, 0);
	atomic_store(&records, 0);
	atomic_store(&cpu, 0);
}
