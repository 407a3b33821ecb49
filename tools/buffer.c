/* SPDX-License-Identifier: MIT */
/* buffer.c - see buffer.h */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "format/varint.h"
#include "message.h"

uint8_t *buffer_room(struct buffer *buffer, size_t size)
{
	size_t capacity = buffer->capacity ? buffer->capacity : 4096;

	while (capacity - buffer->size < size)
		capacity *= 2;
	if (capacity != buffer->capacity) {
		buffer->bytes = realloc(buffer->bytes, capacity);
		if (!buffer->bytes)
			die("out of memory");
		buffer->capacity = capacity;
	}
	return buffer->bytes + buffer->size;
}

uint8_t *buffer_resize(struct buffer *buffer, size_t size)
{
	buffer_clear(buffer);
	buffer_room(buffer, size);
	buffer->size = size;
	return buffer->bytes;
}

void buffer_add(struct buffer *buffer, const void *bytes, size_t size)
{
	uint8_t *room = buffer_room(buffer, size);

	if (size > 0)
		memcpy(room, bytes, size);
	buffer->size += size;
}

void buffer_add_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

void buffer_add_varint(struct buffer *buffer, uint64_t value)
{
	uint8_t *room = buffer_room(buffer, VARINT_MAX);

	buffer->size += (size_t)(varint_put(room, value) - room);
}

void buffer_clear(struct buffer *buffer)
{
	buffer->size = 0;
}

void buffer_release(struct buffer *buffer)
{
	free(buffer->bytes);
	memset(buffer, 0, sizeof(*buffer));
}
