/* SPDX-License-Identifier: MIT */
/*
 * clock_source.h - whether the CPU's counter can be trusted: it is constant, does not stop, and agrees between cores.
 *
 * On x86 the kernel knows, and its own clock tells:
 *
 *	clock source "tsc"		the kernel keeps time by the counter itself
 *	kvm-clock, Hyper-V's, Xen's	the host says by what line its guest shall compute time from the counter. Where that line holds for all cores,
 *					as it does where the host keeps time by the counter, clock_gettime(2) is answered without the kernel
 *	others, or a line for each core	only the kernel can answer
 *
 * So the counter is trusted where the clock is computed from it in user space. No file says that: what tells is that the answer comes sooner than the
 * kernel could give it, two times at least. The line may change when a host moves its guest to another one; readers go from one anchor to the next.
 *
 * aarch64 has one counter, which is all this.
 */
#ifndef RECORDER_RECORD_CLOCK_SOURCE_H
#define RECORDER_RECORD_CLOCK_SOURCE_H

#include "record/clock.h"
#include "record/sys.h"

#define CLOCK_SOURCE_FILE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define CLOCK_SOURCE_ROOM 8
#define CLOCK_SOURCE_TRIES 4 /* in the first one pages may be missing */

/* Tells a clock in ns. */
typedef int64_t clock_teller(clockid_t clock);

static inline int64_t clock_source_by_kernel(clockid_t clock)
{
	struct timespec now = {0, 0};

	sys_raw(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
	return now.tv_nsec;
}

/* Ticks in which CLOCK_MONOTONIC was told, the shortest of some tries. */
static inline uint64_t clock_source_ticks_to_tell(clock_teller *tell)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < CLOCK_SOURCE_TRIES; i++) {
		uint64_t before = clock_counter(), ticks;

		tell(CLOCK_MONOTONIC);
		ticks = clock_counter() - before;
		least = ticks < least ? ticks : least;
	}
	return least;
}

/* `name`: what CLOCK_SOURCE_FILE says, or ""; `tell`: how clocks are told where the kernel need not be asked. */
static inline bool clock_source_is_counter(const char *name, clock_teller *tell)
{
#if defined(__x86_64__)
	if (name[0] == 't' && name[1] == 's' && name[2] == 'c')
		return true;
	return clock_source_ticks_to_tell(tell) <=
	       clock_source_ticks_to_tell(clock_source_by_kernel) / 2;
#else
	(void)name, (void)tell, (void)clock_source_ticks_to_tell;
	return true;
#endif
}

#endif
