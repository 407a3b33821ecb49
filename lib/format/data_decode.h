/* SPDX-License-Identifier: MIT */
/*
 * data_decode.h - the body of a DATA chunk of encoding 1 to 4, as it is stored, back into raw records.
 *
 *	data_open(&decoder, header, stored);
 *	...  the caller adds the classes to decoder.functions, data_lists()->function_count of them
 *	data_begin(&decoder);
 *	while ((size = data_next(&decoder, record)) > 0)
 *		...
 *	data_release(&decoder);
 *
 * All but data_next() return 0; -ENOMEM; -EBADMSG, and then `what` says what is wrong. Memory grows with the largest chunk, and is used for the next one again.
 */
#ifndef RECORDER_FORMAT_DATA_DECODE_H
#define RECORDER_FORMAT_DATA_DECODE_H

#include "format/columns_decode.h"
#include "format/inflater.h"
#include "format/loop_decode.h"
#include "format/signatures_decode.h"

/* What `stored` has behind it, and the room that a record needs. */
#define DATA_BEHIND SIGNATURES_BEHIND
#define DATA_RECORD_MAX SIGNATURES_RECORD_MAX

/* Memory that grows and is not given back. */
struct data_room {
	void *memory;
	size_t size;
};

/* Zeroed memory is ready for use. */
struct data_decoder {
	struct inflater inflater;
	struct columns columns;
	struct signatures signatures;
	struct looped looped;
	struct list_function *functions;
	const char *what; /* is wrong: "is malformed" */
	uint8_t encoding;
	struct data_room list, sites, column, work;
};

/* `stored` must last as long as records are read. Of the header all that describes the body is used. */
int data_open(struct data_decoder *decoder, const struct chunk_header *header, const void *stored);
int data_begin(struct data_decoder *decoder);
/* As signatures_next() and columns_next(); a record needs DATA_RECORD_MAX bytes. */
ssize_t data_next(struct data_decoder *decoder, struct raw_record *record);
void data_release(struct data_decoder *decoder);

static inline const struct lists *data_lists(const struct data_decoder *decoder)
{
	if (data_is_loop(decoder->encoding))
		return &decoder->looped.lists;
	return decoder->encoding != DATA_COLUMNS ? &decoder->signatures.lists
						 : &decoder->columns.lists;
}

#endif
