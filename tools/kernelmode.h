/* SPDX-License-Identifier: MIT */
/*
 * kernelmode.h - in which form `recorder system` and `recorder run --system` keep calls: each of them, sums of them by interval, or both: --mode, for `recorder run` --system-mode, and --interval.
 */
#ifndef RECORDER_TOOLS_KERNELMODE_H
#define RECORDER_TOOLS_KERNELMODE_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* Each 0 or -EINVAL. */
int kernelmode_parse(const char *list);
int kernelmode_parse_interval(const char *value);

/* Rows of options; `name`: that of the first, as `recorder run` has another --mode. */
#define KERNELMODE_OPTIONS(name)                                                                   \
	{OPTION_CALL,                                                                              \
	 0,                                                                                        \
	 name,                                                                                     \
	 "MODE",                                                                                   \
	 "trace (default): each call; profile: counts, times and bytes by function, file and "     \
	 "interval; trace,profile",                                                                \
	 NULL,                                                                                     \
	 kernelmode_parse},                                                                        \
	{                                                                                          \
		OPTION_CALL, 0, "interval", "TIME", "of a profile (100ms)", NULL,                  \
			kernelmode_parse_interval                                                  \
	}

bool kernelmode_traces(void);
bool kernelmode_profiles(void);
uint64_t kernelmode_interval(void); /* ns */
/* What is added to CLOCK_MONOTONIC so that intervals begin at multiples of Unix time: machines and runs have the same ones. */
uint64_t kernelmode_shift(void);

#endif
