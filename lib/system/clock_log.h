/* SPDX-License-Identifier: MIT */
/*
 * clock_log.h - readings of all clocks (clock_reading.h) while something is recorded from outside, for the metadata of streams: each is written once, by whichever stream writes next.
 *
 * Those are left out that lie on the line between their neighbours, to 50 ns: a clock that nobody steers costs a reading a minute.
 */
#ifndef RECORDER_SYSTEM_CLOCK_LOG_H
#define RECORDER_SYSTEM_CLOCK_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "system/clock_reading.h"
#include "system/pile.h"

struct clock_log {
	struct clock_reading last;   /* the newest one, which is not pending yet if `open` */
	struct clock_reading corner; /* the last one that is */
	bool open;
	double lowest, highest;  /* ns a tick: lines from the corner that meet all since */
	struct pile pending;     /* readings */
	unsigned next;           /* of them */
	unsigned taken, written; /* so far */
};

/* The first reading. */
void clock_log_begin(struct clock_log *log);
void clock_log_release(struct clock_log *log);
/* Takes one if the last one is older than a second, now or at the time. */
void clock_log_go_on(struct clock_log *log, uint64_t now);
/* Something ends: takes one if the last one is not quite new. */
void clock_log_end(struct clock_log *log);
/* What is to be written, the newest one too: the next one's text and number; false: there is none any more. */
#define CLOCK_LOG_TEXT 128
bool clock_log_take(struct clock_log *log, char text[CLOCK_LOG_TEXT], unsigned *number);

#endif
