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

/* Whether it is what was got last, of which nothing was put back yet. */
static inline bool stdio_can_unget(int character, const FILE *stream)
{
	return stream->_IO_read_ptr > stream->_IO_read_base &&
	       (unsigned char)stream->_IO_read_ptr[-1] == character;
}

static inline int stdio_unget(int character, FILE *stream)
{
	stream->_IO_read_ptr--;
	stream->_flags &= ~_IO_EOF_SEEN;
	return character;
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

/* Whether fflush() has nothing to write, and no place in the file to go back to. Not of wide characters, which lie elsewhere. */
static inline bool stdio_is_flushed(const FILE *stream)
{
	return stream->_IO_write_ptr == stream->_IO_write_base &&
	       stream->_IO_read_ptr == stream->_IO_read_end && stream->_mode <= 0;
}

#endif
