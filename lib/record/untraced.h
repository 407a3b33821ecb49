/* SPDX-License-Identifier: MIT */
/*
 * untraced.h - programs that this process starts and that the recorder cannot follow: they are static or of another libc, change their user, or
 * get an environment without the preload. The LM names them, so that what a trace lacks is known.
 */
#ifndef RECORDER_RECORD_UNTRACED_H
#define RECORDER_RECORD_UNTRACED_H

#include <stdbool.h>

/* Whether a program that is given this environment gets the recorder, too. */
bool untraced_has_preload(char *const environment[]);
/* At start: whether children are expected to be traced, by the environment. */
void untraced_init(void);
/*
 * A program is started, or about to be: `file` as execvpe(3) takes it. Costs one open and one read. May be called after vfork. Keeps
 * errno.
 */
void untraced_look(const char *file, char *const environment[]);

/* Names the libraries that are part of the program itself, whose calls are not recorded. Once for each stream. */
void untraced_libraries(void);

#endif
