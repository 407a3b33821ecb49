/* SPDX-License-Identifier: MIT */
/*
 * buffer.h - bytes that grow at their end. Running out of memory ends the process.
 */
#ifndef RECORDER_TOOLS_BUFFER_H
#define RECORDER_TOOLS_BUFFER_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory is an empty one. */
struct buffer {
	uint8_t *bytes; /* NULL as long as nothing was needed */
	size_t size, capacity;
};

/* Room for `size` more bytes at the end, which do not belong to the buffer yet. */
uint8_t *buffer_room(struct buffer *buffer, size_t size);
/* Has `size` bytes, which are yet to be filled. */
uint8_t *buffer_resize(struct buffer *buffer, size_t size);
void buffer_add(struct buffer *buffer, const void *bytes, size_t size);
void buffer_add_text(struct buffer *buffer, const char *text);
void buffer_add_varint(struct buffer *buffer, uint64_t value);
/* Empty again; the memory stays. */
void buffer_clear(struct buffer *buffer);
void buffer_release(struct buffer *buffer);

#endif
