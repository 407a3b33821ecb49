/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - the forms that a trace is given back in: a state and a table for walk_run() each.
 */
#ifndef RECORDER_TOOLS_OUTPUTS_H
#define RECORDER_TOOLS_OUTPUTS_H

#include "output.h"
#include "walk.h"

struct hash_set;

/* One line a record: rank tid tstart tend level layer function(args) = ret errno. */
struct out_text {
	struct output *output;
	const struct reader *trace;
	struct text_function *functions; /* by id */
	unsigned function_count;
	/* Set by the caller: what stands in braces behind a record. */
	bool show_callsite, show_mpi, show_phase, show_stack, show_tags, show_thread;
	bool shows_more;               /* any of them */
	struct meaning *meaning;       /* if show_mpi */
	struct callsites *callsites;   /* if show_callsite */
	struct callstacks *callstacks; /* if show_stack */
	struct calltags *tags;         /* if show_tags; NULL: the trace has none */
};

extern const struct walk_ops out_text_ops;
void out_text_release(struct out_text *text);
/* "rank tid tstart tend level". */
void out_text_place(struct output *output, const struct recorder_record *record);
/* " repeat=1000 busy=0.000123450" behind a record that stands for several calls, " busy" being the seconds in them. */
void out_text_run(struct output *output, const struct recorder_record *record);

/* The same lines with every value by its class alone; the state is a struct out_text too. */
extern const struct walk_ops out_plain_ops;

struct fileset;
struct follow;
struct names;

/* Text that lines of one thread have in common, see pfw_lines.c. */
struct event_place {
	bool known;
	uint32_t stream, tid;
	unsigned ids_size, size; /* of the first part and of both */
	char text[160];
};

/* The file that was named last. */
struct event_file {
	uint32_t part; /* in which; 0: none, or its path is too long */
	size_t size;
	uint64_t hash;
	char path[240];
};

/* DFTracer's lines, for DFAnalyzer; and strict Chrome JSON, for viewers. */
struct out_events {
	struct output *output;
	/* Set by the caller: names and times only; call stacks among the arguments; the lines of DFTracer 2. */
	bool no_args, show_stacks, later;
	struct reader *trace;
	int64_t start; /* of the trace, Unix ns */
	/* Of Chrome JSON: of a set of files, each of which takes its turn in a walk by time; NULL, and `names` set: it is made part by part. */
	struct fileset *files;
	uint64_t lines;      /* of such a file: events written, metadata too */
	struct links *links; /* NULL with no_args, as is the next one */
	struct bandwidth *bandwidth;
	struct causes *causes; /* the same */
	uint64_t
		messages; /* drawn, and not because there are too many; set by the caller before the end */
	unsigned problems;             /* that others have found in the trace; the same */
	struct reader_traffic traffic; /* of the record that event_args() was called for last */
	bool ascii, numeric;           /* see event_args() */
	bool own_names;        /* no argument is renamed, as none stands beside a key of ours */
	bool unix_time;        /* instants are Unix time, else since the trace's start */
	struct calltags *tags; /* NULL: the trace has none */
	struct lanes *lanes;
	struct lane_top *top;          /* of the lanes */
	struct callstacks *callstacks; /* if show_stacks */
	struct lines *line_cache; /* of .pfw, as are the next five; NULL: no line is like another */
	struct names *names;      /* where definitions go; set by the caller */
	struct output *body;      /* while one is written: where the rest goes */
	struct follow *follow;    /* set by the caller; NULL: it gives all records */
	uint32_t *given;          /* part in which a stream was given last */
	uint32_t part;
	struct meaning *meaning;
	struct event_place place; /* of .pfw, as are the next two */
	struct event_file last_file;
	bool notes; /* calls in the trace do something to requests */
	struct value_texts *value_texts;
	struct event_function *functions; /* by id */
	unsigned function_count;
	uint8_t *marks;  /* the same: enum mark */
	uint64_t *hosts; /* hash by stream */
	struct reader_info info;
};

/* Several files of Chrome JSON, by time. */
extern const struct walk_ops out_chrome_ops;

/*
 * Events are made part by part, each with its records and the names that they define: what is made of one depends on nothing before it. Each function: 0 or
 * a negative errno.
 */
struct events_form {
	int (*begin)(struct out_events *events, const struct walk *walk);
	/* A part begins: events->output and events->names are for it. `goes_on`: it begins within a piece, whose records before have been given or passed. */
	void (*part)(struct out_events *events, bool goes_on);
	int (*call)(struct out_events *events, const struct recorder_record *record);
	/* Behind all records: the other streams, what is known at last, and the end; `known` has the names that are defined. */
	int (*end)(struct out_events *events, struct hash_set *known);
	const char *head; /* of the file */
};

extern const struct events_form out_pfw_form, out_pfw2_form, out_chrome_form;
/* Of .pfw in several files: one begins within a part, and all that is referred to is to be defined again. */
void out_pfw_file(struct out_events *events);

void out_events_release(struct out_events *events);

#endif
