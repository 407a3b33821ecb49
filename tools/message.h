/* SPDX-License-Identifier: MIT */
/*
 * message.h - what the tools say on stderr, and how they end.
 *
 * Messages are lower case without a full stop: "cannot open 'x': No such file or directory".
 */
#ifndef RECORDER_TOOLS_MESSAGE_H
#define RECORDER_TOOLS_MESSAGE_H

#include <stdbool.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

/* What messages begin with: "recorder info"; set by main(). */
extern const char *message_program;
/* With this set message_warn() and message_note() are silent. */
extern bool message_quiet;
/* Called before a message is written, if set: what stands on the terminal's line has to go. */
extern void (*message_before)(void);
/* Exit status of die(); `recorder run` has its own. */
extern int message_failed;

/* Says it and ends the process with status message_failed. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something is wrong and the work goes on without it. */
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What the user should know about the result. */
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
