/* SPDX-License-Identifier: MIT */
/*
 * longloop.h - loops with loops inside, found in the records of a thread as its rings are sealed: RECORDER_TIMING=summary.
 *
 * A loop that is held (hold.h) has to come again several times within a ring. Where ring after ring has to be sealed, there may be one that is longer: then the records of the next ones are looked at
 * for that (format/loop_learn.h), beside all else that is done with them, until it is found. From where it begins next on it is held, however large it is.
 *
 * Where nothing is found, this is tried again ever more seldom. Where what was found ends soon, it is part of something longer, which is looked for next: turns of one are tokens of the other.
 *
 * The thread owns what is here, as it does its ring.
 */
#ifndef RECORDER_RECORD_LONGLOOP_H
#define RECORDER_RECORD_LONGLOOP_H

#include "format/loop_learn.h"
#include "record/thread.h"

/* Of a thread that has no records yet. */
void longloop_begin(struct thread *thread);
/* A ring was full, and had to be sealed. */
void longloop_missed(struct thread *thread);
/* What was found is held from now on. */
void longloop_held(struct thread *thread);
/* Of a ring that is about to be sealed: looks at its records, if there is reason to. `room`: bytes of the largest block. */
void longloop_look(struct thread *thread, uint32_t room);
/* Whether there is hope that one is found soon. */
bool longloop_may_come(const struct thread *thread);
/* NULL: none is known. Else what begins at *sequence or later, which is set to where it does, and how often it has come before then. */
const struct loop_turn *longloop_next(const struct thread *thread, uint64_t *sequence,
				      uint64_t *passed);
/* What was known is held no more; how many records it was for. If it goes on it may be held again from its next turn on. */
void longloop_ended(struct thread *thread, uint64_t records, bool goes_on);

#endif
