/* SPDX-License-Identifier: MIT */
/*
 * usage_collect.h - reads what was used over time (usage.h) out of a trace: of each node what its sampler told, of the first rank its regions, and what the kernel told (usage_events.h).
 */
#ifndef RECORDER_TOOLS_USAGE_COLLECT_H
#define RECORDER_TOOLS_USAGE_COLLECT_H

#include <recorder/reader.h>

#include "usage.h"

/* The time from `begin` to `end` in so many bins. 0 or a negative errno; *usage has to be released in any case. */
int usage_collect(struct usage *usage, struct reader *trace, int64_t begin, int64_t end,
		  unsigned bins);

#endif
