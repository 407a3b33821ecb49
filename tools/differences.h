/* SPDX-License-Identifier: MIT */
/*
 * differences.h - two traces side by side: rows of both analyses that have one key, and settings that differ.
 *
 * A row is a layer, a function, a file or a rank; it has what each trace has of it. Rows come by how much their time has changed, most first.
 */
#ifndef RECORDER_TOOLS_DIFFERENCES_H
#define RECORDER_TOOLS_DIFFERENCES_H

#include <stdbool.h>

#include <recorder/analysis.h>

enum difference_table {
	DIFFERENCE_LAYERS,    /* time: self */
	DIFFERENCE_FUNCTIONS, /* time: self; what: the layer */
	DIFFERENCE_FILES,     /* time in calls; what: the class */
	DIFFERENCE_RANKS,     /* time from begin to end */
	DIFFERENCE_TABLES
};

/* "layers", "functions" ... */
const char *difference_table_name(enum difference_table table);

struct difference_side {
	bool there;
	uint64_t calls, errors;
	int64_t time, bytes_read, bytes_written;
};

struct difference {
	const char *what, *name; /* what: "" none */
	struct difference_side sides[2];
};

struct difference_setting {
	const char *name, *sides[2]; /* "" not there */
};

struct differences {
	struct difference *rows[DIFFERENCE_TABLES];
	unsigned counts[DIFFERENCE_TABLES];
	struct difference_setting *settings; /* by name */
	unsigned setting_count;
	char **texts; /* names that were made */
	unsigned text_count;
};

struct difference_trace {
	struct reader *trace;
	struct reader_info info;
	const struct analysis *analysis;
};

/* Of files those of a set of classes, see analysis_file_class_set(). Ends the process if there is no memory. Traces must outlive them. */
void differences_find(struct differences *differences, const struct difference_trace traces[2],
		      unsigned file_classes);
void differences_release(struct differences *differences);

/* By how much the time has grown. */
int64_t difference_time(const struct difference *row);
/* Calls, errors or bytes are not the same. */
bool difference_counts(const struct difference *row);

#endif
