/* SPDX-License-Identifier: MIT */
/*
 * problem.h - what is wrong with a trace, and what went wrong in a call of the library.
 *
 * A problem is something found in the trace: it is noted, told to the program that asked for it,
 * and reading goes on. An error ends a call of the library.
 */
#ifndef RECORDER_READ_PROBLEM_H
#define RECORDER_READ_PROBLEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define PROBLEM_TEXTS_MAX 10000u /* more are counted, but their texts are not kept */

struct problems {
	pthread_mutex_t lock;
	void (*tell)(void *data, const char *text);
	void *data;
	char **texts;
	unsigned count; /* found */
	unsigned kept, capacity;
};

struct reader;

void problems_init(struct problems *problems, void (*tell)(void *, const char *), void *data);
void problems_release(struct problems *problems);

/* Notes one line of text, which names file and offset. */
void problem(struct reader *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* While it is muted this thread's problems and notices are left out: what is read a second time has told of them already, or will. */
void problems_mute(bool mute);

/* Tells what is no fault of the trace: something of a later version that is skipped. */
void notice(struct reader *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the text of reader_error() for this thread and returns `error`, a negative errno. */
int error_set(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
