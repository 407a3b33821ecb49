/* SPDX-License-Identifier: MIT */
/*
 * walk.h - one walk over a trace, for every output but events in one file (to_events.h).
 *
 * An output is a table of functions; those it does not need are NULL. The walk opens the trace, says
 * on stderr what is wrong with it, and calls
 *
 *	begin, stream, call (each record, by time), batch, lost (each loss of each stream given), end
 *
 * A stream is given before its first record. Those without records come at the end, but not if the
 * filter asks for some streams only.
 *
 * A record that stands for several calls (`repeat`) comes once.
 *
 * After walk_by_stream(), streams come one after the other, each by time, and batch() is called behind the last record of each batch.
 */
#ifndef RECORDER_TOOLS_WALK_H
#define RECORDER_TOOLS_WALK_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "batches.h"

struct walk {
	struct reader *trace;
	struct reader_info info;
	uint64_t records;       /* given so far, without those in flight */
	uint64_t given_records; /* the same, with those in flight */
	bool *given;            /* streams that the output knows */
	/* Set between walk_open() and walk_run(): records that begin in from..until (not included) alone. */
	bool windowed;
	int64_t from, until;
	/* Or walk_by_stream(): streams one after the other, of batches first_batch up to end_batch (not included). Else all are merged by time. */
	bool by_stream;
	struct batches batches;
	unsigned first_batch, end_batch;
};

/* Each returns 0 or a negative errno, which ends the walk. */
struct walk_ops {
	int (*begin)(void *self, const struct walk *walk);
	int (*stream)(void *self, unsigned index, const struct reader_stream *stream);
	int (*call)(void *self, const struct recorder_record *record);
	int (*batch)(void *self);
	int (*lost)(void *self, const struct reader_stream *stream, const char *reason,
		    uint64_t count);
	int (*end)(void *self);
};

/*
 * Opens a trace for a tool; `dir` NULL: the newest in the working directory. Its problems become
 * warnings. Ends the process with a message if it cannot be opened.
 */
struct reader *trace_open(const char *dir);
/* What the trace is called, for a file in the working directory: its last name, whatever way `dir` leads there. To be freed. */
char *trace_name(const char *dir);
/* "DIR/" -> "DIR.ENDING" in the working directory, whatever the directory of DIR: where a converter writes unless it is told. To be freed. */
char *trace_output_path(const char *dir, const char *ending);
/* Says on stderr why a trace is not complete, if it is not. Returns whether it is. */
bool trace_warn_incomplete(const struct reader *trace, const struct reader_info *info);

/* Says so if there is a filter and it let nothing through: a name in it may be misspelt. */
void trace_warn_nothing(uint64_t records);

/* Whether it is, by what is known after it was read: nothing lost, nothing missing, nothing damaged. */
bool trace_is_whole(const struct reader *trace);

/* Whether the filter asks for all streams, so also for those without records. */
bool walk_takes_all_streams(void);
/* The same, of those of some time at least. */
bool walk_takes_all_calls(void);

/* Opens the trace `dir` (NULL: the newest) for a walk, and says what is wrong with it. walk->trace is to be given to reader_close(). */
void walk_open(struct walk *walk, const char *dir);
/* Behind walk_open(): the walk is to be stream by stream. Of a share, by process `number` of `count`; process 0 of 1 has all. */
void walk_by_stream(struct walk *walk, unsigned count, unsigned number);
/* Closes the trace, too. */
void walk_close(struct walk *walk);
/*
 * Walks by options.filter, in the order it asks for. Returns 0 or the negative errno of an output;
 * a trace that cannot be read ends the process.
 */
int walk_run(struct walk *walk, const struct walk_ops *ops, void *self);

#endif
