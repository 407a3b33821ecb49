/* SPDX-License-Identifier: MIT */
/*
 * args.h - capturing arguments and results into an open record: one function a class,
 * and one for each kind that needs more (descriptors, FILE *, strings, arrays).
 *
 * All of them are to be called between call_enter() and call_start() (what is known before the call) or between call_stop() and
 * call_leave() (what is known after it), never in between. Blocks (strings, arrays) are appended to the record in the order of calls.
 * Pointers are read without risk: a bad one is stored as "unreadable".
 */
#ifndef RECORDER_RECORD_ARGS_H
#define RECORDER_RECORD_ARGS_H

#include <stdio.h>
#include <sys/uio.h>

#include "record/blocks.h"
#include "record/call.h"
#include "record/descriptors.h"
#include "record/files.h"
#include "record/readable.h"

static inline void arg_int(struct call *call, unsigned index, int64_t value)
{
	call->record->args[index] = (uint64_t)value;
}

static inline void arg_double(struct call *call, unsigned index, double value)
{
	memcpy(&call->record->args[index], &value, sizeof(value));
}

/* Whether, not where, a pointer points, unless RECORDER_LOG_POINTER asks for it. */
void arg_pointer(struct call *call, unsigned index, const void *pointer);

/* A descriptor and the file it stands for now, as a value: of results and elements. */
static inline int64_t fd_pair(int fd)
{
	return (int64_t)pair_make(fd, fd < 0 ? 0 : descriptor_file(fd) & ~FILE_EXCLUDED);
}

/* The same as an argument: a file that is excluded drops the call. */
static inline void arg_fd(struct call *call, unsigned index, int fd)
{
	uint32_t file = descriptor_file(fd);

	if (unlikely(file & FILE_EXCLUDED)) {
		call->record->flags |= RECORD_DROP;
		file = 0;
	}
	call->record->args[index] = pair_make(fd, file);
}

/*
 * Calls on several files: those of the second and each further one come behind arg_next_file(), and behind all of them comes
 * arg_last_file(). The call is dropped if none of them is of interest.
 */
static inline void arg_next_file(struct call *call)
{
	if (!(call->record->flags & RECORD_DROP))
		call->record->flags |= RECORD_KEEP;
	call->record->flags &= (uint8_t)~RECORD_DROP;
}

static inline void arg_last_file(struct call *call)
{
	if (call->record->flags & RECORD_KEEP)
		call->record->flags &= (uint8_t) ~(RECORD_KEEP | RECORD_DROP);
}

#define STREAM_OF_FILE 0x2000 /* glibc's _IO_IS_FILEBUF: _fileno means something in these alone */

/* What fileno(3) would say of what the program passed, which may be NULL: streams of memory and cookies have none. */
static inline int stream_number(const FILE *stream)
{
	bool has_file = stream && readable(stream, sizeof(*stream)) &&
			(stream->_flags & STREAM_OF_FILE) && stream->_fileno >= 0;

	return has_file ? stream->_fileno : stream ? STREAM_WITHOUT_FD : -1;
}

/* FILE *, DIR *: by their descriptors. */
static CALL_INLINE void arg_stream(struct call *call, unsigned index, const FILE *stream)
{
	arg_fd(call, index, stream_number(stream));
}

void arg_dir(struct call *call, unsigned index, void *dir);

/* The first `count` arguments stand: the record ends after them (open without mode). Before any block. */
static inline void arg_only(struct call *call, unsigned count)
{
	call->record->arg_count = (uint8_t)count;
}

/* Bytes that the caller holds itself, not the program: of a string. */
void arg_bytes(struct call *call, unsigned index, const char *bytes, size_t length);
/* The first `stored` bytes of `length`. */
void arg_bytes_of(struct call *call, unsigned index, const char *bytes, size_t stored,
		  size_t length);
/* A path: a string, by which the path filter may drop the call. */
void arg_path(struct call *call, unsigned index, const char *path);
/* A path relative to a directory, which is the argument before it. */
void arg_path_at(struct call *call, unsigned index, int dirfd, const char *path);
/* A zero-terminated string, stored up to STRING_MAX bytes. */
void arg_string(struct call *call, unsigned index, const char *text);
/* What a shell is to run; secrets in it are masked. */
void arg_command(struct call *call, unsigned index, const char *command);
/* An argv: its strings, separated by zero bytes; secrets are masked. */
void arg_strings(struct call *call, unsigned index, char *const strings[]);

/* Arrays, stored up to ARRAY_MAX elements. `count` < 0 counts as 0; NULL is absent. */
void arg_ints(struct call *call, unsigned index, const int *elements, int64_t count);
void arg_longs(struct call *call, unsigned index, const int64_t *elements, int64_t count);
/* arg_parts() of more parts, or of none. */
void arg_parts_slow(struct call *call, unsigned index, const struct iovec *parts, int64_t count);

/* The lengths of the parts of a buffer. */
static CALL_INLINE void arg_parts(struct call *call, unsigned index, const struct iovec *parts,
				  int64_t count)
{
	struct array_block *block;
	uint64_t sum = 0;

	if (unlikely(count < 1 || count > (int64_t)ARRAY_MAX ||
		     !readable(parts, (size_t)count * sizeof(*parts)))) {
		arg_parts_slow(call, index, parts, count);
		return;
	}
	block = array_begin(call, index, parts, (uint32_t)count);
	if (unlikely(!block))
		return;
	for (int64_t i = 0; i < count; i++) {
		block->elements[i] = (int64_t)parts[i].iov_len;
		sum += parts[i].iov_len;
	}
	block->sum = (int64_t)sum;
	array_end(call, index, block, (uint32_t)count, (uint32_t)count);
}

/* Elements that the caller holds itself, not the program: copied without a check, `stored` of `original` elements, no
 * limit but the record's size. */
void arg_array(struct call *call, unsigned index, const int64_t *elements, uint32_t stored,
	       uint32_t original, int64_t sum);
/* An array of `count` elements that lie scattered: `element` tells them one by one. Beyond ARRAY_EACH_MAX it is unreadable. */
#define ARRAY_EACH_MAX 65536
void arg_each(struct call *call, unsigned index, int64_t count,
	      int64_t (*element)(const void *data, uint32_t at), const void *data);
/* One value behind a pointer of the program (an `int *` result), 0 if the pointer is NULL or bad. */
static inline void arg_int_at(struct call *call, unsigned index, const int *pointer)
{
	arg_int(call, index, pointer && readable(pointer, sizeof(*pointer)) ? *pointer : 0);
}

static inline void arg_long_at(struct call *call, unsigned index, const int64_t *pointer)
{
	arg_int(call, index, pointer && readable(pointer, sizeof(*pointer)) ? *pointer : 0);
}

/* Results. `failed`: errno says why, and is stored. */
static inline void result_int(struct call *call, int64_t value, bool failed)
{
	call->record->result = value;
	if (unlikely(failed))
		call->record->outcome = record_outcome(errno, 1);
}

/* A result that is itself an error number, 0 for success. */
static inline void result_errnum(struct call *call, int value)
{
	call->record->result = value;
	call->record->err = value;
}

static inline void result_double(struct call *call, double value)
{
	memcpy(&call->record->result, &value, sizeof(value));
}

/*
 * Seconds that a clock says: a time, as stamps are. It is kept as RECORDER_TIME_RESOLUTION says, in steps of a power of two of a second, so that few of its bits are in use; with summed times it is not kept, as
 * it would be another one in each iteration of a loop.
 */
void result_seconds(struct call *call, double seconds);

/* A descriptor and the file it stands for; a new one must have been made known (descriptors.h) before. */
void result_fd(struct call *call, int fd, bool failed);
void result_stream(struct call *call, FILE *stream);
void result_pointer(struct call *call, const void *pointer, bool failed);

#endif
