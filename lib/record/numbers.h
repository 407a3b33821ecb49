/* SPDX-License-Identifier: MIT */
/*
 * numbers.h - numbers for objects of the program that have an address and no name: locks, control blocks of asynchronous I/O.
 *
 * They count from 1 in the order in which objects are first seen; a forked child counts anew. Reading and writing take
 * no lock and work in signal handlers. The table has room for some 200,000 addresses; objects at further ones have no number.
 */
#ifndef RECORDER_RECORD_NUMBERS_H
#define RECORDER_RECORD_NUMBERS_H

#include <stdatomic.h>
#include <stdint.h>

#define NUMBER_NULL 0       /* of a null pointer */
#define NUMBER_UNKNOWN (-1) /* the object was made where we do not see it, or there is no room */

struct number_table;

/* Zeros are an empty one. */
struct numbers {
	struct number_table *_Atomic table;
};

/* The number of the object there, a new one if it has none yet. */
int64_t numbers_of(struct numbers *numbers, uintptr_t object);
/* A new one, whatever was there before. */
int64_t numbers_begin(struct numbers *numbers, uintptr_t object);
/* The number that it has, or NUMBER_UNKNOWN. */
int64_t numbers_find(struct numbers *numbers, uintptr_t object);
/* The object is gone: what comes there later is another. Its number, or NUMBER_UNKNOWN. */
int64_t numbers_end(struct numbers *numbers, uintptr_t object);
/* It is not gone after all. */
void numbers_put(struct numbers *numbers, uintptr_t object, int64_t number);

#endif
