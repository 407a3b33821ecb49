/* SPDX-License-Identifier: MIT */
/* instant.h - what time it is, in nanoseconds. */
#ifndef RECORDER_TOOLS_INSTANT_H
#define RECORDER_TOOLS_INSTANT_H

#include <stdint.h>
#include <time.h>

/* By CLOCK_REALTIME since 1970, by CLOCK_MONOTONIC since the machine began. */
static inline int64_t instant_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
