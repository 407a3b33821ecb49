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

#include "json.h"
#include "summaries.h"

#define REPORT_ROWS 1000u

/* The document. `command` is how the report was asked for. 0 or the error of `output`. */
int report_data(struct output *output, const struct summary *summary, const char *command);

/* ---- for its parts ---- */

/* The first REPORT_TEXT bytes. */
#define REPORT_TEXT 4096u
void report_text(struct json *json, const char *key, const char *text);
/* The begin of a table: names separated by blanks; rows follow, then one of its ends. */
void report_table(struct json *json, const char *key, const char *columns);
void report_end_table(struct json *json);
/* Of one that has not all rows: how many there are. */
void report_end_part(struct json *json, unsigned all);

/* Names of the columns that report_sums() fills. */
#define REPORT_SUMS " calls errors time self bytes_read bytes_written"
void report_sums(struct json *json, const struct analysis_sums *sums);
/* The end of a table: how many rows are not in it, and their sums. */
void report_rest(struct json *json, unsigned count, const struct analysis_sums *sums);

/* The weight of a row, by its number. */
#define REPORT_NEVER INT64_MIN
typedef int64_t report_weight(const void *data, unsigned number);
/* No row is marked. To be freed. */
bool *report_marks(unsigned count);
/* Marks the `most` rows with the largest weights, of equal ones the first; none with REPORT_NEVER. */
void report_mark_largest(bool *marked, unsigned count, unsigned most, report_weight *weight,
			 const void *data);

/* A line of at most 1,024 cells of a picture, as a string; `most`: the largest of the picture. report/heat.js reads it. */
void report_line(struct json *json, const int64_t *cells, unsigned count, int64_t most);

/* What a rank is called that is none: "mpirun", a process beside a job that recorded, too. "" of the others. */
const char *report_rank_name(const struct summary *summary, const struct analysis_rank *rank);

/* Findings, layers, functions, files, errors. */
void report_tables(struct json *json, const struct summary *summary);
/* Ranks beside each other. */
void report_ranks(struct json *json, const struct summary *summary);
/* What happened when: by layer, and by rank; messages from rank to rank, communicators. */
void report_series(struct json *json, const struct summary *summary);
/* The places in the program that calls were made from, by time. */
void report_sites(struct json *json, const struct summary *summary);
/* Who waited for whom in MPI. */
void report_waits(struct json *json, const struct summary *summary);
/* What happened at the same time, by file system, and in bursts. */
void report_time(struct json *json, const struct summary *summary);
/* What each epoch and step did, and each process in them. */
void report_phases(struct json *json, const struct summary *summary);
/* What CPUs, GPUs, disks and processes did, by samplers. */
void report_usage(struct json *json, const struct summary *summary);
/* Where in files bytes were moved. */
void report_offsets(struct json *json, const struct summary *summary);
/* Which ranks touch the same bytes. */
void report_conflicts(struct json *json, const struct summary *summary);
/* Processes, and the metadata of the trace and of its first process. */
void report_environment(struct json *json, const struct summary *summary);

#endif
