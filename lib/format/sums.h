/* SPDX-License-Identifier: MIT */
/*
 * sums.h - a record that is no call but the sum of many: of one thread, one function, one file and one interval of time.
 *
 * It is a record of a function with the layer and name of those calls, whose result is of kind `sum` and whose arguments are SUM_ARGS as they stand here. It has no duration: tstart and tend are when it
 * was stored, at or after the begin of its interval, which is `back` ns earlier. So it may stand anywhere among a thread's calls, and every reader that knows no sums has a record with arguments.
 */
#ifndef RECORDER_FORMAT_SUMS_H
#define RECORDER_FORMAT_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/kinds.h"

struct packer;

enum sum_arg {
	SUM_FILE,
	SUM_COUNT,
	SUM_TIME,
	SUM_INTERVAL,
	SUM_BACK,
	SUM_BYTES,
	SUM_QUEUE,
	SUM_ARGS
};
#define SUM_COMMON_ARGS SUM_QUEUE /* of functions that have no queue */

struct sum_parameter {
	const char *name;
	enum kind kind;
};
extern const struct sum_parameter sum_parameters[SUM_ARGS];

struct sum {
	uint32_t file;     /* id of a FILE, 0 none */
	uint64_t count;    /* of calls */
	uint64_t time;     /* in them, ns */
	uint64_t interval; /* ns */
	uint64_t back;     /* from the record to the interval's begin, ns */
	int64_t bytes;     /* -1: the function moves none */
	int64_t queue; /* ns of `time` in which requests to a disk had to wait; -1: they are none */
};

/* The arguments of such a record; returns how many it has. */
unsigned sum_put(uint64_t args[SUM_ARGS], const struct sum *sum);
/* The payload of the FUNCTION; `queues`: its sums have SUM_QUEUE. */
void def_sum_pack(struct packer *packer, uint16_t id, const char *layer, const char *name,
		  bool queues);

#endif
