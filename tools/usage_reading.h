/* SPDX-License-Identifier: MIT */
/*
 * usage_reading.h - records of samplers, taken apart into numbers by the names of their arguments (doc/format.md, "Streams of samplers"). What is not looked at for usage.h is left out.
 */
#ifndef RECORDER_TOOLS_USAGE_READING_H
#define RECORDER_TOOLS_USAGE_READING_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

#define USAGE_NUMBERS 10u /* of a record that are looked at, at most */

enum usage_form {
	USAGE_FORM_NONE,
	USAGE_FORM_CPU,
	USAGE_FORM_MEMORY,
	USAGE_FORM_DISK,
	USAGE_FORM_NETWORK,
	USAGE_FORM_PRESSURE,
	USAGE_FORM_PROCESS,
	USAGE_FORM_PROCESS_IO,
	USAGE_FORM_GPU,
	USAGE_FORMS
};

/* Where numbers are among the arguments of a function of the trace; -1: nowhere. */
struct usage_reading_map {
	enum usage_form form;
	int of, numbers[USAGE_NUMBERS];
};

/* A record of a sampler, taken apart. */
struct usage_reading {
	enum usage_form form;
	int64_t time;
	char of[64];
	int64_t numbers[USAGE_NUMBERS];
};

/* Where a function of the trace has what is looked at; form USAGE_FORM_NONE: it is none of a sampler. */
void usage_reading_map(struct usage_reading_map *map, const struct reader_function_info *function);
/* A record of a function that has a form. False: the trace does not have all of its numbers. */
bool usage_reading_take(struct usage_reading *reading, const struct usage_reading_map *map,
			const struct recorder_record *record);

#endif
