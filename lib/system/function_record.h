/* SPDX-License-Identifier: MIT */
/*
 * function_record.h - a call of one of the program's functions that the kernel told of as a raw record, and the function as a definition.
 *
 * The functions are those that the user named (layer native): their names are found when the recording begins, and are in a stream that has met them.
 */
#ifndef RECORDER_SYSTEM_FUNCTION_RECORD_H
#define RECORDER_SYSTEM_FUNCTION_RECORD_H

#include "bpf/kernel_events.h"
#include "system/watched_stream.h"

#define FUNCTION_RECORDS_MAX 2048u

struct function_name {
	const char *name;
	const char *category; /* the library that it is of; NULL: the program's own */
};

/* The id that it has in all streams. `number` is less than FUNCTION_RECORDS_MAX. */
uint16_t function_record_id(uint32_t number);
/* The same of sums of its calls. */
uint16_t function_record_sum_id(uint32_t number);
/* Has the stream know it. */
void function_record_define(struct watched_stream *stream, uint32_t number,
			    const struct function_name *name);
void function_record_make(struct raw_record *record, const struct function_event *event);

#endif
