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
	bool beneath;    /* recorded from outside of a process that is recorded from inside, too */
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

/* From this number on there is none that a process or a lane has. */
uint32_t lanes_behind_all(const struct lanes *lanes);

/* Processes and lanes are to be named anew; calls that are open stay so. */
void lanes_forget_names(struct lanes *lanes);

/* No call is open any more, and all lanes are fresh again. */
void lanes_begin(struct lanes *lanes);

/*
 * The lane of a record; records must come by time. Those that come late - they enclose others, and come behind them - begin anew: what they
 * enclose was in order. 0 or -ENOMEM.
 */
int lanes_place(struct lanes *lanes, const struct recorder_record *record, struct lane *lane);

/* The thread that calls of the record's thread stand at, but for those that overlap. 0: they are a signal handler's, or there is no memory. */
uint32_t lanes_own_tid(struct lanes *lanes, const struct recorder_record *record);

/* The thread of the record that was placed last, if but that call is open in it, on its own lane. */
struct lane_top {
	uint64_t key; /* lane_key() of its records; LANE_NONE: there is no such thread */
	uint32_t tid;
	int64_t *begin, *end; /* of that call */
};

#define LANE_NONE UINT64_MAX

static inline uint64_t lane_key(const struct recorder_record *record)
{
	return (uint64_t)record->stream << 32 | record->thread;
}

struct lane_top *lanes_top(struct lanes *lanes);

/* lanes_place() of a call of the same thread that comes behind the one before, as most do: its tid. 0: it is another one, and nothing was done. */
static inline uint32_t lane_behind(const struct lane_top *top, const struct recorder_record *record)
{
	if (lane_key(record) != top->key || record->tstart < *top->end ||
	    record->tstart < *top->begin ||
	    record->flags & (RECORDER_IN_SIGNAL | RECORDER_LEFT | RECORDER_IN_FLIGHT))
		return 0;
	*top->begin = record->tstart;
	*top->end = record->tend;
	return top->tid;
}

#endif
