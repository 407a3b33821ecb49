/* SPDX-License-Identifier: MIT */
/*
 * columns_decode.h - the plain body of DATA encoding 1 back into raw records, one after the other.
 *
 * The caller gives the memory, in three steps:
 *
 *	columns_open(&columns, header, plain, size);           counts what the body has
 *	columns_functions(&columns, functions);                function_count of them: ids;
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

#include "format/bytes.h"

/* What a decoded record takes at most. */
#define COLUMNS_RECORD_MAX (RECORD_MAX_SIZE + 8 * RECORD_MAX_ARGS)

/* Entries not yet read. */
struct column {
	struct bytes bytes;
	uint64_t zeros;            /* of a column of zeros: bytes that `bytes` does not have yet */
	uint64_t previous;         /* value, or both halves of a PAIR */
	const uint8_t *string;     /* the last one of a STRING column; NULL none yet */
	uint32_t stored, original; /* its lengths */
};

struct columns_function {
	const uint8_t *classes; /* of its arguments */
	uint16_t id;
	uint8_t arg_count;
	uint8_t result_class;
	struct column *columns; /* argument count, result, arguments; set by columns_begin() */
};

struct columns_site {
	uint64_t offset;
	uint32_t module;
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
	uint32_t count, done; /* records */
	uint32_t function_count, site_count;
	uint32_t carried;
	uint64_t unit, phase;
	uint64_t base; /* T(t_base) */
	uint64_t end;  /* T(tend) of the record before */
	struct bytes function_list, site_list, carried_list, rest;
	struct column common[COMMON_COLUMNS];
	struct columns_function *functions;
	struct columns_site *sites;
	uint32_t excess; /* bytes by which the record being read is longer than its raw form */
	bool bad;
};

/* 0 or -EBADMSG. `header` is that of the chunk, `plain` its inflated body. */
int columns_open(struct columns *columns, const struct chunk_header *header, const void *plain,
		 size_t size);
/* Fills the ids in. 0; -EBADMSG: one is out of range or there twice. */
int columns_functions(const struct columns *columns, struct columns_function *functions);
/* Columns that the functions have together. */
size_t columns_needed(const struct columns *columns, const struct columns_function *functions);
/* 0 or -EBADMSG. The arrays must last as long as records are read. */
int columns_begin(struct columns *columns, struct columns_function *functions,
		  struct columns_site *sites, struct column *column);
/*
 * Writes the next record, at most COLUMNS_RECORD_MAX bytes, and returns its size; 0 after the
 * last one; -EBADMSG.
 */
ssize_t columns_next(struct columns *columns, struct raw_record *record);

#endif
