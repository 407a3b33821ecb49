/* SPDX-License-Identifier: MIT */
/* clock.c - choice of the counter, anchors, granule. */
#include "record/clock.h"

#include <stdatomic.h>

#include "record/sys.h"
#include "record/testpoint.h"

#define READINGS 12
#define GRANULE_TRIES 16

enum {
	FIRST_OPEN,
	FIRST_TAKEN,
	FIRST_SETTLED
}; /* first_anchor: unknown, one thread sets it, known */

#define GRANULE_MIN 4 /* a smaller common divisor is chance, not a coarse counter */

bool clock_is_monotonic;
static unsigned granule = 1;
static struct anchor first_anchor;
static _Atomic unsigned first_state; /* FIRST_... */

static int64_t read_clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return test_clock((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
}

int64_t clock_mono(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_monotonic_ticks(void)
{
	return (uint64_t)read_clock(CLOCK_MONOTONIC);
}

/* The kernel itself keeps time by the TSC only where it is constant, does not stop and agrees between cores. */
static bool counter_is_trusted(void)
{
#if defined(__x86_64__)
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char name[8];

	sys_read_file(path, name, sizeof(name));
	return name[0] == 't' && name[1] == 's' && name[2] == 'c';
#else
	return true;
#endif
}

static unsigned greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return (unsigned)a;
}

static unsigned detect_granule(void)
{
	uint64_t before = clock_counter();
	uint64_t divisor = 0;

	for (int i = 0; i < GRANULE_TRIES; i++) {
		uint64_t now = clock_counter();

		if (now - before < 1u << 16) /* else we were interrupted */
			divisor = greatest_divisor(now - before, divisor);
		before = now;
	}
	return divisor >= GRANULE_MIN ? (unsigned)divisor : 1;
}

const char *clock_kind(void)
{
	if (clock_is_monotonic)
		return "monotonic";
#if defined(__x86_64__)
	return "tsc";
#else
	return "cntvct";
#endif
}

unsigned clock_granule(void)
{
	return granule;
}

/* CLOCK_MONOTONIC, read at some tick of before..after. */
struct reading {
	uint64_t before, after;
	int64_t mono;
};

static struct reading first_readings[READINGS];
static int64_t first_real; /* CLOCK_REALTIME minus CLOCK_MONOTONIC */

static void take_readings(struct reading readings[READINGS])
{
	for (int i = 0; i < READINGS; i++) {
		readings[i].before = clock_ticks();
		readings[i].mono = read_clock(CLOCK_MONOTONIC);
		readings[i].after = clock_ticks();
	}
}

static int64_t read_real_distance(void)
{
	int64_t before = read_clock(CLOCK_MONOTONIC);
	int64_t real = read_clock(CLOCK_REALTIME);
	int64_t after = read_clock(CLOCK_MONOTONIC);

	return real - (before + (after - before) / 2);
}

/* The one that was disturbed least: not by a page fault, not by other processes. */
static const struct reading *narrowest(const struct reading readings[READINGS])
{
	const struct reading *best = &readings[0];

	for (int i = 1; i < READINGS; i++)
		if (readings[i].after - readings[i].before < best->after - best->before)
			best = &readings[i];
	return best;
}

/*
 * Each reading says that the line of time passes through a window one bracket wide. The counter moves in coarse steps,
 * so a single window is some 20 ns wide, but where in it the clock was read differs from reading to reading: what all of them agree on
 * is far narrower. `rate`: ns a tick, which matters for the microsecond that the readings took.
 */
static struct anchor settle(const struct reading readings[READINGS], double rate,
			    int64_t real_distance)
{
	uint64_t ticks = readings[0].before;
	int64_t mono = readings[0].mono;
	const struct reading *best = narrowest(readings);
	double low = -1e18, high = 1e18;

	for (int i = 0; i < READINGS; i++) {
		double distance = (double)(readings[i].mono - mono);
		double from = distance - (double)(readings[i].after - ticks) * rate;
		double to = distance - (double)(readings[i].before - ticks) * rate;

		low = from > low ? from : low;
		high = to < high ? to : high;
	}
	if (low > high + 1) { /* the clock was stepped meanwhile */
		ticks = best->before + (best->after - best->before) / 2;
		return (struct anchor){ticks, best->mono, best->mono + real_distance};
	}
	/* rounds to the nearest: the sum is not positive */
	mono += (int64_t)((low + high) / 2 - 0.5);
	return (struct anchor){ticks, mono, mono + real_distance};
}

/* ns a tick, between the first readings and these. */
static double rate_until(const struct reading readings[READINGS])
{
	const struct reading *first = narrowest(first_readings), *now = narrowest(readings);
	double ticks = (double)(now->before - first->before);

	return ticks > 0 ? (double)(now->mono - first->mono) / ticks : 1;
}

/* What a tick is worth is not known at start; it is by the time that anybody asks. */
struct anchor clock_first_anchor(void)
{
	struct reading now[READINGS];
	struct anchor anchor;
	unsigned expected = FIRST_OPEN;

	if (atomic_load_explicit(&first_state, memory_order_acquire) == FIRST_SETTLED)
		return first_anchor;
	take_readings(now);
	anchor = settle(first_readings, rate_until(now), first_real);
	if (atomic_compare_exchange_strong(&first_state, &expected, FIRST_TAKEN)) {
		first_anchor = anchor;
		atomic_store_explicit(&first_state, FIRST_SETTLED, memory_order_release);
	}
	return anchor;
}

void clock_forked(void)
{
	if (first_state == FIRST_TAKEN) /* by a thread that is not here */
		first_state = FIRST_OPEN;
}

struct anchor clock_anchor(void)
{
	struct reading now[READINGS];

	take_readings(now);
	if (clock_is_monotonic) {
		int64_t mono = now[READINGS - 1].mono;

		return (struct anchor){(uint64_t)mono, mono, mono + read_real_distance()};
	}
	return settle(now, rate_until(now), read_real_distance());
}

void clock_init(void)
{
	clock_is_monotonic = test_without("counter") || !counter_is_trusted();
	granule = clock_is_monotonic ? 1 : detect_granule();
	take_readings(first_readings);
	first_real = read_real_distance();
	if (clock_is_monotonic) {
		first_anchor = clock_anchor();
		first_state = FIRST_SETTLED;
	}
}

uint64_t clock_ticks_in(int64_t ns, const struct anchor *first, const struct anchor *last)
{
	uint64_t ticks = last->ticks - first->ticks;
	int64_t elapsed = last->mono - first->mono;
	uint64_t result;

	if (clock_is_monotonic)
		return ns > 0 ? (uint64_t)ns : 1;
	if (elapsed <= 0)
		return granule;
	result = (uint64_t)((__uint128_t)ticks * (uint64_t)ns / (uint64_t)elapsed);
	return result ? result : 1;
}
