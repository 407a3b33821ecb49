/* SPDX-License-Identifier: MIT */
/*
 * event_tags.h - epoch, step and sample among the arguments of events: what regions around a call say of these, if it does not say it itself.
 */
#ifndef RECORDER_TOOLS_EVENT_TAGS_H
#define RECORDER_TOOLS_EVENT_TAGS_H

#include <stdbool.h>

#include "output.h"

#include <recorder/reader.h>

struct event_tags;

/* `mixed`: records of all streams will come, and not stream by stream. NULL: the trace has no tags, or errno is ENOMEM. */
struct event_tags *event_tags_new(struct reader *trace, bool mixed);
void event_tags_free(struct event_tags *tags);

/* Looks up what holds in a call beside its own arguments. 1: something does; 0: nothing; or a negative errno. */
int event_tags_find(struct event_tags *tags, const struct recorder_record *record);
/* ,"epoch":1,"step":3 of the call looked up last. */
void event_tags_put(const struct event_tags *tags, struct output *output);

#endif
