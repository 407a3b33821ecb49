/* SPDX-License-Identifier: MIT */
/* sum_record.h - calls of an interval that the kernel has added up as a raw record, format/sums.h, and its function as a definition. */
#ifndef RECORDER_SYSTEM_SUM_RECORD_H
#define RECORDER_SYSTEM_SUM_RECORD_H

#include "format/sums.h"
#include "system/call_record.h"
#include "system/function_record.h"

union sum_record_room {
	struct raw_record record;
	uint8_t bytes[sizeof(struct raw_record) + SUM_ARGS * 8];
};

/* The id that the sum's function has in all streams. */
uint16_t sum_record_function(const struct call_sum *sum);
/* Has the stream know it; `names`: those of the program's functions. */
void sum_record_define(struct watched_stream *stream, const struct call_sum *sum,
		       const struct function_name *names);
/* `file`: the stream's id, 0 none; `interval`: ns; `after`: when the thread's record before this one ended; `queue`: ns, of requests to disks. */
void sum_record_make(union sum_record_room *room, const struct sum_event *event, uint32_t file,
		     uint64_t interval, uint64_t after, uint64_t queue);

#endif
