/* SPDX-License-Identifier: MIT */
/*
 * hold.h - a loop that a thread is in, which is one chunk however long it takes: RECORDER_TIMING=summary.
 *
 *	ring:   | iterations that the loop takes  | tail |      full: sealing comes here first
 *	                  v                           v
 *	place:  | chunks of encoding 4 or 5: all so far | a raw one |     in the ring's file, of two the one that is not valid
 *	                  v
 *	ring:   | tail | ...                                      only then recycled, with the tail as its first records
 *
 * When records of a ring end in something that repeats, the next ring is looked at as a loop (format/loop_encode.h). While its records are what the loop lets expect, nothing is
 * written: the chunk is in shared memory as the ring is, and each ring more makes it stand for more records. So a process can be killed at any instant: place and ring together have all
 * records, and readers drop what they find twice by the sequence numbers. When another record comes, a loss is to be stated, somebody wants to see the records in the file, or the thread ends, the
 * chunk is appended.
 *
 * A node that dies takes with it what is held. So it is also appended from time to time, but ever more seldom: after 64 times RECORDER_FLUSH, then after twice as long ...
 *
 * The thread owns what is here, as it does its ring.
 */
#ifndef RECORDER_RECORD_HOLD_H
#define RECORDER_RECORD_HOLD_H

#include "record/batch.h"

/* Whether the thread holds a chunk. */
bool hold_is_active(const struct thread *thread);
/* How long, in records, a loop may be of the thread that fills this ring; 0: it may be in none. */
uint32_t hold_longest(const struct thread *thread);

/* Of one that holds: takes what it can of the ring. */
void hold_take(struct thread *thread);
/* The same as the ring is full, or old. If all in it is part of the loop it is recycled, and the caller has nothing to do. */
bool hold_go_on(struct thread *thread, const struct anchor *now);

/*
 * Looks for a loop in *before, what is to be sealed of the ring. If there is one that goes on to its end, *before is set to the records before it, if any, and after these have been sealed hold_start() begins
 * to hold. False, of both: the ring is to be sealed, or what is left of it.
 */
typedef bool hold_finder(struct thread *thread, const struct anchor *now, struct batch *before);
hold_finder hold_find;
/* Of a loop with loops inside that is known (longloop.h). */
hold_finder hold_find_turn;
bool hold_start(struct thread *thread, const struct anchor *now);

/* Looks at the records of the ring for a loop that has loops inside (longloop.h). */
void hold_look(struct thread *thread);
/* The ring is to be sealed, as nothing that goes on was found in it. */
void hold_missed(struct thread *thread);
/* Whether such a loop is known, and begins within the batch. */
bool hold_is_due(const struct thread *thread, const struct batch *batch);

/* It was appended, or is lost: nothing is held any more. */
void hold_end(struct thread *thread);

#endif
