/* SPDX-License-Identifier: MIT */
/* table.c - see table.h */
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE (2u << 20)

static int64_t arg_value(const struct column *column, const struct recorder_record *record,
			 bool *known)
{
	int32_t index = column->by_function[record->func_id];
	const struct recorder_arg *arg;

	*known = index >= 0 && index < record->arg_count;
	if (!*known)
		return 0;
	arg = &record->args[index];
	*known = arg->state == RECORDER_ARG_PRESENT;
	return *known ? arg->i64 : 0;
}

static int32_t file_number(struct table *table, const struct recorder_record *record, int *error)
{
	struct reader_file file;
	int32_t number;

	if (reader_record_file(table->trace, record, &file))
		return -1;
	number = categories_number(&table->files, file.path);
	if (number < 0)
		*error = -ENOMEM;
	return number;
}

/*
 * Groups of columns that are alike. Those of the last one ask the reader, so they take each record as it comes. Others take a block of records together, each column in a loop without a
 * question.
 */
enum group { COPIES_8, COPIES_4, COPIES_2, SECONDS, TABLES, OTHERS };

static enum group group_of(const struct column_kind *kind)
{
	switch (kind->how) {
	case COLUMN_COPY:
		return kind->size == 8 ? COPIES_8 : kind->size == 4 ? COPIES_4 : COPIES_2;
	case COLUMN_SECONDS:
		return SECONDS;
	case COLUMN_FUNCTION:
	case COLUMN_LAYER:
		return TABLES;
	default:
		return OTHERS;
	}
}

static int put_other(struct table *table, struct column *column,
		     const struct recorder_record *record)
{
	int64_t value = 0;
	int32_t number;
	double seconds;
	bool known;
	int error = 0;

	switch (column->kind->how) {
	case COLUMN_DURATION:
		seconds = (double)(record->tend - record->tstart) / 1e9;
		memcpy(column->next, &seconds, sizeof(seconds));
		return 0;
	case COLUMN_BYTES:
		value = reader_bytes(table->trace, record);
		break;
	case COLUMN_FILE:
		number = file_number(table, record, &error);
		memcpy(column->next, &number, sizeof(number));
		return error;
	case COLUMN_KNOWN:
		arg_value(column, record, &known);
		*column->next = known;
		return 0;
	default:
		value = arg_value(column, record, &known);
	}
	memcpy(column->next, &value, sizeof(value));
	return 0;
}

/* `size` is known where it is called, so that each size has a loop of its own. */
static inline __attribute__((always_inline)) void put_copies(char *to, const char *from,
							     size_t size, size_t count)
{
	for (size_t i = 0; i < count; i++, from += sizeof(struct recorder_record))
		memcpy(to + i * size, from, size);
}

static void put_seconds(char *to, const char *from, size_t count)
{
	for (size_t i = 0; i < count; i++, from += sizeof(struct recorder_record)) {
		int64_t ns;
		double seconds;

		memcpy(&ns, from, 8);
		seconds = (double)ns / 1e9;
		memcpy(to + i * 8, &seconds, 8);
	}
}

static void put_numbers(char *to, const int32_t *numbers, const struct recorder_record *records,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint16_t number = (uint16_t)numbers[records[i].func_id];

		memcpy(to + i * 2, &number, 2);
	}
}

static void put_column(const struct column *column, const struct recorder_record *records,
		       size_t count)
{
	const char *from = (const char *)records + column->at;

	switch (group_of(column->kind)) {
	case COPIES_8:
		put_copies(column->next, from, 8, count);
		break;
	case COPIES_4:
		put_copies(column->next, from, 4, count);
		break;
	case COPIES_2:
		put_copies(column->next, from, 2, count);
		break;
	case SECONDS:
		put_seconds(column->next, from, count);
		break;
	case TABLES:
		put_numbers(column->next, column->by_function, records, count);
		break;
	case OTHERS:
		break;
	}
}

/* The block into all columns but those of the last group. */
static void put_block(struct table *table)
{
	struct column *end = table->ends[TABLES];

	for (struct column *column = table->columns; column < end; column++) {
		put_column(column, table->block, table->block_count);
		column->next += table->block_count * column->size;
	}
	table->block_count = 0;
}

static int put_record(struct table *table, const struct recorder_record *record)
{
	struct column *column = table->ends[TABLES];
	int error = 0;

	table->block[table->block_count++] = *record;
	for (; column < table->ends[OTHERS]; column->next += column->size, column++)
		error |= put_other(table, column, record);
	if (table->block_count == TABLE_BLOCK)
		put_block(table);
	return error;
}

/*
 * Memory for an array. Touching large ones page by page would cost as much as decoding what is put there, so they are of huge pages where the system
 * has them.
 */
static void *allocate(size_t size)
{
	void *data;

	if (size < HUGE_PAGE)
		return malloc(size);
	data = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
	if (data)
		madvise(data, size, MADV_HUGEPAGE);
	return data;
}

/* Room for so many rows, of which some are filled. */
static int make_room(struct table *table, size_t rows, size_t filled)
{
	for (unsigned i = 0; i < table->column_count; i++) {
		struct column *column = &table->columns[i];
		size_t size = rows * column->kind->size;
		char *data = column->data ? realloc(column->data, size) : allocate(size);

		if (!data)
			return -ENOMEM;
		column->data = data;
		column->next = data + filled * column->kind->size;
	}
	return 0;
}

int64_t table_fill(struct table *table, struct reader_cursor *cursor, size_t first, size_t most)
{
	const struct recorder_record *record;
	size_t rows = 0, room = first < most ? first : most;
	int error = make_room(table, room, 0);

	while (!error && rows < most && (record = reader_next(cursor))) {
		if (rows == room) {
			put_block(table);
			room = most / 2 < room ? most : 2 * room;
			error = make_room(table, room, rows);
		}
		if (!error)
			error = put_record(table, record);
		rows++;
	}
	put_block(table);
	if (!error)
		error = reader_cursor_status(cursor);
	if (!error && rows > 0 && rows < room)
		error = make_room(table, rows, rows);
	return error ? error : (int64_t)rows;
}

/* ---- columns ---- */

/* The index of the argument `name` of each function. */
static int32_t *find_args(const struct reader *trace, const char *name)
{
	unsigned count = reader_function_count(trace);
	int32_t *found = malloc((count + 1) * sizeof(*found));

	for (unsigned i = 0; found && i < count; i++) {
		const struct reader_function_info *function = reader_function_by_id(trace, i);

		found[i] = -1;
		for (unsigned k = 0; k < function->arg_count; k++)
			if (strcmp(function->args[k].name, name) == 0 &&
			    (function->args[k].class_ == READER_INT ||
			     function->args[k].class_ == READER_PAIR))
				found[i] = (int32_t)k;
	}
	return found;
}

/* The number of each function's name or layer. */
static int32_t *number_functions(const struct reader *trace, enum column_how how)
{
	unsigned count = reader_function_count(trace);
	int32_t *numbers = malloc((count + 1) * sizeof(*numbers));
	struct categories names = {0};

	for (unsigned i = 0; numbers && i < count; i++) {
		const struct reader_function_info *function = reader_function_by_id(trace, i);

		numbers[i] = categories_number(&names, how == COLUMN_LAYER ? function->layer
									   : function->name);
		if (numbers[i] < 0) {
			free(numbers);
			numbers = NULL;
		}
	}
	categories_release(&names);
	return numbers;
}

/* What a column has of each function. False: no memory. */
static bool number_by_function(const struct reader *trace, struct column *column, const char *name)
{
	switch (column->kind->how) {
	case COLUMN_ARG:
	case COLUMN_KNOWN:
		column->by_function = find_args(trace, strchr(name, ':') + 1);
		return column->by_function != NULL;
	case COLUMN_FUNCTION:
	case COLUMN_LAYER:
		column->by_function = number_functions(trace, column->kind->how);
		return column->by_function != NULL;
	default:
		return true;
	}
}

int table_open(struct table *table, struct reader *trace, size_t columns)
{
	*table = (struct table){.trace = trace};
	table->columns = calloc(columns + 1, sizeof(*table->columns));
	return table->columns ? 0 : -ENOMEM;
}

int table_add(struct table *table, const struct column_kind *kind, const char *name)
{
	struct column *column = &table->columns[table->column_count];

	*column = (struct column){
		.kind = kind, .at = kind->at, .size = kind->size, .position = table->column_count};
	if (!number_by_function(table->trace, column, name))
		return -ENOMEM;
	table->column_count++;
	return 0;
}

static int compare_columns(const void *one, const void *other)
{
	const struct column *a = one, *b = other;
	int groups = (int)group_of(a->kind) - (int)group_of(b->kind);

	return groups ? groups : a->position < b->position ? -1 : 1;
}

void table_group(struct table *table)
{
	unsigned count = 0;

	qsort(table->columns, table->column_count, sizeof(struct column), compare_columns);
	for (int group = 0; group < TABLE_GROUPS; group++) {
		while (count < table->column_count &&
		       (int)group_of(table->columns[count].kind) == group)
			count++;
		table->ends[group] = table->columns + count;
	}
}

void *table_take(struct table *table, unsigned index)
{
	char *data = table->columns[index].data;

	table->columns[index].data = NULL;
	return data;
}

void table_release(struct table *table)
{
	for (unsigned i = 0; i < table->column_count; i++) {
		free(table->columns[i].data);
		free(table->columns[i].by_function);
	}
	free(table->columns);
	categories_release(&table->files);
}
