/* SPDX-License-Identifier: MIT */
/*
 * loop_read.h - the words of DATA encodings 4 and 5, doc/format.md section 5, read and checked: the block, its parts, steps, events and times.
 *
 * Nothing that a body can hold makes this read or write outside, or need more memory than the body and a window do. What was read becomes records in loop_decode.h.
 */
#ifndef RECORDER_FORMAT_LOOP_READ_H
#define RECORDER_FORMAT_LOOP_READ_H

#include "format/histogram.h"
#include "format/lists.h"
#include "format/loop.h"

struct looped_step {
	uint64_t step;   /* from iteration to iteration */
	uint64_t within; /* from time to time that the part comes in one */
	uint32_t at;     /* byte of the block */
	uint32_t
		sum_at; /* likewise: of an array's sum, which is larger by the same; 0: there is none */
	bool pair;
};

struct looped {
	struct lists lists;
	struct bytes words;      /* from the block on */
	struct bytes part_words; /* of encoding 5 */
	struct bump bump;        /* for what a window needs */
	uint64_t iterations;
	uint64_t start, end;         /* time units, by the header */
	uint64_t count;              /* records of the whole chunk */
	uint32_t period, block_size; /* of the block */
	uint32_t turn, turn_size;    /* of an iteration */
	uint32_t part_count, step_count, context_count, windows;
	bool nested; /* encoding 5 */
	bool single;
	uint8_t *block;
	uint32_t *inside, *context, *room;
	uint64_t *begins, *ends; /* of the records of the block, time units */
	uint64_t *each;          /* events of each context in an iteration */
	struct loop_part *parts;
	struct looped_step *steps;
	struct loop_event *events;
	struct histogram_runs *runs; /* of begins of each context, then of ends */
	struct histogram *dealt;
	struct list_site *sites;
	/* where it is: */
	uint32_t window;
	uint64_t iteration, left; /* left: in the window, this one included */
	uint32_t part, part_time; /* in it, both from 0 */
	uint32_t at;              /* byte of the block */
	uint32_t index;           /* of the record in it */
	uint64_t time;
};

/* 0 or -EBADMSG. The header's count is that of all records; its times may be those of one window. */
int looped_open(struct looped *looped, const struct chunk_header *header, const void *words,
		size_t size);
/* Then: bytes of the block, which begins where looped.words does; 0: it is none. */
uint32_t looped_block_size(const struct looped *looped);
/*
 * Takes all of them into `memory`, which is aligned to 16 and has room left then for any window. The classes of `functions`, in the order of the lists, are known. 0; -EBADMSG;
 * -ENOBUFS: there is too little memory, and it may be called again with more.
 */
int looped_read(struct looped *looped, const struct list_function *functions, void *memory,
		size_t size);

/* The record of the block at a byte of it. */
static inline struct raw_record *looped_record_at(const struct looped *looped, uint32_t at)
{
	return (struct raw_record *)(looped->block + at);
}

#endif
