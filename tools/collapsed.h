/* SPDX-License-Identifier: MIT */
/*
 * collapsed.h - calls by what they lie in, as flame graphs show it: a tree of frames, the outermost at its root.
 *
 *	with call stacks       main > save > H5Dwrite > H5D__chunk_flush > pwrite
 *	without                H5Dwrite > MPI_File_write_at > pwrite            the recorded calls that enclose it
 *
 * A frame weighs what its calls have themselves, without those in them. There are as many frames as there are different paths, however many calls.
 */
#ifndef RECORDER_TOOLS_COLLAPSED_H
#define RECORDER_TOOLS_COLLAPSED_H

#include "buffer.h"
#include "callkinds.h"
#include "callstacks.h"
#include "numbered.h"
#include "read/index.h"

enum collapsed_weight { COLLAPSED_TIME, COLLAPSED_BYTES, COLLAPSED_CALLS };
enum collapsed_roots { COLLAPSED_TOGETHER, COLLAPSED_BY_RANK, COLLAPSED_BY_THREAD };

/* A call that later ones may lie in. */
struct collapsed_call {
	int64_t end;
	uint32_t frame;
	uint16_t level;
};

struct collapsed {
	/* Set by the caller. */
	const struct reader *trace;
	const struct call_kinds *kinds;
	enum collapsed_weight weight;
	enum collapsed_roots roots;
	struct callsites *callsites;   /* for call stacks */
	struct callstacks *callstacks; /* NULL: they are not looked at */
	/* inside; zeroed memory is an empty tree */
	struct buffer frames; /* struct frame; number 0 is above all */
	struct index frame_index;
	struct buffer names; /* offsets of texts */
	struct buffer texts; /* names, each with a zero */
	struct index name_index;
	struct numbered nests; /* what threads are in: struct buffer of struct collapsed_call */
	struct buffer stacks;  /* whose frame is known */
	struct index stack_index;
};

/* The records of a stream follow, by time. */
void collapsed_stream(struct collapsed *collapsed);
void collapsed_call(struct collapsed *collapsed, const struct recorder_record *record);
/* Adds a line as collapsed_lines() has made it. */
void collapsed_add(struct collapsed *collapsed, const char *line, size_t length);
/* "main;save;pwrite 123456\n" for each frame that has a weight, in the order of bytes. `all`: also where it is none yet, for collapsed_add(). */
void collapsed_lines(const struct collapsed *collapsed, bool all, struct buffer *lines);
void collapsed_release(struct collapsed *collapsed);

#endif
