/* SPDX-License-Identifier: MIT */
/*
 * loop_decode.h - the words of DATA encodings 4 and 5, doc/format.md section 5, back into raw records, all of them or those of one window.
 *
 *	looped_open(&looped, header, words, size);               (loop_read.h)
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

#include "format/loop_read.h"

#define LOOPED_ALL UINT32_MAX

/* What of the records is in a window. */
struct looped_window {
	uint64_t first; /* record */
	uint32_t count;
	uint64_t span; /* time units that it takes */
};

/* The classes of `functions`, in the order of the lists, are known. 0; -EBADMSG; -ENOBUFS: there is too little memory, which is aligned to 16. */
int looped_begin(struct looped *looped, const struct list_function *functions, void *memory,
		 size_t size);
struct looped_window looped_window(const struct looped *looped, uint32_t window);
/* Goes to the begin of one, whose records alone are to be given then; LOOPED_ALL: to that of all. */
int looped_go(struct looped *looped, uint32_t window);
/* The next record, which needs RECORD_MAX_SIZE bytes; its size; 0: there is none; -EBADMSG. Call sites are an offset in the module `reserved1`. */
ssize_t looped_next(struct looped *looped, struct raw_record *record);

#endif
