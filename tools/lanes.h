/* SPDX-License-Identifier: MIT */
/*
 * lanes.h - process and thread numbers for event formats.
 *
 * Viewers key by pid alone and drop events that overlap without nesting on one tid. So two
 * processes that share a pid (on different nodes, or one after the other) get numbers of their own,
 * and a call that would overlap - it left by longjmp, or was made by a signal handler - goes to
 * another *lane* of its thread, which has a tid of its own. Such numbers begin above the largest
 * pid that Linux can give, and depend on the thread and the number of the lane alone.
 */
#ifndef RECORDER_TOOLS_LANES_H
#define RECORDER_TOOLS_LANES_H

#include <stdbool.h>

#include <recorder/reader.h>

#define LANES_FIRST_SYNTHETIC 4194305u

struct lanes;

/* One lane of a thread: what an event is attributed to. */
struct lane {
	uint32_t tid;
	uint32_t thread; /* number of the thread in the trace */
	unsigned number; /* 0: the thread itself */
	bool fresh;      /* given for the first time: its name is to be written */
	bool signal;     /* of a signal handler */
	const char *thread_name;
	const char
		*library; /* that started the thread with a function of its own; "": the program */
};

/* Reads the streams of a trace, which must outlive it. NULL: out of memory. */
struct lanes *lanes_new(const struct reader *trace);
void lanes_free(struct lanes *lanes);

uint32_t lanes_pid(const struct lanes *lanes, unsigned stream);
/* The number is not the pid that the process had. */
/* The stream that is to name the process of this one. */
unsigned lanes_first_stream(const struct lanes *lanes, unsigned stream);
bool lanes_pid_is_synthetic(const struct lanes *lanes, unsigned stream);
/* True for the first stream of a process that asks: the one that is to name it. */
bool lanes_name_process(struct lanes *lanes, unsigned stream);

/* No call is open any more, and all lanes are fresh again. */
void lanes_begin(struct lanes *lanes);

/*
 * The lane of a record; records must come by time. Those that come late - they enclose others, and come behind them - begin anew: what they
 * enclose was in order. 0 or -ENOMEM.
 */
int lanes_place(struct lanes *lanes, const struct recorder_record *record, struct lane *lane);

#endif
