/* SPDX-License-Identifier: MIT */
/* pybatches.c - recorder._reader.Batches: records as columns, so many at a time. */
#include <errno.h>

#include "table.h"

#define ROWS_FIRST 4096
#define ROWS_FORESEEN (1u << 24) /* the number is the trace's word only */
#define COLUMNS_MAX 256

struct py_batches {
	PyObject_HEAD struct py_trace *trace;
	struct py_filter filter;
	struct reader_cursor *cursor;
	struct table table;
	bool busy; /* a thread fills rows */
};

/* Rows to begin with: as many as there will be, if the filter leaves nothing out. */
static size_t first_room(const struct py_batches *self)
{
	struct reader_info info = {.sz = sizeof(info)};
	size_t rows = ROWS_FIRST;

	if (!self->filter.chooses && !reader_info(self->trace->trace, &info) &&
	    info.stored + info.in_flight > rows)
		rows = info.stored + info.in_flight < ROWS_FORESEEN ? info.stored + info.in_flight
								    : ROWS_FORESEEN;
	return rows;
}

/* Gives the arrays away. */
static PyObject *take_columns(struct table *table, Py_ssize_t rows)
{
	PyObject *list = PyList_New(table->column_count);

	for (unsigned i = 0; list && i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		PyObject *made = column_new(column->kind, table_take(table, i), rows);

		if (!made)
			Py_CLEAR(list);
		else
			PyList_SET_ITEM(list, column->position, made);
	}
	return list;
}

static PyObject *batches_next(struct py_batches *self, PyObject *most)
{
	Py_ssize_t rows = PyLong_AsSsize_t(most);
	int64_t filled;

	if (rows <= 0 || rows > PY_SSIZE_T_MAX / 16) {
		if (!PyErr_Occurred())
			PyErr_SetString(PyExc_ValueError, "so many rows cannot be");
		return NULL;
	}
	if (self->busy) {
		PyErr_SetString(PyExc_RuntimeError, "another thread is using these columns");
		return NULL;
	}
	self->busy = true;
	self->trace->looping++;
	Py_BEGIN_ALLOW_THREADS filled =
		table_fill(&self->table, self->cursor, first_room(self), (size_t)rows);
	Py_END_ALLOW_THREADS self->trace->looping--;
	self->busy = false;
	if (filled == -ENOMEM)
		return PyErr_NoMemory();
	if (filled < 0) {
		py_cursor_error(self->trace, (int)filled);
		return NULL;
	}
	return take_columns(&self->table, (Py_ssize_t)filled);
}

/* Paths from number `first` on. */
static PyObject *batches_files(struct py_batches *self, PyObject *first)
{
	long long from = PyLong_AsLongLong(first);
	PyObject *list;

	if (from == -1 && PyErr_Occurred())
		return NULL;
	if (self->busy) {
		PyErr_SetString(PyExc_RuntimeError, "another thread is using these columns");
		return NULL;
	}
	list = PyList_New(0);
	for (long long i = from < 0 ? 0 : from; list && i < self->table.files.count; i++) {
		PyObject *path = text_of(self->table.files.all[i]);

		if (!path || PyList_Append(list, path))
			Py_CLEAR(list);
		Py_XDECREF(path);
	}
	return list;
}

static void batches_dealloc(struct py_batches *self)
{
	reader_cursor_free(self->cursor);
	py_filter_release(&self->filter);
	table_release(&self->table);
	trace_leave(self->trace);
	PyObject_Free(self);
}

static int add_column(struct table *table, PyObject *object)
{
	const char *name = PyUnicode_Check(object) ? PyUnicode_AsUTF8(object) : NULL;
	const struct column_kind *kind = name ? column_kind(name) : NULL;

	if (!kind) {
		PyErr_Format(error_filter, "%R is no column", object);
		return -1;
	}
	if (table_add(table, kind, name)) {
		PyErr_NoMemory();
		return -1;
	}
	return 0;
}

static int add_columns(struct py_batches *self, PyObject *names)
{
	Py_ssize_t count = PySequence_Size(names);

	if (count < 0)
		return -1;
	if (count > COLUMNS_MAX) {
		PyErr_SetString(error_filter, "too many columns");
		return -1;
	}
	if (table_open(&self->table, self->trace->trace, (size_t)count)) {
		PyErr_NoMemory();
		return -1;
	}
	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *name = PySequence_GetItem(names, i);
		int error = name ? add_column(&self->table, name) : -1;

		Py_XDECREF(name);
		if (error)
			return -1;
	}
	table_group(&self->table);
	return 0;
}

PyObject *batches_new(struct py_trace *trace, PyObject *names, PyObject *keywords)
{
	struct py_batches *self = PyObject_New(struct py_batches, &batches_type);

	if (!self)
		return NULL;
	self->cursor = NULL;
	self->table = (struct table){0};
	self->busy = false;
	self->trace = trace;
	trace_use(trace);
	if (!py_filter_parse(&self->filter, keywords) && !add_columns(self, names))
		self->cursor = py_filter_cursor(trace, &self->filter);
	if (!self->cursor)
		Py_CLEAR(self);
	return (PyObject *)self;
}

static PyMethodDef batches_methods[] = {
	{"next", (PyCFunction)batches_next, METH_O,
	 "next(rows): [Column], of so many records or of what is left."},
	{"files", (PyCFunction)batches_files, METH_O,
	 "files(first): paths by number, from this one."},
	{NULL, NULL, 0, NULL}};

PyTypeObject batches_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._reader.Batches",
	.tp_basicsize = sizeof(struct py_batches),
	.tp_dealloc = (destructor)batches_dealloc,
	.tp_flags = Py_TPFLAGS_DEFAULT,
	.tp_doc = "Records as columns.",
	.tp_methods = batches_methods,
};
