/* SPDX-License-Identifier: MIT */
/*
 * stdio_quick.h - characters that are in a stream's buffer: as getc_unlocked() and putc_unlocked() have them, which libc's headers compile into
 * programs. So where they are is part of the binary interface.
 */
#ifndef RECORDER_WRAP_STDIO_QUICK_H
#define RECORDER_WRAP_STDIO_QUICK_H

#include <stdbool.h>
#include <stdio.h>

static inline bool stdio_can_get(const FILE *stream)
{
	return stream->_IO_read_ptr < stream->_IO_read_end;
}

static inline int stdio_get(FILE *stream)
{
	return (unsigned char)*stream->_IO_read_ptr++;
}

static inline bool stdio_can_put(const FILE *stream)
{
	return stream->_IO_write_ptr < stream->_IO_write_end;
}

static inline int stdio_put(int character, FILE *stream)
{
	*stream->_IO_write_ptr++ = (char)character;
	return (unsigned char)character;
}

#endif
