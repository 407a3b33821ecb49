/* SPDX-License-Identifier: MIT */
/* clock.c - choice of the counter, anchors, granule. */
#include "record/clock.h"

#include <stdatomic.h>

#include "record/clock_source.h"
#include "record/float_state.h"
#include "record/opaque.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/vdso.h"

#define READINGS 12
#define GRANULE_STEPS 64

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
	return test_clock(vdso_clock_ns(id));
}

int64_t clock_mono(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_monotonic_ticks(void)
{
	return (uint64_t)read_clock(CLOCK_MONOTONIC);
}

static bool counter_is_trusted(void)
{
	char name[CLOCK_SOURCE_ROOM];

	sys_read_file(CLOCK_SOURCE_FILE, name, sizeof(name));
	return clock_source_is_counter(name, vdso_clock_ns);
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

/*
 * Distances between readings that are more or less far from each other, by some granules: where most are one granule apart, a counter that is scaled may split every eighth of them, and where
 * most are two apart these would be taken for the granule.
 */
static void take_steps(uint32_t steps[GRANULE_STEPS])
{
	uint64_t before = clock_counter();

	for (unsigned i = 0; i < GRANULE_STEPS; i++) {
		uint64_t now;

		for (unsigned wait = 0; wait < i % 8 * 16; wait++)
			__asm__ volatile("");
		now = clock_counter();
		steps[i] = now - before < UINT32_MAX ? (uint32_t)(now - before) : UINT32_MAX;
		before = now;
	}
}

static unsigned count_equal(const uint32_t steps[GRANULE_STEPS], uint32_t step)
{
	unsigned count = 0;

	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		count += steps[i] == step;
	return count;
}

/*
 * What divides all common steps, if it divides most of all: a counter that a hypervisor scales goes 26 ticks at a time but for some steps
 * of 25 and of 1.
 */
static unsigned granule_of(const uint32_t steps[GRANULE_STEPS])
{
	unsigned whole = 0;
	uint64_t divisor = 0;

	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		if (count_equal(steps, steps[i]) >= GRANULE_STEPS / 8)
			divisor = greatest_divisor(steps[i], divisor);
	for (unsigned i = 0; divisor && i < GRANULE_STEPS; i++)
		whole += steps[i] % divisor == 0;
	return divisor >= GRANULE_MIN && whole >= GRANULE_STEPS * 3 / 4 ? (unsigned)divisor : 1;
}

static unsigned detect_granule(void)
{
	uint32_t steps[GRANULE_STEPS];
	unsigned found = 1;

	for (unsigned tries = 0; tries < 2 && found == 1; tries++) {
		take_steps(steps);
		found = granule_of(steps);
	}
	return found;
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

static OPAQUE struct anchor settle_at_rate(const struct reading readings[READINGS],
					   const struct reading now[READINGS],
					   int64_t real_distance)
{
	return settle(readings, rate_until(now), real_distance);
}

/* The anchor of readings, with a tick being worth what it was until `now`. */
static struct anchor anchor_of(const struct reading readings[READINGS],
			       const struct reading now[READINGS], int64_t real_distance)
{
	struct float_state state = float_state_begin();
	struct anchor anchor = settle_at_rate(readings, now, real_distance);

	float_state_end(state);
	return anchor;
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
	anchor = anchor_of(first_readings, now, first_real);
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
	return anchor_of(now, now, read_real_distance());
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

#ifdef UNIT_TEST
#include "unittest.h"

#include <math.h>

#define STEPS 10000
#define SAMPLES 100
#define SAMPLE_PAUSE 5000000 /* ns */

/* But for steps that a hypervisor splits in two. */
TEST_CASE(counter_goes_in_steps_of_the_granule)
{
	uint32_t steps[GRANULE_STEPS];
	unsigned off = 0;

	clock_init();
	for (unsigned k = 0; k < STEPS / GRANULE_STEPS; k++) {
		take_steps(steps);
		for (unsigned i = 0; i < GRANULE_STEPS; i++)
			off += steps[i] % clock_granule() != 0;
	}
	EXPECT_LE(off, STEPS / 4);
}

TEST_CASE(granule_divides_common_steps)
{
	uint32_t steps[GRANULE_STEPS];

	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		steps[i] = i % 5 ? 26 : 52;
	EXPECT_EQ(granule_of(steps), 26);
	steps[7] = 25;
	steps[8] = 1;
	steps[20] = 70001;
	EXPECT_EQ(granule_of(steps), 26);
	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		steps[i] = i % 2 ? 52 : 78;
	EXPECT_EQ(granule_of(steps), 26);
	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		steps[i] = 20 + 2 * (i % 4);
	EXPECT_EQ(granule_of(steps), 1);
	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		steps[i] = 20 + i;
	EXPECT_EQ(granule_of(steps), 1);
	for (unsigned i = 0; i < GRANULE_STEPS; i++)
		steps[i] = i % 3 == 0;
	EXPECT_EQ(granule_of(steps), 1);
}

/* The granule, or what the counter goes by at least where that is more (an emulator's, by a microsecond that is no whole number of ticks). */
static uint64_t resolution(void)
{
	uint64_t before = clock_ticks(), least = UINT64_MAX;

	for (int i = 0; i < STEPS; i++) {
		uint64_t now = clock_ticks();

		if (now > before && now - before < least)
			least = now - before;
		before = now;
	}
	return least > granule && least < UINT64_MAX ? least : granule;
}

/* CLOCK_MONOTONIC at some ticks, by the line through two anchors, in ns after the first. */
static double along(const struct anchor *a, const struct anchor *b, uint64_t ticks)
{
	return (double)(ticks - a->ticks) * (double)(b->mono - a->mono) /
	       (double)(b->ticks - a->ticks);
}

/* By how many ns the line misses the narrowest window of each sample at most. */
static double line_is_off_by(void)
{
	static struct reading samples[SAMPLES][READINGS];
	struct anchor first, last;
	double off = 0;

	clock_init();
	for (int i = 0; i < SAMPLES; i++) {
		struct timespec pause = {0, SAMPLE_PAUSE};

		sys_nanosleep(&pause);
		take_readings(samples[i]);
	}
	last = clock_anchor();
	first_state = FIRST_OPEN;
	first = clock_first_anchor();
	for (int i = 0; i < SAMPLES; i++) {
		const struct reading *sample = narrowest(samples[i]);
		double mono = (double)(sample->mono - first.mono);

		off = fmax(off, along(&first, &last, sample->before) - mono);
		off = fmax(off, mono - along(&first, &last, sample->after));
	}
	return off;
}

/* Not so while the system's clock is being adjusted: so there are three tries. */
TEST_CASE(two_anchors_tell_all_times_between_to_a_granule)
{
	double step, off = 0;

	for (int i = 0; i < 3; i++) {
		struct anchor first, last;

		off = line_is_off_by();
		first = clock_first_anchor();
		last = clock_anchor();
		step = along(&first, &last, first.ticks + resolution());
		if (off <= (step > 1 ? step : 1))
			return;
	}
	test_failed(__FILE__, __LINE__, "off by %.1f ns, granule %u", off, granule);
}
#endif
