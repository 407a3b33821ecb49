/* SPDX-License-Identifier: MIT */
/*
 * loop_decode.h - the words of DATA encodings 4 and 5, doc/format.md section 5, back into raw records, all of them or those of one window.
 *
 *	looped_open(&looped, header, words, size);
 *	...  the caller adds the classes to looped.lists' functions
 *	looped_begin(&looped, functions, memory, size);
 *	while ((size = looped_next(&looped, record)) > 0)
 *		...
 *
 * Nothing that a body can hold makes this read or write outside, or need more memory than the body and a window do. Times come out as they must only if the header's t_min and t_max say where
 * they begin and end.
 */
#ifndef RECORDER_FORMAT_LOOP_DECODE_H
#define RECORDER_FORMAT_LOOP_DECODE_H

#include <sys/types.h>

#include "format/histogram.h"
#include "format/lists.h"
#include "format/loop.h"

#define LOOPED_ALL UINT32_MAX

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

/* What of the records is in a window. */
struct looped_window {
	uint64_t first; /* record */
	uint32_t count;
	uint64_t span; /* time units that it takes */
};

/* 0 or -EBADMSG. The header's count is that of all records; its times may be those of one window. */
int looped_open(struct looped *looped, const struct chunk_header *header, const void *words,
		size_t size);
/* Then: bytes of the block, which begins where looped.words does; 0: it is none. */
uint32_t looped_block_size(const struct looped *looped);
/* The classes of `functions`, in the order of the lists, are known. 0; -EBADMSG; -ENOBUFS: there is too little memory, which is aligned to 16. */
int looped_begin(struct looped *looped, const struct list_function *functions, void *memory,
		 size_t size);
struct looped_window looped_window(const struct looped *looped, uint32_t window);
/* Goes to the begin of one, whose records alone are to be given then; LOOPED_ALL: to that of all. */
int looped_go(struct looped *looped, uint32_t window);
/* The next record, which needs RECORD_MAX_SIZE bytes; its size; 0: there is none; -EBADMSG. Call sites are an offset in the module `reserved1`. */
ssize_t looped_next(struct looped *looped, struct raw_record *record);

#endif
