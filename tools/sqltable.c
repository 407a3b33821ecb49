/* SPDX-License-Identifier: MIT */
/* sqltable.c - see sqltable.h */
#include "sqltable.h"

#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "harmless.h"
#include "json.h"
#include "message.h"

#define ROWS_LOOKED_AT 1000u /* for the widths of columns */

/* A value as text, which may hold anything; of a blob its hexadecimal digits. */
static void put_value(struct output *output, sqlite3_stmt *statement, int column)
{
	const unsigned char *bytes = sqlite3_column_blob(statement, column);
	int size = sqlite3_column_bytes(statement, column);

	for (int i = 0; i < size; i++)
		output_hex(output, bytes[i], 2);
}

/* Results of expressions may be any bytes: UTF-8 goes out. */
static void put_text(struct output *output, sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	utf8_string(output, text, (size_t)sqlite3_column_bytes(statement, column));
}

static void put_plain(struct output *output, sqlite3_stmt *statement, int column)
{
	switch (sqlite3_column_type(statement, column)) {
	case SQLITE_INTEGER:
		output_i64(output, sqlite3_column_int64(statement, column));
		break;
	case SQLITE_FLOAT:
		json_double(output, sqlite3_column_double(statement, column));
		break;
	case SQLITE_BLOB:
		put_value(output, statement, column);
		break;
	case SQLITE_TEXT:
		put_text(output, statement, column);
		break;
	default:
		break;
	}
}

/* ---- text ---- */

struct cell {
	size_t at, size; /* in the bytes of the table */
};

struct table {
	struct output *output;
	struct output memory; /* one value */
	int columns;
	size_t *widths; /* in characters */
	bool *numbers;  /* whether all values of the column so far are */
	struct buffer bytes;
	struct buffer cells; /* of the rows looked at, and the names above them */
};

static size_t characters(const char *text, size_t size)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

/* Without what moves the cursor or ends the line. */
static void add_clean(struct buffer *bytes, const char *text, size_t size)
{
	static const char letters[] = {['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r'};

	for (size_t i = 0, taken; i < size; i += taken) {
		unsigned char c = (unsigned char)text[i];
		size_t control = control_size(text + i, size - i);

		taken = control ? control : 1;
		if (!control) {
			buffer_add(bytes, &text[i], 1);
		} else if (c < sizeof(letters) && letters[c]) {
			buffer_add(bytes, "\\", 1);
			buffer_add(bytes, &letters[c], 1);
		} else {
			buffer_add(bytes, "??", control);
		}
	}
}

static void add_cell(struct table *table, int column, const char *text, size_t size)
{
	struct cell cell = {.at = table->bytes.size};
	size_t width;

	add_clean(&table->bytes, text, size);
	cell.size = table->bytes.size - cell.at;
	buffer_add(&table->cells, &cell, sizeof(cell));
	width = characters((const char *)table->bytes.bytes + cell.at, cell.size);
	if (width > table->widths[column])
		table->widths[column] = width;
}

static void add_row(struct table *table, sqlite3_stmt *statement)
{
	struct output *memory = &table->memory;

	for (int i = 0; i < table->columns; i++) {
		int type = sqlite3_column_type(statement, i);

		if (type == SQLITE_TEXT || type == SQLITE_BLOB)
			table->numbers[i] = false;
		memory->next = memory->buffer;
		put_plain(memory, statement, i);
		if (memory->error)
			die("out of memory");
		add_cell(table, i, memory->buffer, (size_t)(memory->next - memory->buffer));
	}
}

static void put_blanks(struct output *output, size_t count)
{
	while (count-- > 0)
		output_char(output, ' ');
}

/* The rows that are kept, which are forgotten then. */
static void put_rows(struct table *table)
{
	const struct cell *cells = (const struct cell *)table->cells.bytes;
	size_t count = table->cells.size / sizeof(*cells);

	for (size_t i = 0; i < count; i++) {
		int column = (int)(i % (size_t)table->columns);
		bool last = column == table->columns - 1;
		const char *text = (const char *)table->bytes.bytes + cells[i].at;
		size_t used = characters(text, cells[i].size), room = table->widths[column];
		size_t blanks = used < room ? room - used : 0;

		if (table->numbers[column])
			put_blanks(table->output, blanks);
		output_bytes(table->output, text, cells[i].size);
		if (!table->numbers[column] && !last)
			put_blanks(table->output, blanks);
		output_text(table->output, last ? "\n" : "  ");
	}
	buffer_clear(&table->bytes);
	buffer_clear(&table->cells);
}

static void table_init(struct table *table, struct output *output, sqlite3_stmt *statement)
{
	*table = (struct table){.output = output, .columns = sqlite3_column_count(statement)};
	table->widths = calloc((size_t)table->columns + 1, sizeof(*table->widths));
	table->numbers = malloc((size_t)table->columns + 1);
	if (!table->widths || !table->numbers || output_memory(&table->memory))
		die("out of memory");
	for (int i = 0; i < table->columns; i++) {
		const char *name = sqlite3_column_name(statement, i);

		table->numbers[i] = true;
		add_cell(table, i, name, strlen(name));
	}
}

static void table_release(struct table *table)
{
	free(table->widths);
	free(table->numbers);
	buffer_release(&table->bytes);
	buffer_release(&table->cells);
	output_cancel(&table->memory);
}

int sql_table_text(struct output *output, sqlite3_stmt *statement)
{
	struct table table;
	unsigned rows = 0;
	int result;

	table_init(&table, output, statement);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW && !output->error) {
		add_row(&table, statement);
		if (++rows >= ROWS_LOOKED_AT)
			put_rows(&table);
	}
	if (table.columns > 0)
		put_rows(&table);
	table_release(&table);
	return result;
}

/* ---- CSV ---- */

/* What is NULL is empty; a text that is empty has quotes. */
static void put_csv(struct output *output, sqlite3_stmt *statement, int column,
		    struct output *memory)
{
	if (sqlite3_column_type(statement, column) != SQLITE_TEXT) {
		put_plain(output, statement, column);
		return;
	}
	memory->next = memory->buffer;
	put_text(memory, statement, column);
	output_char(memory, '\0');
	if (memory->error)
		die("out of memory");
	output_csv(output, memory->buffer);
}

int sql_table_csv(struct output *output, sqlite3_stmt *statement)
{
	int columns = sqlite3_column_count(statement), result;
	struct output memory;

	if (output_memory(&memory))
		die("out of memory");
	for (int i = 0; i < columns; i++) {
		output_text(output, i ? "," : "");
		output_csv(output, sqlite3_column_name(statement, i));
	}
	output_char(output, '\n');
	while ((result = sqlite3_step(statement)) == SQLITE_ROW && !output->error) {
		for (int i = 0; i < columns; i++) {
			output_text(output, i ? "," : "");
			put_csv(output, statement, i, &memory);
		}
		output_char(output, '\n');
	}
	output_cancel(&memory);
	return result;
}

/* ---- JSON ---- */

static void put_json(struct output *output, sqlite3_stmt *statement, int column)
{
	switch (sqlite3_column_type(statement, column)) {
	case SQLITE_INTEGER:
		json_integer(output, sqlite3_column_int64(statement, column));
		break;
	case SQLITE_FLOAT:
		json_double(output, sqlite3_column_double(statement, column));
		break;
	case SQLITE_BLOB:
		output_char(output, '"');
		put_value(output, statement, column);
		output_char(output, '"');
		break;
	case SQLITE_TEXT:
		json_string(output, (const char *)sqlite3_column_text(statement, column),
			    (size_t)sqlite3_column_bytes(statement, column), false);
		break;
	default:
		output_text(output, "null");
		break;
	}
}

int sql_table_json(struct output *output, sqlite3_stmt *statement)
{
	int columns = sqlite3_column_count(statement), result;
	bool first = true;

	output_char(output, '[');
	while ((result = sqlite3_step(statement)) == SQLITE_ROW && !output->error) {
		output_text(output, first ? "\n{" : ",\n{");
		first = false;
		for (int i = 0; i < columns; i++) {
			const char *name = sqlite3_column_name(statement, i);

			output_text(output, i ? ", " : "");
			json_string(output, name, strlen(name), false);
			output_text(output, ": ");
			put_json(output, statement, i);
		}
		output_char(output, '}');
	}
	output_text(output, "\n]");
	return result;
}
