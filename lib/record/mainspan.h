/* SPDX-License-Identifier: MIT */
/*
 * mainspan.h - from when to when the program's main() runs, for the LM: calls before and after it are those of constructors,
 * destructors and handlers of exit().
 */
#ifndef RECORDER_RECORD_MAINSPAN_H
#define RECORDER_RECORD_MAINSPAN_H

#include <stdint.h>

/* main() is about to be called. */
void mainspan_begin(void);
/* It has returned, or exit() was called. The first time counts. */
void mainspan_end(void);

/* In ticks, 0: not yet, or not known. */
uint64_t mainspan_first(void);
uint64_t mainspan_last(void);

#endif
