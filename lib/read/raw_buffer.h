/* SPDX-License-Identifier: MIT */
/*
 * raw_buffer.h - raw records in memory, one behind the other.
 */
#ifndef RECORDER_READ_RAW_BUFFER_H
#define RECORDER_READ_RAW_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct raw_record;

/* `reserved0` of decoded records: their times are made up. */
#define RAW_TIMES_SUMMED 1u

/* Zeroed memory is an empty buffer; `records` is to be freed. */
struct raw_buffer {
	uint8_t *records;
	size_t size, capacity;
	uint32_t count;
};

/* Appends one record. 0 or -ENOMEM. */
int raw_buffer_add(struct raw_buffer *buffer, const struct raw_record *record);
/*
 * The calls in flight that a raw open-call stack holds, as far as it is in order: levels rise,
 * nothing is cut.
 */
int raw_buffer_open_calls(struct raw_buffer *buffer, const void *stack, size_t size);

#endif
