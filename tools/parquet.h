/* SPDX-License-Identifier: MIT */
/*
 * parquet.h - writing files of Apache Parquet: flat tables, plain values compressed with gzip, which every reader knows.
 *
 *	"PAR1"  row group ...  footer  size of the footer, 4 bytes  "PAR1"
 *
 * A row group has a page for each column, one after the other: a header, then compressed which values are there (if the column may lack some) and
 * the values themselves. The footer says where each page lies. It and the headers are in Thrift's compact protocol. Rows are held in memory until
 * their group is full.
 */
#ifndef RECORDER_TOOLS_PARQUET_H
#define RECORDER_TOOLS_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "output.h"

enum parquet_type { PARQUET_INT32 = 1, PARQUET_INT64 = 2, PARQUET_DOUBLE = 5, PARQUET_TEXT = 6 };

struct parquet_column {
	const char *name;
	enum parquet_type type;
	bool optional;
};

struct parquet;

/* `columns` and `output` outlive it. Running out of memory ends the process. */
struct parquet *parquet_new(struct output *output, const struct parquet_column *columns,
			    unsigned count);
void parquet_free(struct parquet *parquet);

/* The values of a row, column by column; behind the last one the row is complete. Text is UTF-8. */
void parquet_integer(struct parquet *parquet, int64_t value);
void parquet_double(struct parquet *parquet, double value);
void parquet_text(struct parquet *parquet, const char *bytes, size_t size);
void parquet_null(struct parquet *parquet);

/*
 * Ends the row group. Several writers can make one file: what parquet_take() gives of the groups that one has written since it was called last, parquet_adopt() lets
 * another know of, to whose output the bytes go that are theirs.
 */
void parquet_cut(struct parquet *parquet);
void parquet_take(struct parquet *parquet, struct buffer *groups);
void parquet_adopt(struct parquet *parquet, const void *groups, size_t size);
/* A writer of groups for another one's file: without a begin and an end. */
struct parquet *parquet_new_part(struct output *output, const struct parquet_column *columns,
				 unsigned count);

/* A word and what it says, for the footer. */
void parquet_note(struct parquet *parquet, const char *key, const char *value);
/* The rows that are left, and the footer. */
void parquet_end(struct parquet *parquet);

#endif
