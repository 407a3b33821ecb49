/* SPDX-License-Identifier: MIT */
/* pycolumn.c - recorder._reader.Column: an array with the buffer protocol; and what columns there are. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"

#define COPY(field, name, format)                                                                  \
	{                                                                                          \
		name, format, COLUMN_COPY, offsetof(struct recorder_record, field),                \
			sizeof(((struct recorder_record *)0)->field)                               \
	}

static const struct column_kind kinds[] = {
	COPY(tstart, "tstart_ns", "q"),
	COPY(tend, "tend_ns", "q"),
	COPY(busy, "busy_ns", "q"),
	{"tstart", "d", COLUMN_SECONDS, offsetof(struct recorder_record, tstart), 8},
	{"tend", "d", COLUMN_SECONDS, offsetof(struct recorder_record, tend), 8},
	{"busy", "d", COLUMN_SECONDS, offsetof(struct recorder_record, busy), 8},
	{"duration", "d", COLUMN_DURATION, 0, 8},
	{"function", "H", COLUMN_FUNCTION, 0, 2},
	{"layer", "H", COLUMN_LAYER, 0, 2},
	COPY(level, "level", "H"),
	COPY(func_id, "func_id", "H"),
	COPY(tid, "tid", "I"),
	COPY(world, "world", "i"),
	COPY(rank, "rank", "i"),
	COPY(stream, "stream", "I"),
	COPY(thread, "thread", "I"),
	COPY(sequence, "sequence", "Q"),
	COPY(flags, "flags", "H"),
	COPY(ret, "ret", "q"),
	COPY(err, "err", "i"),
	COPY(repeat, "repeat", "I"),
	COPY(module, "module", "I"),
	COPY(callsite, "callsite", "Q"),
	COPY(stack, "stack", "I"),
	{"bytes", "q", COLUMN_BYTES, 0, 8},
	{"file", "i", COLUMN_FILE, 0, 4},
};

static const struct column_kind arg_kind = {"arg:", "q", COLUMN_ARG, 0, 8};
static const struct column_kind known_kind = {"known:", "?", COLUMN_KNOWN, 0, 1};

const struct column_kind *column_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	if (strncmp(name, arg_kind.name, strlen(arg_kind.name)) == 0)
		return &arg_kind;
	if (strncmp(name, known_kind.name, strlen(known_kind.name)) == 0)
		return &known_kind;
	return NULL;
}

struct py_column {
	PyObject_HEAD const struct column_kind *kind;
	void *data;
	Py_ssize_t count;
};

PyObject *column_new(const struct column_kind *kind, void *data, Py_ssize_t count)
{
	struct py_column *self = PyObject_New(struct py_column, &column_type);

	if (!self) {
		free(data);
		return NULL;
	}
	self->kind = kind;
	self->data = data;
	self->count = count;
	return (PyObject *)self;
}

static void column_dealloc(struct py_column *self)
{
	free(self->data);
	PyObject_Free(self);
}

/* Writable: the arrays are the program's. */
static int column_buffer(struct py_column *self, Py_buffer *view, int flags)
{
	static char nothing[8];

	view->obj = (PyObject *)self;
	Py_INCREF(self);
	view->buf = self->data ? self->data : nothing;
	view->itemsize = self->kind->size;
	view->len = self->count * view->itemsize;
	view->readonly = 0;
	view->ndim = 1;
	view->format = flags & PyBUF_FORMAT ? (char *)self->kind->format : NULL;
	view->shape = flags & PyBUF_ND ? &self->count : NULL;
	view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &view->itemsize : NULL;
	view->suboffsets = NULL;
	view->internal = NULL;
	return 0;
}

static Py_ssize_t column_length(struct py_column *self)
{
	return self->count;
}

static PyBufferProcs column_buffers = {.bf_getbuffer = (getbufferproc)column_buffer};
static PySequenceMethods column_sequence = {.sq_length = (lenfunc)column_length};

PyTypeObject column_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._reader.Column",
	.tp_basicsize = sizeof(struct py_column),
	.tp_dealloc = (destructor)column_dealloc,
	.tp_as_sequence = &column_sequence,
	.tp_as_buffer = &column_buffers,
	.tp_flags = Py_TPFLAGS_DEFAULT,
	.tp_doc = "An array of one field, for memoryview() and numpy.asarray().",
};
