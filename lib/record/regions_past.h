/* SPDX-License-Identifier: MIT */
/*
 * regions_past.h - regions (regions.h) of which the program says itself when they began and ended.
 */
#ifndef RECORDER_RECORD_REGIONS_PAST_H
#define RECORDER_RECORD_REGIONS_PAST_H

#include <stdint.h>

struct recorder_site;

/* As region_begin() and region_end(), but at a time of the past, in ns since 1970. -ERANGE: something that the thread has recorded ended later; as records are in order of their ends it is in the trace as long as it was, but as late as that. */
int region_begin_at(struct recorder_site *site, int64_t unix_ns, uintptr_t caller);
int region_end_at(struct recorder_site *site, int64_t unix_ns);

#endif
