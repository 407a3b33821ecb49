/* SPDX-License-Identifier: MIT */
/*
 * sqlschema.h - the tables and views of a trace as a database: doc/sql.md.
 */
#ifndef RECORDER_TOOLS_SQLSCHEMA_H
#define RECORDER_TOOLS_SQLSCHEMA_H

/* Raised when a name goes or means something else. */
#define SQL_SCHEMA_VERSION 1

extern const char sql_tables[];
/* One statement each, to be run in this order when all rows are there; ends with NULL. */
extern const char *const sql_indices[];
/* Behind them. */
extern const char sql_statistics[];

struct sql_view {
	const char *name;
	const char *query; /* what stands behind CREATE VIEW name AS */
};

/* Ends with a name of NULL; those that others use come before them. */
extern const struct sql_view sql_views[];

#endif
