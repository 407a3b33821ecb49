/* SPDX-License-Identifier: MIT */
/* sqlquery.c - see sqlquery.h */
#include "sqlquery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* The columns of the two tables that have many, by name; what the authorizer is asked about. */
struct watch {
	struct sql_query *query;
	sqlite3_stmt *records, *in_flight; /* SELECT *, for their names */
	bool denied;
};

static uint64_t column_bit(sqlite3_stmt *all, const char *name)
{
	for (int i = 0; i < sqlite3_column_count(all) && i < 63; i++)
		if (!strcmp(sqlite3_column_name(all, i), name))
			return UINT64_C(1) << (i + 1);
	return 0;
}

static void note_read(struct watch *watch, const char *table, const char *column)
{
	if (!strcmp(table, "records"))
		/* without a column: only the number of rows is asked for */
		watch->query->records |= 1 | column_bit(watch->records, column);
	else if (!strcmp(table, "in_flight"))
		watch->query->in_flight |= 1 | column_bit(watch->in_flight, column);
	else if (!strcmp(table, "callsites"))
		watch->query->callsites = true;
}

static bool only_tells(const char *pragma)
{
	static const char *const harmless[] = {"table_info",    "table_xinfo",  "table_list",
					       "index_list",    "index_info",   "index_xinfo",
					       "function_list", "user_version", NULL};

	for (unsigned i = 0; harmless[i]; i++)
		if (!strcmp(pragma, harmless[i]))
			return true;
	return false;
}

static int authorize(void *data, int action, const char *first, const char *second,
		     const char *database, const char *trigger)
{
	struct watch *watch = data;

	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_READ:
		note_read(watch, first, second);
		return SQLITE_OK;
	case SQLITE_SELECT:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_PRAGMA:
		/* with a value user_version would be set */
		if (only_tells(first) && (!second || strcmp(first, "user_version") != 0))
			return SQLITE_OK;
		break;
	default:
		break;
	}
	watch->denied = true;
	return SQLITE_DENY;
}

static void add(struct sql_query *query, sqlite3_stmt *statement)
{
	query->statements =
		realloc(query->statements, (query->count + 1) * sizeof(*query->statements));
	if (!query->statements)
		die("out of memory");
	query->statements[query->count++] = statement;
}

static const char *prepare_all(struct sql_query *query, struct watch *watch, struct sqlbase *base,
			       const char *text)
{
	static char problem[1024];

	while (*text) {
		sqlite3_stmt *statement = NULL;
		int result = sqlite3_prepare_v2(base->db, text, -1, &statement, &text);

		if (watch->denied)
			snprintf(problem, sizeof(problem),
				 "only statements that read are taken here (recorder2sqlite makes "
				 "a file for others)");
		else if (result)
			snprintf(problem, sizeof(problem), "%s", sqlite3_errmsg(base->db));
		if (result)
			return problem;
		if (statement && sqlite3_bind_parameter_count(statement) > 0) {
			sqlite3_finalize(statement);
			return "parameters (?, :name) have no values here";
		}
		if (statement)
			add(query, statement);
	}
	return query->count ? NULL : "there is no statement in the query";
}

/* SQLite makes such a table when it is first named, which the authorizer would take for a change. */
static void make_functions(struct sqlbase *base)
{
	static const char *const tables[] = {"json_each",         "json_tree",
					     "pragma_table_info", "pragma_table_xinfo",
					     "pragma_table_list", "pragma_index_list",
					     "pragma_index_info", NULL};
	char text[64];

	for (unsigned i = 0; tables[i]; i++) {
		sqlite3_stmt *statement = NULL;

		snprintf(text, sizeof(text), "SELECT * FROM %s", tables[i]);
		sqlite3_prepare_v2(base->db, text, -1, &statement, NULL);
		sqlite3_finalize(statement);
	}
}

const char *sql_query_prepare(struct sql_query *query, struct sqlbase *base, const char *text)
{
	struct watch watch = {.query = query};
	const char *problem;

	memset(query, 0, sizeof(*query));
	watch.records = sqlbase_prepare(base, "SELECT * FROM records");
	watch.in_flight = sqlbase_prepare(base, "SELECT * FROM in_flight");
	make_functions(base);
	sqlite3_set_authorizer(base->db, authorize, &watch);
	problem = prepare_all(query, &watch, base, text);
	sqlite3_set_authorizer(base->db, NULL, NULL);
	sqlite3_finalize(watch.records);
	sqlite3_finalize(watch.in_flight);
	return problem;
}

void sql_query_release(struct sql_query *query)
{
	for (unsigned i = 0; i < query->count; i++)
		sqlite3_finalize(query->statements[i]);
	free(query->statements);
	memset(query, 0, sizeof(*query));
}
