/* SPDX-License-Identifier: MIT */
/*
 * memsums.h - layer mem: the sums that librecorder-mem.so makes (memlink.h) become records of kind `sum` (format/sums.h).
 *
 * A block goes with the thread's structure, from the thread's first call of the allocator to its end: who stores the rest of its ring
 * stores the rest of its sums before.
 */
#ifndef RECORDER_RECORD_MEMSUMS_H
#define RECORDER_RECORD_MEMSUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/thread.h"

/* Begins counting, if the layer is chosen and its library is there. */
void memsums_start(void);
/* Notes what keeps a layer that was asked for by its name from being recorded. */
void memsums_warn(void);
/* What is recorded has changed: counts what function_state[] says. */
void memsums_select(void);

/* Stores what is not in the trace yet, by who has the thread's ring. */
void memsums_give(struct thread *thread);
/* The calling thread ends: the same, and its block is free. */
void memsums_thread_ended(struct thread *thread);

/* Calls that were not counted, as more threads than there are blocks made them at once. */
uint64_t memsums_uncounted(void);

#endif
