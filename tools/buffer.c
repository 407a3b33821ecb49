/* SPDX-License-Identifier: MIT */
/* buffer.c - see buffer.h */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "format/huge_pages.h"
#include "format/varint.h"
#include "message.h"

uint8_t *buffer_room(struct buffer *buffer, size_t size)
{
	size_t capacity = buffer->capacity ? buffer->capacity : 4096;

	while (capacity - buffer->size < size)
		capacity *= 2;
	if (capacity != buffer->capacity) {
		buffer->bytes = huge_pages_grow(buffer->bytes, buffer->size, capacity);
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

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(buffers_keep_their_bytes_however_large_they_grow)
{
	uint32_t count = 3 * HUGE_PAGE / sizeof(count), number, wrong = 0;
	struct buffer buffer = {0};

	for (uint32_t i = 0; i < count; i++)
		buffer_add(&buffer, &i, sizeof(i));
	EXPECT_EQ(buffer.size, count * sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&number, buffer.bytes + i * sizeof(number), sizeof(number));
		wrong += number != i;
	}
	EXPECT_EQ(wrong, 0);
	buffer_release(&buffer);
}
#endif
