/* SPDX-License-Identifier: MIT */
/*
 * table.h - a row a record, in columns that grow. Nothing of Python is in here: rows are filled while the interpreter's lock is free.
 */
#ifndef RECORDER_PYTHON_TABLE_H
#define RECORDER_PYTHON_TABLE_H

#include "categories.h"
#include "columns.h"

#define TABLE_GROUPS 6
#define TABLE_BLOCK 64 /* records that are put into columns together */

struct column {
	char *next;        /* place of the next row in `data` */
	uint16_t at, size; /* of the kind */
	/* by function: COLUMN_ARG, COLUMN_KNOWN: index of the argument, -1 it has none; COLUMN_FUNCTION, COLUMN_LAYER: the number */
	int32_t *by_function;
	const struct column_kind *kind;
	char *data;
	unsigned position; /* among those that were asked for */
};

struct table {
	struct reader *trace;
	struct column *columns; /* by group */
	unsigned column_count;
	struct column *ends[TABLE_GROUPS]; /* of the groups */
	struct categories files;           /* the paths of columns of files */
	/* records that are in columns of the last group only */
	struct recorder_record block[TABLE_BLOCK];
	size_t block_count;
};

/* Room for so many columns of that trace, which must live longer. 0 or -ENOMEM; table_release() also then. */
int table_open(struct table *table, struct reader *trace, size_t columns);
/* `name` is that of the column. 0 or -ENOMEM. */
int table_add(struct table *table, const struct column_kind *kind, const char *name);
/* To be called behind the last table_add(). */
void table_group(struct table *table);
/* At most `most` rows, with room for `first` of them to begin with. How many there are, or a negative errno. */
int64_t table_fill(struct table *table, struct reader_cursor *cursor, size_t first, size_t most);
/* The values of columns[index], which are the caller's (free(3)); NULL if there are none. */
void *table_take(struct table *table, unsigned index);
void table_release(struct table *table);

#endif
