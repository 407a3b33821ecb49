/* SPDX-License-Identifier: MIT */
/*
 * verbose.h - what RECORDER_VERBOSE tells: one line for each process that is a rank's own or a launcher, when it is known
 * whether and where it records. Children of ranks and later images of a process say nothing: a script could have thousands.
 */
#ifndef RECORDER_RECORD_VERBOSE_H
#define RECORDER_RECORD_VERBOSE_H

/* After the stream was opened: where the trace is, what is recorded, where the live files are. */
void verbose_opened(void);
/* Why nothing is recorded. */
void verbose_passive(const char *reason);

#endif
