/* SPDX-License-Identifier: MIT */
/* pytrace.c - recorder._reader.Trace: an open trace. */
#include <errno.h>
#include <string.h>

#include "face.h"

#define JOBS_MAX 256u

struct reader *trace_open_one(struct py_trace *self)
{
	if (self->trace && !self->closed)
		return self->trace;
	PyErr_SetString(error_closed, "the reader has been closed");
	return NULL;
}

static void close_unused(struct py_trace *self)
{
	if (self->users || !self->closed)
		return;
	tags_release(self);
	reader_close(self->trace);
	self->trace = NULL;
}

void trace_use(struct py_trace *self)
{
	Py_INCREF(self);
	self->users++;
}

void trace_leave(struct py_trace *self)
{
	self->users--;
	close_unused(self);
	Py_DECREF(self);
}

static void raise_open(const char *path, int error)
{
	PyObject *class = error == ENOENT || error == ENOTDIR ? error_not_found
			  : error == EINVAL                   ? error_not_a_trace
			  : error == EPROTO                   ? error_newer
							      : error_any;
	const char *told = reader_error(NULL);

	if (error == ENOMEM) {
		PyErr_NoMemory();
		return;
	}
	PyErr_Format(class, "%s", *told ? told : path);
}

static int trace_init(struct py_trace *self, PyObject *args, PyObject *keywords)
{
	static char path_name[] = "path", type_name[] = "record_type", live_name[] = "live";
	static char *names[] = {path_name, type_name, live_name, NULL};
	struct reader_options options = {.sz = sizeof(options)};
	PyObject *path = NULL;
	PyTypeObject *type = &record_type;
	int live = 1, error;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|O!p", names, PyUnicode_FSConverter,
					 &path, &PyType_Type, &type, &live))
		return -1;
	if (self->trace || !PyType_IsSubtype(type, &record_type)) {
		Py_DECREF(path);
		PyErr_SetString(PyExc_TypeError, "one trace, and a class of records");
		return -1;
	}
	options.ignore_live = !live;
	Py_BEGIN_ALLOW_THREADS self->trace = reader_open(PyBytes_AS_STRING(path), &options);
	error = errno;
	Py_END_ALLOW_THREADS if (self->trace)
	{
		Py_INCREF(type);
		self->record_type = type;
	}
	else
	{
		raise_open(PyBytes_AS_STRING(path), error);
	}
	Py_DECREF(path);
	return self->trace ? 0 : -1;
}

static void trace_dealloc(struct py_trace *self)
{
	/* users hold references: there are none */
	tags_release(self);
	reader_close(self->trace);
	Py_XDECREF(self->record_type);
	Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *trace_close(struct py_trace *self, PyObject *none)
{
	(void)none;
	self->closed = true;
	close_unused(self);
	Py_RETURN_NONE;
}

static PyObject *trace_info(struct py_trace *self, PyObject *none)
{
	struct reader *trace = trace_open_one(self);

	(void)none;
	return trace ? info_dict(trace) : NULL;
}

static PyObject *trace_functions(struct py_trace *self, PyObject *none)
{
	struct reader *trace = trace_open_one(self);

	(void)none;
	return trace ? function_list(trace) : NULL;
}

static PyObject *trace_problems(struct py_trace *self, PyObject *none)
{
	struct reader *trace = trace_open_one(self);

	(void)none;
	return trace ? problem_list(trace) : NULL;
}

/* The number of a stream that there is, and that of one for all where `global` is allowed: -1. */
static int stream_number(const struct reader *trace, PyObject *object, bool global,
			 unsigned *stream)
{
	struct reader_info info = {.sz = sizeof(info)};
	long long number = PyLong_AsLongLong(object);

	if (number == -1 && PyErr_Occurred())
		return -1;
	reader_info(trace, &info);
	if (global && number == -1) {
		*stream = READER_GLOBAL;
		return 0;
	}
	if (number < 0 || number >= info.streams) {
		PyErr_Format(PyExc_IndexError, "no stream %lld", number);
		return -1;
	}
	*stream = (unsigned)number;
	return 0;
}

static PyObject *of_stream(struct py_trace *self, PyObject *number, bool global,
			   PyObject *(*give)(const struct reader *, unsigned))
{
	struct reader *trace = trace_open_one(self);
	unsigned stream;

	if (!trace || stream_number(trace, number, global, &stream))
		return NULL;
	return give(trace, stream);
}

static PyObject *trace_stream(struct py_trace *self, PyObject *number)
{
	return of_stream(self, number, false, stream_dict);
}

static PyObject *trace_threads(struct py_trace *self, PyObject *number)
{
	return of_stream(self, number, false, thread_list);
}

static PyObject *trace_losses(struct py_trace *self, PyObject *number)
{
	return of_stream(self, number, false, loss_list);
}

static PyObject *trace_files(struct py_trace *self, PyObject *number)
{
	return of_stream(self, number, false, file_list);
}

static PyObject *trace_meta(struct py_trace *self, PyObject *number)
{
	return of_stream(self, number, true, meta_dict);
}

static PyObject *trace_object(struct py_trace *self, PyObject *args)
{
	struct reader *trace = trace_open_one(self);
	const char *kind;
	PyObject *number;
	unsigned stream;
	long long id;

	if (!trace || !PyArg_ParseTuple(args, "sOL", &kind, &number, &id) ||
	    stream_number(trace, number, false, &stream))
		return NULL;
	if (id < 0 || id > UINT32_MAX)
		Py_RETURN_NONE;
	return object_dict(trace, kind, stream, (uint32_t)id);
}

static PyObject *trace_verify(struct py_trace *self, PyObject *none)
{
	struct reader *trace = trace_open_one(self);
	int found;

	(void)none;
	if (!trace)
		return NULL;
	if (self->looping) {
		PyErr_SetString(PyExc_RuntimeError, "another thread is reading the trace");
		return NULL;
	}
	/* with the interpreter's lock: nobody else may read meanwhile */
	found = reader_verify(trace);
	if (found == -ENOMEM)
		return PyErr_NoMemory();
	if (found < 0)
		return PyErr_Format(error_any, "%s", reader_error(trace));
	return PyLong_FromLong(found);
}

/* Only keywords, each a condition of a filter. */
static PyObject *by_filter(struct py_trace *self, PyObject *args, PyObject *keywords,
			   PyObject *(*give)(struct py_trace *, PyObject *))
{
	if (!trace_open_one(self) || !PyArg_ParseTuple(args, ""))
		return NULL;
	return give(self, keywords);
}

static PyObject *trace_cursor(struct py_trace *self, PyObject *args, PyObject *keywords)
{
	return by_filter(self, args, keywords, cursor_new);
}

static PyObject *trace_count(struct py_trace *self, PyObject *args, PyObject *keywords)
{
	return by_filter(self, args, keywords, count_records);
}

static PyObject *trace_batches(struct py_trace *self, PyObject *args, PyObject *keywords)
{
	PyObject *columns;

	if (!trace_open_one(self) || !PyArg_ParseTuple(args, "O", &columns))
		return NULL;
	return batches_new(self, columns, keywords);
}

static PyObject *trace_pages(struct py_trace *self, PyObject *args, PyObject *keywords)
{
	unsigned long long page;

	if (!trace_open_one(self) || !PyArg_ParseTuple(args, "K", &page))
		return NULL;
	if (page == 0)
		return PyErr_Format(PyExc_ValueError, "a page has records");
	return find_pages(self, page, keywords);
}

static PyObject *trace_summary(struct py_trace *self, PyObject *args, PyObject *keywords)
{
	unsigned jobs;

	if (!trace_open_one(self) || !PyArg_ParseTuple(args, "I", &jobs))
		return NULL;
	return summary_dict(self, jobs > JOBS_MAX ? JOBS_MAX : jobs, keywords);
}

static PyObject *trace_closed(struct py_trace *self, void *none)
{
	(void)none;
	return PyBool_FromLong(self->closed || !self->trace);
}

static PyMethodDef trace_methods[] = {
	{"close", (PyCFunction)trace_close, METH_NOARGS,
	 "Ends the trace; records stay as they are."},
	{"info", (PyCFunction)trace_info, METH_NOARGS, "What is known of the trace as a whole."},
	{"functions", (PyCFunction)trace_functions, METH_NOARGS,
	 "[(name, layer, result kind, ((name, kind), ...))] by number."},
	{"problems", (PyCFunction)trace_problems, METH_NOARGS, "Lines of text."},
	{"stream", (PyCFunction)trace_stream, METH_O, "What is known of stream number N."},
	{"threads", (PyCFunction)trace_threads, METH_O, "Those of stream number N."},
	{"losses", (PyCFunction)trace_losses, METH_O, "[(reason, records)] of stream number N."},
	{"files", (PyCFunction)trace_files, METH_O, "Those of stream number N."},
	{"meta", (PyCFunction)trace_meta, METH_O, "Metadata of stream number N; -1: of the trace."},
	{"object", (PyCFunction)trace_object, METH_VARARGS,
	 "object(kind, stream, id): a file, comm, datatype, mpi_file, win or hid; None: unknown."},
	{"verify", (PyCFunction)trace_verify, METH_NOARGS,
	 "Reads everything and checks it; the number of problems."},
	{"cursor", (PyCFunction)(void (*)(void))trace_cursor, METH_VARARGS | METH_KEYWORDS,
	 "Records one by one."},
	{"count", (PyCFunction)(void (*)(void))trace_count, METH_VARARGS | METH_KEYWORDS,
	 "(stored records, [calls of each function])."},
	{"pages", (PyCFunction)(void (*)(void))trace_pages, METH_VARARGS | METH_KEYWORDS,
	 "pages(size, ...): (tstart, records before it that began then) of each page, as int64s."},
	{"summary", (PyCFunction)(void (*)(void))trace_summary, METH_VARARGS | METH_KEYWORDS,
	 "summary(threads, ...): tables of layers, functions, ranks, files and errors."},
	{"batches", (PyCFunction)(void (*)(void))trace_batches, METH_VARARGS | METH_KEYWORDS,
	 "batches(columns, ...): records as columns."},
	{NULL, NULL, 0, NULL}};

static PyGetSetDef trace_getset[] = {{"closed", (getter)trace_closed, NULL, NULL, NULL},
				     {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject trace_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._reader.Trace",
	.tp_basicsize = sizeof(struct py_trace),
	.tp_dealloc = (destructor)trace_dealloc,
	.tp_flags = Py_TPFLAGS_DEFAULT,
	.tp_doc = "An open trace: Trace(path, record_type=Record, live=True).",
	.tp_methods = trace_methods,
	.tp_getset = trace_getset,
	.tp_init = (initproc)trace_init,
	.tp_new = PyType_GenericNew,
};
