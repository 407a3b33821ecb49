/* SPDX-License-Identifier: MIT */
/*
 * posix_aio.h - requests of asynchronous I/O, by POSIX and by the kernel's own interface: numbers for control blocks.
 */
#ifndef RECORDER_WRAP_POSIX_AIO_H
#define RECORDER_WRAP_POSIX_AIO_H

#include "record/args.h"
#include "record/numbers.h"

struct io_context; /* libaio's */
struct io_uring;   /* liburing's */

extern struct numbers aio_numbers;

static inline void arg_aio(struct call *call, unsigned index, const void *request)
{
	arg_int(call, index, numbers_find(&aio_numbers, (uintptr_t)request));
}

/* It is submitted. */
static inline void arg_aio_new(struct call *call, unsigned index, const void *request)
{
	arg_int(call, index, numbers_begin(&aio_numbers, (uintptr_t)request));
}

/* Its result is taken. */
static inline void arg_aio_ended(struct call *call, unsigned index, const void *request)
{
	arg_int(call, index, numbers_end(&aio_numbers, (uintptr_t)request));
}

#define PARTS_MAX 1024u /* the kernel takes no more */

/* The bytes of a vector whose parts the call has not looked at yet: what cannot be read counts as nothing. */
static inline int64_t parts_size(uint64_t address, uint64_t count)
{
	const struct iovec *parts = (const struct iovec *)(uintptr_t)address;
	int64_t sum = 0;

	for (uint64_t i = 0; i < count && i < PARTS_MAX; i++)
		if (readable(&parts[i], sizeof(parts[i])))
			sum += (int64_t)parts[i].iov_len;
	return sum;
}

/* An array of pointers to requests; _new: they are submitted. */
void arg_aios(struct call *call, unsigned index, const void *requests, int64_t count);
void arg_aios_new(struct call *call, unsigned index, const void *requests, int64_t count);

#endif
