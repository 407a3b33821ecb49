/* SPDX-License-Identifier: MIT */
/*
 * columns_decode.h - the plain body of DATA encoding 1 back into raw records, one after the other.
 *
 * The caller gives the memory, in three steps:
 *
 *	columns_open(&columns, header, plain, size);           counts what the body has
 *	lists_functions(&columns.lists, functions);           function_count of them: ids;
 *	                                                       the caller adds the classes
 *	columns_begin(&columns, functions, sites, column);     site_count sites, columns_needed() columns
 *	while ((size = columns_next(&columns, record)) > 0)
 *		...
 *
 * Nothing that a body can hold makes it read or write outside. Records come out as section 5 of
 * doc/format.md has them in rings, with three differences: `sequence` is not set, `callsite` is
 * the offset in the module whose id is in `reserved1` (0: an address), and a zero byte follows each
 * string.
 */
#ifndef RECORDER_FORMAT_COLUMNS_DECODE_H
#define RECORDER_FORMAT_COLUMNS_DECODE_H

#include <sys/types.h>

#include "format/lists.h"

/* Entries not yet read. */
struct column {
	struct bytes bytes;
	uint64_t zeros;            /* of a column of zeros: bytes that `bytes` does not have yet */
	uint64_t previous;         /* value, or both halves of a PAIR */
	const uint8_t *string;     /* the last one of a STRING column; NULL none yet */
	uint32_t stored, original; /* its lengths */
};

enum common_column {
	COLUMN_FUNCTION,
	COLUMN_LEVEL,
	COLUMN_GAP,
	COLUMN_DURATION,
	COLUMN_SITE,
	COLUMN_FLAGS,
	COLUMN_ERR,
	COLUMN_REPEAT,
	COLUMN_STACK,
	COMMON_COLUMNS,
};

struct columns {
	struct lists lists;
	uint32_t done; /* records */
	uint64_t end;  /* T(tend) of the record before */
	struct bytes rest;
	struct column common[COMMON_COLUMNS];
	struct column *column; /* by function, from its `first`: count, result, arguments */
	struct list_function *functions;
	struct list_site *sites;
	uint32_t excess; /* bytes by which the record being read is longer than its raw form */
	bool bad;
};

/* 0 or -EBADMSG. `header` is that of the chunk, `plain` its inflated body. */
int columns_open(struct columns *columns, const struct chunk_header *header, const void *plain,
		 size_t size);
/* Columns that the functions have together. */
size_t columns_needed(const struct columns *columns, const struct list_function *functions);
/* 0 or -EBADMSG. The arrays must last as long as records are read. */
int columns_begin(struct columns *columns, struct list_function *functions, struct list_site *sites,
		  struct column *column);
/*
 * Writes the next record, at most DECODED_RECORD_MAX bytes, and returns its size; 0 after the
 * last one; -EBADMSG.
 */
ssize_t columns_next(struct columns *columns, struct raw_record *record);

#endif
