/* SPDX-License-Identifier: MIT */
/*
 * beneath.h - what was recorded of a process from outside of it, beneath the calls that the library recorded in it.
 *
 *	0.node.7.rec            write ────────────────────┐         read ───────┐
 *	system.node.7.rec          (its own) write ───┐                read ─┐
 *	                                  a request ┐
 *	levels as stored        0  0      1           -   -         0  0     -  -
 *	as given                0  1      2           -   -         0  1     -  -
 *
 * Both streams are of one process if they have its boot id, pid, space of process numbers and time of begin in common; what they have of a thread is found by its tid, as the process knows it. A record from outside lies in the
 * innermost call of the thread in the process that the middle of it lies in: to be in it, its ends may stick out by BENEATH_SLACK, by which the clocks of both may differ; they are
 * given as if they did not.
 *
 * The calls around are read once more, by a cursor for each thread, along with the records that are asked for.
 */
#ifndef RECORDER_READ_BENEATH_H
#define RECORDER_READ_BENEATH_H

#include <recorder/reader.h>

#define BENEATH_SLACK 1000 /* ns */

struct beneath;

/* Finds the streams that lie beneath others: once all are in their order. 0 or -ENOMEM. */
int beneath_join(struct reader *trace);

/* For a cursor, if the trace has such streams. NULL: out of memory. */
struct beneath *beneath_new(struct reader *trace);
void beneath_free(struct beneath *beneath);
/* Sets level and times of a record of such a stream; leaves others alone. 0, or a negative errno: the calls around it could not be read. */
int beneath_place(struct beneath *beneath, struct recorder_record *record);

#endif
