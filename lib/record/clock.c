/* SPDX-License-Identifier: MIT */
/* clock.c - choice of the counter, anchors, granule. */
#include "record/clock.h"

#include "record/sys.h"

#define ANCHOR_TRIES 6
#define GRANULE_TRIES 16
#define GRANULE_MIN 4 /* a smaller common divisor is chance, not a coarse counter */

bool clock_is_monotonic;
static unsigned granule = 1;
static struct anchor first_anchor;

static int64_t read_clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t clock_monotonic_ticks(void)
{
	return (uint64_t)read_clock(CLOCK_MONOTONIC);
}

/* The kernel itself keeps time by the TSC only where it is constant, does not stop and agrees between cores. */
static bool counter_is_trusted(void)
{
#if defined(__x86_64__)
	static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char name[8] = "";
	int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	sys_read(fd, name, sizeof(name) - 1);
	sys_close(fd);
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

/* The tightest of a few brackets of CLOCK_MONOTONIC between two ticks. */
static void bracket_monotonic(struct anchor *anchor)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < ANCHOR_TRIES; i++) {
		uint64_t before = clock_ticks();
		int64_t mono = read_clock(CLOCK_MONOTONIC);
		uint64_t after = clock_ticks();

		if (after - before >= best)
			continue;
		best = after - before;
		anchor->ticks = before + best / 2;
		anchor->mono = mono;
	}
}

struct anchor clock_anchor(void)
{
	struct anchor anchor = {0, 0, 0};
	int64_t before, real, after;

	bracket_monotonic(&anchor);
	before = read_clock(CLOCK_MONOTONIC);
	real = read_clock(CLOCK_REALTIME);
	after = read_clock(CLOCK_MONOTONIC);
	anchor.real = real - (before + (after - before) / 2) + anchor.mono;
	if (clock_is_monotonic)
		anchor.ticks = (uint64_t)anchor.mono;
	return anchor;
}

void clock_init(void)
{
	clock_is_monotonic = !counter_is_trusted();
	granule = clock_is_monotonic ? 1 : detect_granule();
	first_anchor = clock_anchor();
}

struct anchor clock_first_anchor(void)
{
	return first_anchor;
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
