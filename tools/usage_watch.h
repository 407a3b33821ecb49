/* SPDX-License-Identifier: MIT */
/*
 * usage_watch.h - readings of a node's sampler (usage_reading.h), one after the other, become values that hold from one sample to the next: what has grown since the last reading of the same device or process is a rate.
 */
#ifndef RECORDER_TOOLS_USAGE_WATCH_H
#define RECORDER_TOOLS_USAGE_WATCH_H

#include "read/index.h"
#include "usage.h"
#include "usage_reading.h"

struct usage_device;

/* While it is read: one round of records is a sample; a round ends where the next begins. */
struct usage_watch {
	struct usage_node *node;
	int64_t round, before; /* times of this sample and of the one before; -1: none */
	double sums[USAGE_COUNT];
	bool known[USAGE_COUNT];
	unsigned gpus_sm, gpus_busy;
	struct usage_device *devices;
	unsigned device_count;
	struct idmap processes;
};

/* The next reading, by time. What there is no memory for is left out. */
void usage_watch_take(const struct usage *usage, struct usage_watch *watch,
		      const struct usage_reading *now);
/* The round of the last sample is complete: its values go to the node. */
void usage_watch_end(const struct usage *usage, struct usage_watch *watch);
/* Frees what it holds; the node is the usage's. */
void usage_watch_release(struct usage_watch *watch);

#endif
