/* SPDX-License-Identifier: MIT */
/*
 * sqltable.h - results of statements as text, CSV or JSON, row by row: memory does not grow with their number.
 */
#ifndef RECORDER_TOOLS_SQLTABLE_H
#define RECORDER_TOOLS_SQLTABLE_H

#include <sqlite3.h>

#include "output.h"

/* Each steps a statement through. The last result of sqlite3_step(): SQLITE_DONE, or an error. */

/* Columns below their names, numbers to the right; as wide as the first rows need. Control characters are escaped. */
int sql_table_text(struct output *output, sqlite3_stmt *statement);
int sql_table_csv(struct output *output, sqlite3_stmt *statement);
/* An array of objects. */
int sql_table_json(struct output *output, sqlite3_stmt *statement);

#endif
