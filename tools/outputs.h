/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - the forms that a trace is given back in: a state and a table for walk_run() each.
 */
#ifndef RECORDER_TOOLS_OUTPUTS_H
#define RECORDER_TOOLS_OUTPUTS_H

#include "output.h"
#include "walk.h"

/* One line a record: rank tid tstart tend level layer function(args) = ret errno. */
struct out_text {
	struct output *output;
	const struct reader *trace;
	struct text_function *functions; /* by id */
	unsigned function_count;
	/* Set by the caller: what stands in braces behind a record. */
	bool show_callsite, show_mpi, show_phase, show_stack, show_thread;
	bool shows_more;               /* any of them */
	struct meaning *meaning;       /* if show_mpi */
	struct callsites *callsites;   /* if show_callsite */
	struct callstacks *callstacks; /* if show_stack */
};

extern const struct walk_ops out_text_ops;
void out_text_release(struct out_text *text);
/* "rank tid tstart tend level". */
void out_text_place(struct output *output, const struct recorder_record *record);
/* " repeat=1000 busy=0.000123450" behind a record that stands for several calls, " busy" being the seconds in them. */
void out_text_run(struct output *output, const struct recorder_record *record);

/* The same lines with every value by its class alone; the state is a struct out_text too. */
extern const struct walk_ops out_plain_ops;

/* DFTracer's lines, for DFAnalyzer; and strict Chrome JSON, for viewers. */
struct out_events {
	struct output *output;
	bool no_args; /* set by the caller: names and times only */
	const struct reader *trace;
	int64_t start;       /* of the trace, Unix ns */
	uint64_t lines;      /* events written, metadata too */
	bool ascii, numeric; /* see event_args() */
	bool unix_time;      /* instants are Unix time, else since the trace's start */
	struct lanes *lanes;
	struct lines *line_cache; /* of .pfw */
	struct meaning *meaning;
	struct event_function *functions; /* by id */
	unsigned function_count;
	struct hash_set *hashes; /* of files and hosts that have been defined */
	uint64_t *hosts;         /* hash by stream */
	struct reader_info info;
};

extern const struct walk_ops out_pfw_ops;
extern const struct walk_ops out_chrome_ops;
void out_events_release(struct out_events *events);

#endif
