/* SPDX-License-Identifier: MIT */
/*
 * phases.h - what was done in which epoch and step, as a program says by tags of its regions (recorder.h).
 *
 * A call belongs to the phase that holds in its thread; where none does, to that of the main thread of its process, else to that of the main thread of the process that started this one:
 * so the workers of a data loader are in the step that goes on meanwhile. Time that the threads of a process are in one state or another (overlap.h) is divided likewise.
 *
 * Rows are by epoch, step and process. When they get too many, first two steps become one row, then four and so on, at last epochs do: the least division that leaves few enough, so the
 * same for any order in which calls are counted and tables are added up.
 */
#ifndef RECORDER_ANALYSIS_PHASES_H
#define RECORDER_ANALYSIS_PHASES_H

#include "analysis/dictionary.h"
#include "analysis/facts.h"
#include "analysis/overlap.h"

#define PHASES_MOST 16384u
#define PHASES_PROCESSES 256u /* above that, processes with neighbouring streams share a row */
#define PHASES_HALVINGS 64u   /* all numbers are one then */

struct phase_key {
	int64_t epoch, step; /* divided; 0: there is none */
	uint32_t has;        /* 1 << READER_EPOCH, 1 << READER_STEP */
	uint32_t process;    /* the group of its stream */
};

struct phase_row {
	int64_t begin, end;
	struct overlap_row overlap;
	uint64_t calls, errors, loads;
	int64_t loading; /* in regions that wait for data, the outermost ones */
	int64_t bytes_read[HEIGHT_NONE], bytes_written[HEIGHT_NONE];
};

/* Zeroed but for `facts`: nothing. */
struct phases {
	const struct facts *facts;
	struct dictionary keys;
	struct phase_row *rows; /* by number of key */
	uint32_t room;
	uint32_t epoch_halvings, step_halvings;
	/* of the stream whose children were counted last */
	struct reader_tags *above;
	unsigned above_stream;
};

/* Of one stream that is being read. */
struct phase_watch {
	struct phases *phases; /* NULL: the trace has none */
	struct reader_tags *own, *above;
	uint32_t main, above_main; /* threads, by index */
	uint32_t process;
	int error;
	struct {
		int64_t begin, end; /* equal: not known */
		int64_t row;        /* -1: no phase */
		uint32_t epoch_halvings, step_halvings;
	} now; /* of the process */
	uint32_t loading_thread;
	int64_t loading_until;
};

/* How many processes share a row. */
static inline unsigned phases_group(const struct facts *facts)
{
	unsigned streams = facts->info.streams;

	return streams ? (streams + PHASES_PROCESSES - 1) / PHASES_PROCESSES : 1;
}

/* 0 or a negative errno; to be ended either way. */
int phase_watch_begin(struct phase_watch *watch, struct phases *phases, unsigned stream);
/* 0 or -ENOMEM, also of phase_watch_state() before. */
int phase_watch_end(struct phase_watch *watch);
/* The process was in a state of overlap.h from `begin` to `end`. */
void phase_watch_state(struct phase_watch *watch, unsigned state, int64_t begin, int64_t end);
/* A call of a trace that has phases, what it moved of files, and the height of its layer. 0 or -ENOMEM. */
int phase_watch_call(struct phase_watch *watch, const struct recorder_record *record,
		     enum layer_height height, int64_t bytes_read, int64_t bytes_written);

int phases_merge(struct phases *into, const struct phases *from);
void phases_release(struct phases *phases);
void phase_row_add(struct phase_row *into, const struct phase_row *from);

#endif
