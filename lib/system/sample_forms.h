/* SPDX-License-Identifier: MIT */
/*
 * sample_forms.h - what samplers write: records of the layer `sample`, whose result is `counter` and whose arguments are what was read.
 *
 * Values are as the kernel has them, cumulative where it counts; shares and rates are made by who reads the trace. The first arguments say of what the record
 * is (a CPU, a disk, a process), the others are its values, in the order of the kernel's own files. A record's time is that of the reading.
 */
#ifndef RECORDER_SYSTEM_SAMPLE_FORMS_H
#define RECORDER_SYSTEM_SAMPLE_FORMS_H

#include "system/watched_stream.h"

enum sample_form {
	SAMPLE_CLOCK, /* the same instant on four clocks */
	SAMPLE_CPU,
	SAMPLE_KERNEL,
	SAMPLE_MEMORY,
	SAMPLE_DISK,
	SAMPLE_NETWORK,
	SAMPLE_PRESSURE,
	SAMPLE_PROCESS,
	SAMPLE_PROCESS_IO,
	SAMPLE_GPU,
	SAMPLE_GPU_PROCESS,
	SAMPLE_FORMS
};

/* In place of a value that could not be read: why. */
#define READING_NOT_SUPPORTED (-1)
#define READING_NO_PERMISSION (-2)
#define READING_NO_FUNCTION (-3) /* the library does not have it */
#define READING_FAILED (-4)
#define READING_NONE (-5) /* nothing new since the last time */

#define SAMPLE_TEXT_MAX 64u /* stored bytes of a name */
#define SAMPLE_TEXTS 2u

/* A record that is being put together. */
struct sample {
	enum sample_form form;
	unsigned count; /* arguments that are there */
	union {
		struct raw_record record;
		uint64_t room[(sizeof(struct raw_record) + 8 * RECORD_MAX_ARGS +
			       SAMPLE_TEXTS * (sizeof(struct string_block) + SAMPLE_TEXT_MAX + 8)) /
			      8];
	};
};

/* `time`: ns of CLOCK_MONOTONIC. */
void sample_begin(struct sample *sample, enum sample_form form, uint64_t time);
/* The next argument; texts come before all numbers that are no pids. */
void sample_text(struct sample *sample, const char *text, size_t size);
void sample_number(struct sample *sample, uint64_t value);
/* Adds it; what was not said is 0. */
int sample_end(struct sample *sample, struct watched_stream *stream, uint32_t thread);

/* How many arguments a form has. */
unsigned sample_arguments(enum sample_form form);

#endif
