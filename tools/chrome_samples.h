/* SPDX-License-Identifier: MIT */
/*
 * chrome_samples.h - samples in Chrome JSON, as viewers show counters: a track for each thing that was sampled and each of its numbers; and what these amount to, as shares and rates over time (usage.h), which is what one
 * looks at.
 *
 *	{"name":"disk sda","cat":"sample","ph":"C","pid":7,"tid":7,"ts":1.250,"args":{"reads":5,"reads_merged":0}}
 *	{"name":"disks, bytes/s","cat":"usage","ph":"C","pid":7,"tid":7,"ts":1.250,"args":{"read":1024000,"written":0}}
 */
#ifndef RECORDER_TOOLS_CHROME_SAMPLES_H
#define RECORDER_TOOLS_CHROME_SAMPLES_H

#include "outputs.h"

/* A record of a sampler, on that lane. */
void chrome_put_sample(struct out_events *events, const struct recorder_record *record,
		       uint32_t tid);
/* Of all samples of the trace from `begin` to `end`, ns since its start; nothing if it has none. 0 or a negative errno. */
int chrome_put_usage(struct out_events *events, struct reader *trace, int64_t begin, int64_t end);

#endif
