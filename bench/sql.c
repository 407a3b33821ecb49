/* SPDX-License-Identifier: MIT */
/*
 * sql.c - what SQLite alone takes for the rows of a database: sql DATABASE NEW puts the table records of one into another, as
 * recorder2sqlite does, and makes the same indices. Prints "NAME VALUE" lines: rows, and CPU nanoseconds of each for the two.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROWS 10000 /* read, then written, so that reading is not measured */
#define COLUMNS_MAX 64

static sqlite3_value *values[ROWS][COLUMNS_MAX];

static void check(sqlite3 *db, int result)
{
	if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE)
		return;
	fprintf(stderr, "sql: %s\n", sqlite3_errmsg(db));
	exit(1);
}

static void run(sqlite3 *db, const char *text)
{
	check(db, sqlite3_exec(db, text, NULL, NULL, NULL));
}

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *text)
{
	sqlite3_stmt *statement;

	check(db, sqlite3_prepare_v2(db, text, -1, &statement, NULL));
	return statement;
}

/* The statements that made the table and its indices. */
static void copy_schema(sqlite3 *from, sqlite3 *to, const char *type)
{
	sqlite3_stmt *all = prepare(from, "SELECT sql FROM sqlite_master WHERE type = ? AND "
					  "tbl_name = 'records' AND sql IS NOT NULL");

	check(from, sqlite3_bind_text(all, 1, type, -1, SQLITE_STATIC));
	while (sqlite3_step(all) == SQLITE_ROW)
		run(to, (const char *)sqlite3_column_text(all, 0));
	sqlite3_finalize(all);
}

static int take(sqlite3_stmt *rows, int columns)
{
	int count = 0;

	while (count < ROWS && sqlite3_step(rows) == SQLITE_ROW) {
		for (int i = 0; i < columns; i++)
			values[count][i] = sqlite3_value_dup(sqlite3_column_value(rows, i));
		count++;
	}
	return count;
}

/* CPU ns */
static double put(sqlite3 *db, sqlite3_stmt *insert, int count, int columns)
{
	double begin = cpu_ns();

	run(db, "BEGIN");
	for (int row = 0; row < count; row++) {
		for (int i = 0; i < columns; i++)
			check(db, sqlite3_bind_value(insert, i + 1, values[row][i]));
		check(db, sqlite3_step(insert));
		check(db, sqlite3_reset(insert));
	}
	run(db, "COMMIT");
	begin = cpu_ns() - begin;
	for (int row = 0; row < count; row++)
		for (int i = 0; i < columns; i++)
			sqlite3_value_free(values[row][i]);
	return begin;
}

static sqlite3_stmt *prepare_insert(sqlite3 *db, int columns)
{
	char text[64 + 3 * COLUMNS_MAX];
	int used = snprintf(text, sizeof(text), "INSERT INTO records VALUES (?");

	for (int i = 1; i < columns; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, ", ?");
	snprintf(text + used, sizeof(text) - (size_t)used, ")");
	return prepare(db, text);
}

int main(int argc, char **argv)
{
	sqlite3 *from = NULL, *to = NULL;
	sqlite3_stmt *rows, *insert;
	double inserting = 0, indexing, all = 0;
	int columns, count;

	if (argc != 3)
		return 2;
	check(from, sqlite3_open(argv[1], &from));
	check(to, sqlite3_open(argv[2], &to));
	run(to,
	    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
	    "PRAGMA cache_size = -65536");
	copy_schema(from, to, "table");
	rows = prepare(from, "SELECT * FROM records");
	columns = sqlite3_column_count(rows);
	if (columns > COLUMNS_MAX)
		return 2;
	insert = prepare_insert(to, columns);
	do {
		count = take(rows, columns);
		inserting += put(to, insert, count, columns);
		all += count;
	} while (count == ROWS);
	sqlite3_finalize(rows);
	sqlite3_finalize(insert);
	indexing = cpu_ns();
	copy_schema(from, to, "index");
	run(to, "ANALYZE");
	indexing = cpu_ns() - indexing;
	sqlite3_close(from);
	sqlite3_close(to);
	printf("rows %.0f\ninsert %.1f\nindex %.1f\n", all, inserting / all, indexing / all);
	return 0;
}
