/* SPDX-License-Identifier: MIT */
/*
 * face.h - the C half of the Python package `recorder`: the module recorder._reader over libreader.
 *
 * Who keeps what alive: a Trace holds the open trace. Cursors, batches and records hold a reference to their Trace and count as
 * its users (trace_use(), trace_leave()). Trace.close() ends what can be asked of the Trace; the trace itself is closed when it
 * has been asked to and the last user is gone, so that records which a program still has keep all they say. A record is a copy,
 * no pointer into a cursor.
 *
 * Loops over records without a result for Python (columns, counts) run without the interpreter's lock. Each has a cursor of its
 * own; `looping` counts them, as reader_verify() must be alone with a trace.
 */
#ifndef RECORDER_PYTHON_FACE_H
#define RECORDER_PYTHON_FACE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include <recorder/reader.h>

struct py_trace {
	PyObject_HEAD struct reader *trace; /* NULL: closed */
	PyTypeObject *record_type;
	unsigned users, looping;
	bool closed;               /* by close(); `trace` may still be there for users */
	struct reader_tags **tags; /* of each stream, NULL: not asked for yet */
	unsigned tags_count;
};

struct py_record {
	PyObject_HEAD struct py_trace *trace;
	struct recorder_record record; /* its args, bytes and elements are in `block` */
	void *block;
};

/* A filter and the Python strings that it points to. */
struct py_filter {
	struct reader_filter filter;
	PyObject *kept; /* list */
	bool chooses;   /* it may leave records out */
};

/* Exceptions: all are of Error */
extern PyObject *error_any, *error_not_found, *error_not_a_trace, *error_newer, *error_filter,
	*error_closed;

extern PyTypeObject trace_type, record_type, cursor_type, batches_type, column_type;

/* The open trace, or NULL with ClosedError. */
struct reader *trace_open_one(struct py_trace *self);
void trace_use(struct py_trace *self);
void trace_leave(struct py_trace *self);

/* 0, or -1 with an exception. py_filter_release() must follow in both cases. */
int py_filter_parse(struct py_filter *filter, PyObject *keywords);
void py_filter_release(struct py_filter *filter);
/* A cursor of the trace, or NULL with FilterError or MemoryError. */
struct reader_cursor *py_filter_cursor(struct py_trace *trace, const struct py_filter *filter);
/* Raises what stopped a cursor. */
void py_cursor_error(const struct py_trace *trace, int status);

/* Trace.cursor(), Trace.batches(), Trace.count(), Trace.pages(), Trace.summary() */
PyObject *cursor_new(struct py_trace *trace, PyObject *keywords);
PyObject *batches_new(struct py_trace *trace, PyObject *names, PyObject *keywords);
PyObject *count_records(struct py_trace *trace, PyObject *keywords);
PyObject *find_pages(struct py_trace *trace, unsigned long long page, PyObject *keywords);
PyObject *summary_dict(struct py_trace *trace, unsigned jobs, PyObject *keywords);
/* {"epoch": 1, ...} of a record of the trace, from the regions around the call */
PyObject *tags_dict(struct py_trace *trace, const struct recorder_record *record);
void tags_release(struct py_trace *trace);
PyObject *record_new(struct py_trace *trace, const struct recorder_record *record);

/* Texts of a trace are bytes that need not be UTF-8: as os.fsdecode(). */
PyObject *text_of(const char *bytes);

/* {name: value} of what the library tells; each a new reference, or NULL with an exception */
PyObject *info_dict(const struct reader *trace);
PyObject *stream_dict(const struct reader *trace, unsigned index);
PyObject *thread_list(const struct reader *trace, unsigned stream);
PyObject *function_list(const struct reader *trace);
PyObject *loss_list(const struct reader *trace, unsigned stream);
PyObject *problem_list(const struct reader *trace);
PyObject *meta_dict(const struct reader *trace, unsigned stream);
PyObject *file_dict(const struct reader *trace, unsigned stream, uint32_t id);
PyObject *file_list(const struct reader *trace, unsigned stream);
PyObject *object_dict(const struct reader *trace, const char *kind, unsigned stream, uint32_t id);

#endif
