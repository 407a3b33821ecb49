/* SPDX-License-Identifier: MIT */
/*
 * control.h - what a running process is told from outside or by itself: pause, resume, flush.
 *
 * One shared word in the header of the stream's live definitions file (doc/format.md section 9), which `recorder ctl` maps as well:
 *
 *      bit 0       recording is paused
 *      bits 1..31  how often a flush was asked for
 *
 * No signal, no socket, no thread. Who records looks at the word some ten times a second, when the slow path is due anyway
 * (call.c); while paused each call takes the slow path and looks. So an answer comes with the next call, or a tenth of
 * a second later.
 */
#ifndef RECORDER_RECORD_CONTROL_H
#define RECORDER_RECORD_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The stream has a live header now: its word takes over the state so far. */
void control_open(_Atomic uint32_t *word);
/* In a forked child: the state of the parent goes on, in a word of its own. */
void control_forked(void);

/* Pauses or resumes, for this process: RECORDER_PAUSED, MPI_Pcontrol, recorder_pause(). */
void control_pause(bool pause);
/* Asks each thread to seal its ring at its next look. */
void control_flush(void);

/* Follows what the word says by now. True while recording is paused. */
bool control_paused(void);
/* The number of flushes asked for, to be compared with an earlier one. */
uint32_t control_flushes(void);

/* How often recording was paused, and for how long in all (ns). */
uint32_t control_pauses(void);
uint64_t control_paused_ns(void);

#endif
