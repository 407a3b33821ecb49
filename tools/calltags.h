/* SPDX-License-Identifier: MIT */
/*
 * calltags.h - epoch, step and sample of calls in outputs: what the regions around a call say of these, if it does not say it itself.
 */
#ifndef RECORDER_TOOLS_CALLTAGS_H
#define RECORDER_TOOLS_CALLTAGS_H

#include <stdbool.h>

#include "output.h"

#include <recorder/reader.h>

struct calltags;

/* `mixed`: records of all streams will come, and not stream by stream. NULL: the trace has no tags, or errno is ENOMEM. */
struct calltags *calltags_new(struct reader *trace, bool mixed);
void calltags_free(struct calltags *tags);

/* Looks up what holds in a call beside its own arguments. 1: something does; 0: nothing; or a negative errno. */
int calltags_find(struct calltags *tags, const struct recorder_record *record);
/* Calls `put` for each of those of the call looked up last: "epoch", 1. */
void calltags_each(const struct calltags *tags,
		   void (*put)(void *data, const char *name, int64_t value), void *data);
/* ,"epoch":1,"step":3 */
void calltags_json(const struct calltags *tags, struct output *output);

#endif
