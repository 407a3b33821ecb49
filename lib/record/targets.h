/* SPDX-License-Identifier: MIT */
/*
 * targets.h - functions that the user names: RECORDER_TARGETS, RECORDER_ARGUMENTS, RECORDER_RESULTS.
 *
 *	f   C.m   C::m   mod.f   mod:C.m   libfoo.so:bar   file.py:LINE   globs in all parts
 *
 * A target may be one of the program's functions (lib/native) and one of Python's (lib/pycalls) at once: each judges it by its own names, and says here what it
 * found. The first match of a target is written into the LM at once; a target that nothing matches is there at the end, with the names met that are
 * most like it, and `recorder run` tells of it when all processes have ended.
 *
 * Nothing here is done in a process without targets.
 */
#ifndef RECORDER_RECORD_TARGETS_H
#define RECORDER_RECORD_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/target_text.h"

#define TARGETS_MAX 256u   /* and as many requests */
#define TARGET_NEAR_MAX 3u /* names that are told of a target without a match */

/* How many there are; 0 is found by one look. The first call reads the settings, those that come after it need not wait. */
unsigned targets_count(void);
const struct target *target_at(unsigned number);
unsigned targets_arguments(void);
const struct target_request *target_argument_at(unsigned number);
unsigned targets_results(void);
const struct target_request *target_result_at(unsigned number);

/* A function of that target is there. Not under locks of the recorder: it may open the stream. */
void target_matched(unsigned number);
/* Whether any target has no match yet: else targets_offer() is of no use. */
bool targets_seek(void);
/* A name that no target means: is it one that somebody may have meant? */
void targets_offer(const char *name);
/* Calls `visit` for each target that has no match; `near`: the names most like it, NULL behind the last. */
void targets_each_unmatched(void (*visit)(void *data, unsigned number, const struct target *target,
					  const char *const near[TARGET_NEAR_MAX]),
			    void *data);
/* In a forked child: its stream is another one, which names its matches anew. */
void targets_forked(void);

#endif
