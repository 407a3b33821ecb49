/* SPDX-License-Identifier: MIT */
/* raw_buffer.c - see raw_buffer.h */
#include "read/raw_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/raw.h"

int raw_buffer_add(struct raw_buffer *buffer, const struct raw_record *record)
{
	if (record->size > buffer->capacity - buffer->size) {
		size_t capacity = (buffer->capacity + record->size) * 2;
		uint8_t *records = realloc(buffer->records, capacity);

		if (!records)
			return -ENOMEM;
		buffer->records = records;
		buffer->capacity = capacity;
	}
	memcpy(buffer->records + buffer->size, record, record->size);
	buffer->size += record->size;
	buffer->count++;
	return 0;
}

int raw_buffer_open_calls(struct raw_buffer *buffer, const void *stack, size_t size)
{
	struct bytes data = bytes_of(stack, size);
	const struct raw_record *record;
	struct raw_record *copy;

	buffer->size = 0;
	buffer->count = 0;
	while (raw_next(&data, &record) && record->level >= buffer->count) {
		if (raw_buffer_add(buffer, record))
			return -ENOMEM;
		/* Never written there, unlike in a record that is complete. */
		copy = (struct raw_record *)(buffer->records + buffer->size - record->size);
		copy->reserved0 = 0;
		copy->reserved1 = 0;
	}
	return 0;
}
