/* SPDX-License-Identifier: MIT */
/*
 * byname.h - the functions by name of a trace (layers native and python) and their calls.
 *
 * A function of a name is one, whatever arguments its records have. Calls of one function after the other are asked for: those of small functions are read together, those of a
 * large one, or of one with values, each time anew, so that memory is bounded.
 */
#ifndef RECORDER_TOOLS_BYNAME_H
#define RECORDER_TOOLS_BYNAME_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

struct byname_call {
	int64_t tstart, tend;
	int64_t cpu_start, cpu_end; /* ns; -1 not recorded */
	int64_t rss;                /* bytes; -1 not recorded */
	uint32_t stream;
	const struct recorder_record
		*record; /* of functions with values, while it is visited; else NULL */
};

struct byname_function {
	const struct reader_function_info *info; /* of the first that has this name */
	char *key; /* its last part, or its whole name if that is others', too */
	bool has_source;
	bool has_values; /* arguments that were asked for, or results */
	struct reader_source source;
	uint64_t calls;
	int64_t time;
	struct byname_call *kept; /* those read together */
	uint64_t kept_count;
};

struct byname {
	struct reader *trace;
	struct byname_function *functions; /* by name */
	unsigned count;
	int *of_id;     /* by func_id, -1: it is none */
	unsigned first; /* functions from here to `end` are the ones that are kept */
	unsigned end;
};

/* Whether an argument is one of `--usage`: no argument of Python's has that kind. */
bool byname_is_usage(const struct reader_parameter *argument);
/* By options.filter. Ends the process if the trace cannot be read or memory runs out. */
void byname_open(struct byname *byname, struct reader *trace);
/* Calls `visit` for the calls of function `number` by time. Cheapest with rising numbers. */
void byname_calls(struct byname *byname, unsigned number,
		  void (*visit)(void *data, const struct byname_call *call), void *data);
void byname_release(struct byname *byname);

#endif
