/* SPDX-License-Identifier: MIT */
/*
 * output.h - a buffered output file that appears whole or not at all.
 *
 * The bytes go to a temporary file beside the final one, which takes the final name in
 * output_commit(); a full disk, a signal or output_cancel() leave nothing behind. The name "-" is
 * stdout, and what exists and is not a regular file (/dev/null, a FIFO) is written to as it is.
 *
 * Writing never fails at once: the first error is kept and output_commit() returns it.
 * output_failed() lets long work stop early.
 */
#ifndef RECORDER_TOOLS_OUTPUT_H
#define RECORDER_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define OUTPUT_BUFFER (256u << 10)

struct gzip;

struct output {
	char *next, *end; /* room in the buffer */
	char *buffer;
	int fd;
	uint64_t flushed; /* bytes that went out of the buffer */
	int error;        /* first negative errno */
	bool force;
	struct gzip *gzip;
	const char *path; /* final name, as messages show it */
	char *temporary;  /* NULL: written in place */
	bool in_place;    /* it has its final name */
	bool in_memory;   /* the buffer grows, and nothing is written */
};

struct output_options {
	bool force;    /* replace an existing file, though none of the trace itself (itself.h) */
	bool gzip;     /* one gzip member */
	unsigned jobs; /* threads that compress, at least 1 */
	mode_t rights; /* of a new file, whatever the umask is; 0: all that it allows */
};

/*
 * 0; -EEXIST: `path` is there and not to be replaced; or what opening gave. `path` must outlive the
 * output.
 */
int output_open(struct output *output, const char *path, const struct output_options *options);
/* Bytes that stay in memory, from output->buffer to output->next. 0 or -ENOMEM. To be released by output_cancel(). */
int output_memory(struct output *output);
/* Writes out the rest, gives the file its name, releases all. 0 or the first error, after which no file is left. */
int output_commit(struct output *output);
/*
 * What output_commit() does, in three steps: writes out the rest and releases the buffer; gives the file its name; output_cancel() releases all, and leaves a file that
 * has its name. Each: 0 or a negative errno.
 */
int output_finish(struct output *output);
int output_take_name(struct output *output);
/* Releases all and leaves no file. */
void output_cancel(struct output *output);

/* Says why `path` could not be opened or written, by the error of one of these, and ends the process. */
_Noreturn void output_die(const char *path, int error);

/* output_open() and output_commit() for who can do nothing else about an error than end the process with output_die(). */
void output_begin(struct output *output, const char *path, const struct output_options *options);
void output_end(struct output *output);
void output_begin_stdout(struct output *output);

/* Writes all of it to a descriptor. 0 or a negative errno. */
int output_write(int fd, const void *bytes, size_t size);
/* The same at a place in the file; *offset moves on by what was written. */
int output_write_at(int fd, const void *bytes, size_t size, uint64_t *offset);

/* Bytes that were put into it, before they are compressed. */
static inline uint64_t output_size(const struct output *output)
{
	return output->flushed + (uint64_t)(output->next - output->buffer);
}

/* Slow paths: the buffer is full. */
void output_flush(struct output *output);
void output_bytes_slow(struct output *output, const char *bytes, size_t size);

static inline bool output_failed(const struct output *output)
{
	return output->error != 0;
}

/*
 * An output into memory of the caller, who takes what is there: that something does not fit is an error, after which nothing in it means anything. It has to have room for a
 * number.
 */
static inline struct output output_scratch(char *buffer, size_t size)
{
	return (struct output){.next = buffer, .end = buffer + size, .buffer = buffer, .fd = -1};
}

/* Makes sure that `size` bytes (<= OUTPUT_BUFFER, or what a scratch has) can be stored at output->next. */
static inline void output_room(struct output *output, size_t size)
{
	if ((size_t)(output->end - output->next) < size)
		output_flush(output);
}

static inline void output_bytes(struct output *output, const char *bytes, size_t size)
{
	if ((size_t)(output->end - output->next) < size) {
		output_bytes_slow(output, bytes, size);
		return;
	}
	memcpy(output->next, bytes, size);
	output->next += size;
}

static inline void output_char(struct output *output, char c)
{
	output_room(output, 1);
	*output->next++ = c;
}

static inline void output_text(struct output *output, const char *text)
{
	output_bytes(output, text, strlen(text));
}

void output_u64(struct output *output, uint64_t value);
void output_i64(struct output *output, int64_t value);
/* A fixed-point number: value / 10^digits with exactly `digits` decimals, as in 0.000123450. */
void output_decimal(struct output *output, int64_t value, unsigned digits);
/* `digits` (1 to 16) lower-case hexadecimal digits. */
void output_hex(struct output *output, uint64_t value, unsigned digits);
/* Bytes as between the quotes of a string in C: each is printable ASCII in the end. */
void output_escaped(struct output *output, const char *bytes, size_t size);
/* What a trace says may be anything: control characters become question marks. */
void output_printable(struct output *output, const char *text);
/* The same with another one in their place, and in that of the character `also`. */
void output_without(struct output *output, const char *text, char also, char instead);
/* A field of CSV (RFC 4180), in quotes. */
void output_csv(struct output *output, const char *text);

#endif
