/* SPDX-License-Identifier: MIT */
/*
 * columns.h - records as columns: one array a field, which numpy and others take without copying.
 *
 * A Batches walks over records and fills as many rows as it is asked for (table.h). While it does, the interpreter's lock is free, so nothing of
 * Python is touched there: arrays grow by realloc(3). Each array then becomes a Column, which has the buffer protocol and owns it.
 */
#ifndef RECORDER_PYTHON_COLUMNS_H
#define RECORDER_PYTHON_COLUMNS_H

#include "face.h"

enum column_how {
	COLUMN_COPY,     /* a field of the record as it is */
	COLUMN_SECONDS,  /* one in ns as seconds */
	COLUMN_DURATION, /* tend - tstart in seconds */
	COLUMN_FUNCTION, /* number of its function's name; of its layer: in the order of first functions */
	COLUMN_LAYER,
	COLUMN_BYTES, /* reader_bytes() */
	COLUMN_FILE,  /* number of the path; -1 none */
	COLUMN_ARG,   /* the argument of a name; 0 where it is not there */
	COLUMN_KNOWN, /* whether it is there */
};

struct column_kind {
	const char *name;
	const char *format; /* of the module struct */
	enum column_how how;
	uint16_t at, size; /* COLUMN_COPY, COLUMN_SECONDS: in recorder_record */
};

/* By name, "arg:NAME" and "known:NAME" for arguments; NULL: there is none. */
const struct column_kind *column_kind(const char *name);

/* A Column of `count` items; `data` (of malloc(3), NULL if count is 0) is its own from then on, also on failure. */
PyObject *column_new(const struct column_kind *kind, void *data, Py_ssize_t count);

#endif
