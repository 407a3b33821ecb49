/* SPDX-License-Identifier: MIT */
/*
 * readings.h - instants that who records from outside has read on all clocks of a machine, doc/format.md section 8: CLOCK_MONOTONIC, which stamps of the kernel are; CLOCK_BOOTTIME; CLOCK_REALTIME; and the CPU's counter, which
 * processes have that record themselves.
 *
 * By them the times of such processes come to lie on the kernel's clock, and it is known how well. They also tell when the machine slept, and when somebody set the time of day. They come from a file: none of them is believed
 * that contradicts what the process itself has read.
 */
#ifndef RECORDER_READ_READINGS_H
#define RECORDER_READ_READINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/wire.h"
#include "read/metafile.h"
#include "read/timeline.h"

struct reading {
	int64_t mono, boot, real; /* ns */
	int64_t ticks;            /* of the CPU's counter, 0: it has none */
	int64_t bound;            /* ns: the four were read within */
};

/* Of a machine; zeroed memory has none. */
struct readings {
	struct reading *list; /* by mono, once they are sorted */
	uint32_t count, capacity;
	bool any; /* there were some, believed or not */
};

/* Those of an LM. 0 or -ENOMEM. */
int readings_add(struct readings *readings, const struct metadata *lm);
/* When all are added. */
void readings_sort(struct readings *readings);
void readings_release(struct readings *readings);

/* Makes a finished timeline, of a counter whose rate is known, one that goes through them. 0 or -ENOMEM. */
int readings_refine(const struct readings *readings, struct timeline *timeline);

/* How far times of the line may be off CLOCK_MONOTONIC of the kernel, by the readings that it believes, ns; -1: there are none. */
int64_t readings_error(const struct readings *readings, const struct timeline *timeline);

/* What else they tell of the clocks. */
struct readings_events {
	unsigned sleeps, steps;
	int64_t slept;   /* ns in all */
	int64_t stepped; /* ns, of the largest step of CLOCK_REALTIME */
};
struct readings_events readings_events(const struct readings *readings);

#endif
