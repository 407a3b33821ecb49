/* SPDX-License-Identifier: MIT */
/*
 * segment.h - a stream file that is closed now and then, and how much of what is closed is kept: RECORDER_ROTATE, RECORDER_KEEP,
 * RECORDER_MODE=flight.
 *
 *      STREAM-s1.rec   STREAM-s2.rec   STREAM.rec        each with its .lm; a segment is a stream of
 *      (removed)       closed          being written     its own to readers, with an identity of its own
 *
 * A new segment begins with all definitions of the one before, so each can be read alone; ids, thread indices and sequence numbers
 * go on. Closed segments may be copied away or removed by anyone. When more than RECORDER_KEEP are closed the oldest is
 * removed, and its records are counted as lost, with the reason "rotated".
 *
 * Who appends is inside of segment_enter() .. segment_leave(), until its ring is recycled: what a ring holds is in no closed segment. The last one out turns to the next segment if that is due: with
 * signals blocked, and with nobody else inside. Who comes meanwhile waits; if it takes too long to be alone, the turn is put off.
 * Without rotation it is two numbers that are counted.
 */
#ifndef RECORDER_RECORD_SEGMENT_H
#define RECORDER_RECORD_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

void segment_enter(void);
void segment_leave(void);
/* Does what nobody may append at the same time as. False: it was not done, or has failed. */
bool segment_alone(bool (*work)(void *data), void *data);
/* At the end of the process no further turn is made, unless it goes on after all (a failed exec). */
void segment_stop(bool stop);
/* In a forked child: its first segment. */
void segment_forked(void);

#endif
