/* SPDX-License-Identifier: MIT */
/* pycursor.c - recorder._reader.Cursor: an iterator over records; and counting them. */
#include <errno.h>
#include <stdlib.h>

#include "face.h"

struct py_cursor {
	PyObject_HEAD struct py_trace *trace;
	struct py_filter filter;
	struct reader_cursor *cursor;
};

PyObject *cursor_new(struct py_trace *trace, PyObject *keywords)
{
	struct py_cursor *self = PyObject_New(struct py_cursor, &cursor_type);

	if (!self)
		return NULL;
	self->cursor = NULL;
	self->trace = trace;
	trace_use(trace);
	if (!py_filter_parse(&self->filter, keywords))
		self->cursor = py_filter_cursor(trace, &self->filter);
	if (!self->cursor)
		Py_CLEAR(self);
	return (PyObject *)self;
}

static void cursor_dealloc(struct py_cursor *self)
{
	reader_cursor_free(self->cursor);
	py_filter_release(&self->filter);
	trace_leave(self->trace);
	PyObject_Free(self);
}

static PyObject *cursor_next(struct py_cursor *self)
{
	const struct recorder_record *record = reader_next(self->cursor);
	int status;

	if (record)
		return record_new(self->trace, record);
	status = reader_cursor_status(self->cursor);
	if (status)
		py_cursor_error(self->trace, status);
	return NULL;
}

static PyObject *cursor_seek(struct py_cursor *self, PyObject *time)
{
	long long ns = PyLong_AsLongLong(time);
	int error;

	if (ns == -1 && PyErr_Occurred())
		return NULL;
	error = reader_seek(self->cursor, ns);
	if (error == -EINVAL)
		return PyErr_Format(error_filter, "only cursors by time can seek");
	if (error) {
		py_cursor_error(self->trace, error);
		return NULL;
	}
	Py_RETURN_NONE;
}

/* So many records are left out; how many there were. */
static PyObject *cursor_skip(struct py_cursor *self, PyObject *number)
{
	unsigned long long count = PyLong_AsUnsignedLongLong(number), skipped = 0;
	int status;

	if (count == (unsigned long long)-1 && PyErr_Occurred())
		return NULL;
	while (skipped < count && reader_next(self->cursor))
		skipped++;
	status = reader_cursor_status(self->cursor);
	if (status) {
		py_cursor_error(self->trace, status);
		return NULL;
	}
	return PyLong_FromUnsignedLongLong(skipped);
}

static PyMethodDef cursor_methods[] = {
	{"seek", (PyCFunction)cursor_seek, METH_O, "seek(ns): next is the first that begins then."},
	{"skip", (PyCFunction)cursor_skip, METH_O, "skip(n): leaves n records out."},
	{NULL, NULL, 0, NULL}};

PyTypeObject cursor_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._reader.Cursor",
	.tp_basicsize = sizeof(struct py_cursor),
	.tp_dealloc = (destructor)cursor_dealloc,
	.tp_flags = Py_TPFLAGS_DEFAULT,
	.tp_doc = "Records, one after the other.",
	.tp_iter = PyObject_SelfIter,
	.tp_iternext = (iternextfunc)cursor_next,
	.tp_methods = cursor_methods,
};

/* ---- counting ---- */

static PyObject *counts_tuple(uint64_t stored, const uint64_t *counts, unsigned functions)
{
	PyObject *list = PyList_New(functions);

	for (unsigned i = 0; list && i < functions; i++) {
		PyObject *number = PyLong_FromUnsignedLongLong(counts[i]);

		if (!number) {
			Py_CLEAR(list);
			break;
		}
		PyList_SET_ITEM(list, i, number);
	}
	return list ? Py_BuildValue("KN", (unsigned long long)stored, list) : NULL;
}

PyObject *count_records(struct py_trace *trace, PyObject *keywords)
{
	unsigned functions = reader_function_count(trace->trace);
	uint64_t stored = 0, *counts = PyMem_Calloc(functions + 1, sizeof(*counts));
	struct reader_cursor *cursor = NULL;
	struct py_filter filter;
	PyObject *result = NULL;
	int status;

	if (!counts)
		return PyErr_NoMemory();
	if (!py_filter_parse(&filter, keywords)) {
		filter.filter.order = READER_BY_END; /* the cheapest */
		cursor = py_filter_cursor(trace, &filter);
	}
	if (cursor) {
		const struct recorder_record *record;

		trace_use(trace);
		trace->looping++;
		Py_BEGIN_ALLOW_THREADS while ((record = reader_next(cursor)))
		{
			stored++;
			counts[record->func_id] += record->repeat;
		}
		Py_END_ALLOW_THREADS trace->looping--;
		status = reader_cursor_status(cursor);
		reader_cursor_free(cursor);
		if (status)
			py_cursor_error(trace, status);
		else
			result = counts_tuple(stored, counts, functions);
		trace_leave(trace);
	}
	py_filter_release(&filter);
	PyMem_Free(counts);
	return result;
}

/* ---- pages ---- */

struct marks {
	int64_t *
		all; /* pairs: tstart of the first record of a page, and how many before it began then */
	size_t count, room;
};

static int add_mark(struct marks *marks, int64_t tstart, int64_t before)
{
	if (marks->count == marks->room) {
		size_t room = marks->room ? 2 * marks->room : 64;
		int64_t *all = realloc(marks->all, 2 * room * sizeof(*all));

		if (!all)
			return -ENOMEM;
		marks->all = all;
		marks->room = room;
	}
	marks->all[2 * marks->count] = tstart;
	marks->all[2 * marks->count++ + 1] = before;
	return 0;
}

static int find_marks(struct marks *marks, struct reader_cursor *cursor, uint64_t page)
{
	const struct recorder_record *record;
	int64_t last = INT64_MIN, same = 0;
	int error = 0;

	for (uint64_t i = 0; !error && (record = reader_next(cursor)); i++) {
		same = i > 0 && record->tstart == last ? same + 1 : 0;
		last = record->tstart;
		if (i % page == 0)
			error = add_mark(marks, last, same);
	}
	return error ? error : reader_cursor_status(cursor);
}

PyObject *find_pages(struct py_trace *trace, unsigned long long page, PyObject *keywords)
{
	struct reader_cursor *cursor = NULL;
	struct py_filter filter;
	struct marks marks = {0};
	PyObject *result = NULL;
	int error;

	if (!py_filter_parse(&filter, keywords))
		cursor = py_filter_cursor(trace, &filter);
	if (cursor) {
		trace_use(trace);
		trace->looping++;
		Py_BEGIN_ALLOW_THREADS error = find_marks(&marks, cursor, page);
		Py_END_ALLOW_THREADS trace->looping--;
		reader_cursor_free(cursor);
		if (error)
			py_cursor_error(trace, error);
		else
			result = PyBytes_FromStringAndSize(
				(char *)marks.all, (Py_ssize_t)(2 * marks.count * sizeof(int64_t)));
		trace_leave(trace);
	}
	free(marks.all);
	py_filter_release(&filter);
	return result;
}
