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

/* An array of pointers to requests; _new: they are submitted. */
void arg_aios(struct call *call, unsigned index, const void *requests, int64_t count);
void arg_aios_new(struct call *call, unsigned index, const void *requests, int64_t count);

#endif
