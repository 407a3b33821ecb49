/* SPDX-License-Identifier: MIT */
/*
 * uring_entries.h - what stands in the two rings of an io_uring, whoever mapped them: requests on their way to the kernel, and completions
 * on their way back.
 */
#ifndef RECORDER_WRAP_URING_ENTRIES_H
#define RECORDER_WRAP_URING_ENTRIES_H

#include <linux/io_uring.h>

#include "record/args.h"

/* Too many to be counted: the argument is unreadable. */
#define ENTRIES_UNREADABLE (ARRAY_EACH_MAX + 1u)

/* The requests that a call submits. */
struct submissions {
	const unsigned *array;               /* slots in order; NULL: one after the other */
	const struct io_uring_sqe *requests; /* must be readable */
	unsigned head, queued;               /* the first ones are found by the array ... */
	unsigned local_head;                 /* ... those behind them are in their slots */
	unsigned count;                      /* of both */
	unsigned mask, shift; /* of a slot: twice as large with IORING_SETUP_SQE128 */
};

/* Five arguments from `index` on. */
void arg_submitted(struct call *call, unsigned index, const struct submissions *submissions);

/* Where completions come to. */
struct completions {
	const unsigned *tail; /* NULL: unknown, they are unreadable */
	const struct io_uring_cqe *entries;
	unsigned mask, shift;        /* twice as large with IORING_SETUP_CQE32 */
	_Atomic unsigned *looked_at; /* up to where */
};

/* Two arguments from `index` on: all that came since the last look and is still there. */
void arg_completed(struct call *call, unsigned index, const struct completions *completions);

#endif
