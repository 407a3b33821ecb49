/* SPDX-License-Identifier: MIT */
/*
 * thread_args.h - captures of layer thread: locks and the like by their numbers, threads by theirs.
 */
#ifndef RECORDER_WRAP_THREAD_ARGS_H
#define RECORDER_WRAP_THREAD_ARGS_H

#include <pthread.h>
#include <semaphore.h>

#include "record/args.h"
#include "record/numbers.h"

extern struct numbers sync_numbers, thread_numbers; /* thread_create.c */

static inline void sync_number_end(const volatile void *object)
{
	numbers_end(&sync_numbers, (uintptr_t)object);
}

static inline void arg_sync(struct call *call, unsigned index, const volatile void *object)
{
	arg_int(call, index, numbers_of(&sync_numbers, (uintptr_t)object));
}

/* It is initialised: another one than what was there before. */
static inline void arg_sync_new(struct call *call, unsigned index, const volatile void *object)
{
	arg_int(call, index, numbers_begin(&sync_numbers, (uintptr_t)object));
}

static inline void arg_pthread(struct call *call, unsigned index, pthread_t thread)
{
	arg_int(call, index, numbers_of(&thread_numbers, (uintptr_t)thread));
}

#endif
