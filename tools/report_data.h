/* SPDX-License-Identifier: MIT */
/*
 * report_data.h - what the page of `recorder report` shows, as JSON.
 *
 *	{"trace": {...}, "functions": {"columns": ["layer", ...], "rows": [["posix", ...], ...]}, ...}
 *
 * Tables are a list of names and a list of rows, for they can be long. Times are whole nanoseconds. No table has more than REPORT_ROWS rows, however long the
 * trace; what a table leaves out is its "rest": how many rows, and their sums.
 */
#ifndef RECORDER_TOOLS_REPORT_DATA_H
#define RECORDER_TOOLS_REPORT_DATA_H

#include "summaries.h"

#define REPORT_ROWS 1000u

/* The document. `command` is how the report was asked for. 0 or the error of `output`. */
int report_data(struct output *output, const struct summary *summary, const char *command);

/* ---- for its parts ---- */

/* Compact JSON: a comma where one is needed, the key if there is one, and then what opens, if any. */
struct report_json {
	struct output *output;
	bool filled;
};

void report_open(struct report_json *json, const char *key, char open);
void report_close(struct report_json *json, char close);
/* The first REPORT_TEXT bytes. */
#define REPORT_TEXT 4096u
void report_text(struct report_json *json, const char *key, const char *text);
void report_number(struct report_json *json, const char *key, int64_t value);
void report_count(struct report_json *json, const char *key, uint64_t value);
void report_bool(struct report_json *json, const char *key, bool value);
/* The begin of a table: names separated by blanks; rows follow, then report_close() of ']' and, behind more keys, '}'. */
void report_table(struct report_json *json, const char *key, const char *columns);

/* What a rank is called that is none: "mpirun", a process beside a job that recorded, too. "" of the others. */
const char *report_rank_name(const struct summary *summary, const struct analysis_rank *rank);

/* Findings, layers, functions, ranks, files, errors. */
void report_tables(struct report_json *json, const struct summary *summary);
/* What happened when: by layer, and by rank; messages from rank to rank, communicators. */
void report_series(struct report_json *json, const struct summary *summary);
/* Processes, and the metadata of the trace and of its first process. */
void report_environment(struct report_json *json, const struct summary *summary);

#endif
