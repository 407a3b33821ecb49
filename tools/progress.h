/* SPDX-License-Identifier: MIT */
/*
 * progress.h - a line on stderr that tells how far long work is.
 *
 * It appears when stderr is a terminal, nothing says -q and the work has lasted two seconds, and is
 * gone when the work is done or anything else is said on stderr.
 */
#ifndef RECORDER_TOOLS_PROGRESS_H
#define RECORDER_TOOLS_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* How often work that goes by single records reports, a power of two. */
#define PROGRESS_STEP 4096u

/* `done` of `all` (0: not known) is done of "reading", "checking" ... Cheap; the first call begins the two seconds. */
void progress_report(const char *what, uint64_t done, uint64_t all);
/* Takes the line away until the next report. */
void progress_clear(void);
/* The results go to this terminal themselves: no line. */
void progress_forbid(void);

#endif
