/* SPDX-License-Identifier: MIT */
/*
 * note.h - the recorder's own one-line messages to the user.
 *
 * They go to the program's stderr, and only while that is still what the program was given at its start, or
 * where a line for each call is wanted (RECORDER_VERBOSE with targets) to what it was given;
 * RECORDER_QUIET=1 silences them. Never to stdout.
 */
#ifndef RECORDER_RECORD_NOTE_H
#define RECORDER_RECORD_NOTE_H

/* Remembers what stderr is. Once, at start. */
void note_init(void);

/* Writes "recorder: " and the parts (up to the NULL that must end them) as one line. */
void note(const char *part, ...) __attribute__((sentinel));
/* The same, only with RECORDER_VERBOSE. */
void note_verbose(const char *part, ...) __attribute__((sentinel));

#endif
