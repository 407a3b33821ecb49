/* SPDX-License-Identifier: MIT */
/*
 * touches.h - which bytes of files each process read and wrote, when, and what it did before and after that makes its writes visible to others.
 *
 * A touch stands for transfers of one process in one direction between two synchronisations (open, close, sync of the file): bytes that follow each other, or parts of one
 * length at equal distances. So files that are written in blocks or strides take a touch or two. Of a file that a process touches in more than TOUCHES_MAX ways in one
 * direction all that came so far becomes one touch from the first byte to the last, `exact` no more.
 *
 * Counted is what the system does (posix, stdio), on files of data. Not seen: memory that files are mapped to; that a file has two names. Where what is appended lands is
 * not known, as the file's size is not: such transfers, and those by descriptors that came from elsewhere, are counted by rank (struct untold).
 */
#ifndef RECORDER_ANALYSIS_TOUCHES_H
#define RECORDER_ANALYSIS_TOUCHES_H

#include "analysis/file_table.h"

#define TOUCHES_MAX 128u
#define TOUCH_BEFORE INT64_MIN /* of times: nothing came before */
#define TOUCH_NEVER INT64_MAX  /* nothing came after */

struct touch {
	int64_t begin, length; /* bytes of the first part */
	int64_t stride;        /* from part to part */
	uint32_t parts;
	uint32_t transfers; /* 1, or several */
	uint32_t file, rank;
	bool write, exact;
	int64_t first, last; /* begin of the first transfer, end of the last */
	int64_t opened;      /* begin of the last opening before */
	int64_t committed;   /* end of the first sync or close after */
	int64_t closed;      /* end of the first close after */
	/* the same of MPI-IO: begin of the last opening or MPI_File_sync before, end of the first MPI_File_sync or close after */
	int64_t mpi_before, mpi_after;
};

/* Transfers of a rank on a file in one direction of which nobody knows where they were. */
struct untold {
	uint64_t count;
	uint32_t file, rank;
	uint32_t write, padding; /* 0 or 1; 0 */
};

/* Of one stream and file. */
struct touched {
	uint32_t file, rank;
	bool appends;
	uint64_t unknown[2]; /* transfers that are nowhere, by direction */
	int64_t opened, mpi_before;
	struct touch *lists[2]; /* by direction */
	uint32_t counts[2], rooms[2];
	uint32_t fresh[2]; /* those behind belong to now: no synchronisation has come since */
};

struct touches {
	struct touch *list;
	uint32_t count, room;
	struct untold *untold;
	uint32_t untold_count, untold_room;
	/* of the stream that is read */
	uint32_t *open_of; /* by file: number + 1 in `open`, 0 none */
	uint32_t open_of_room, open_of_count;
	struct touched *open;
	uint32_t open_count, open_room;
};

/* `file` is its number in the table of files. 0 or -ENOMEM. */
int touches_take(struct touches *touches, const struct facts *facts, const struct file_call *call,
		 uint32_t file);
/* The stream has ended: what it touched joins the others. 0 or -ENOMEM. */
int touches_end_stream(struct touches *touches);
/* `files`: what their files are called here. 0 or -ENOMEM. */
int touches_merge(struct touches *into, const struct touches *from, const uint32_t *files);
void touches_release(struct touches *touches);

#endif
