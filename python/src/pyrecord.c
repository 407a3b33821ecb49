/* SPDX-License-Identifier: MIT */
/* pyrecord.c - recorder._reader.Record: a copy of one record. */
#include "face.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#define TEXT_ROOM 4096 /* most values are shorter */

/* ---- copying: arguments, then elements, then bytes, in one block ---- */

static size_t bytes_needed(const struct recorder_record *record)
{
	size_t size = record->arg_count * sizeof(struct recorder_arg);

	for (unsigned i = 0; i < record->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		if (arg->elements)
			size += arg->count * sizeof(*arg->elements);
		else if (arg->bytes)
			size += arg->count + 1u;
	}
	return size;
}

static void copy_args(const struct recorder_record *record, struct recorder_arg *args)
{
	int64_t *elements = (int64_t *)(args + record->arg_count);
	char *bytes;

	memcpy(args, record->args, record->arg_count * sizeof(*args));
	for (unsigned i = 0; i < record->arg_count; i++) {
		if (!args[i].elements)
			continue;
		memcpy(elements, args[i].elements, args[i].count * sizeof(*elements));
		args[i].elements = elements;
		elements += args[i].count;
	}
	bytes = (char *)elements;
	for (unsigned i = 0; i < record->arg_count; i++) {
		if (args[i].elements || !args[i].bytes)
			continue;
		memcpy(bytes, args[i].bytes, args[i].count);
		bytes[args[i].count] = '\0';
		args[i].bytes = bytes;
		bytes += args[i].count + 1u;
	}
}

PyObject *record_new(struct py_trace *trace, const struct recorder_record *record)
{
	struct py_record *self =
		(struct py_record *)trace->record_type->tp_alloc(trace->record_type, 0);
	size_t size = bytes_needed(record);

	if (!self)
		return NULL;
	self->trace = trace;
	trace_use(trace);
	self->record = *record;
	self->record.args = NULL;
	if (size > 0) {
		self->block = PyMem_Malloc(size);
		if (!self->block) {
			Py_DECREF(self);
			return PyErr_NoMemory();
		}
		copy_args(record, self->block);
		self->record.args = self->block;
	}
	return (PyObject *)self;
}

static void record_dealloc(struct py_record *self)
{
	PyMem_Free(self->block);
	if (self->trace)
		trace_leave(self->trace);
	Py_TYPE(self)->tp_free((PyObject *)self);
}

/* ---- values ---- */

static const struct reader_function_info *function_of(const struct py_record *self)
{
	return reader_function_by_id(self->trace->trace, self->record.func_id);
}

static PyObject *elements_list(const struct recorder_arg *arg)
{
	PyObject *list = PyList_New(arg->count);

	for (uint32_t i = 0; list && i < arg->count; i++) {
		PyObject *number = PyLong_FromLongLong(arg->elements[i]);

		if (!number)
			Py_CLEAR(list);
		else
			PyList_SET_ITEM(list, i, number);
	}
	return list;
}

/* int, float, bytes or list; None for what is not there. */
static PyObject *value_of(const struct recorder_arg *arg, enum reader_class class_)
{
	if (arg->state != RECORDER_ARG_PRESENT)
		Py_RETURN_NONE;
	switch (class_) {
	case READER_DOUBLE:
		return PyFloat_FromDouble(arg->f64);
	case READER_STRING:
		return PyBytes_FromStringAndSize(arg->bytes, arg->count);
	case READER_ARRAY:
		return elements_list(arg);
	case READER_INT:
	case READER_PAIR:
		break;
	}
	return PyLong_FromLongLong(arg->i64);
}

/* Arguments that both the record and its function have. */
static unsigned arg_count(const struct py_record *self)
{
	const struct reader_function_info *function = function_of(self);

	return self->record.arg_count < function->arg_count ? self->record.arg_count
							    : function->arg_count;
}

static PyObject *record_values(struct py_record *self, void *none)
{
	unsigned count = arg_count(self);
	PyObject *values = PyTuple_New(count);

	(void)none;
	for (unsigned i = 0; values && i < count; i++) {
		PyObject *value =
			value_of(&self->record.args[i], function_of(self)->args[i].class_);

		if (!value)
			Py_CLEAR(values);
		else
			PyTuple_SET_ITEM(values, i, value);
	}
	return values;
}

static PyObject *parameters_tuple(const struct py_record *self, bool kinds)
{
	unsigned count = arg_count(self);
	PyObject *names = PyTuple_New(count);

	for (unsigned i = 0; names && i < count; i++) {
		const struct reader_parameter *parameter = &function_of(self)->args[i];
		PyObject *name = text_of(kinds ? parameter->kind : parameter->name);

		if (!name)
			Py_CLEAR(names);
		else
			PyTuple_SET_ITEM(names, i, name);
	}
	return names;
}

static PyObject *record_names(struct py_record *self, void *none)
{
	(void)none;
	return parameters_tuple(self, false);
}

static PyObject *record_kinds(struct py_record *self, void *none)
{
	(void)none;
	return parameters_tuple(self, true);
}

/* The index of an argument by name or number; -1 with an exception. */
static int find_arg(struct py_record *self, PyObject *key)
{
	unsigned count = arg_count(self);
	long long number;

	if (PyUnicode_Check(key)) {
		for (unsigned i = 0; i < count; i++)
			if (PyUnicode_CompareWithASCIIString(key,
							     function_of(self)->args[i].name) == 0)
				return (int)i;
		PyErr_SetObject(PyExc_KeyError, key);
		return -1;
	}
	number = PyLong_AsLongLong(key);
	if (number == -1 && PyErr_Occurred())
		return -1;
	if (number < 0 || number >= count) {
		PyErr_Format(PyExc_IndexError, "no argument %lld", number);
		return -1;
	}
	return (int)number;
}

static PyObject *record_item(struct py_record *self, PyObject *key)
{
	int index = find_arg(self, key);

	return index < 0
		       ? NULL
		       : value_of(&self->record.args[index], function_of(self)->args[index].class_);
}

static PyObject *record_raw(struct py_record *self, PyObject *key)
{
	static const char *const states[] = {"present", "absent", "unreadable", "unset"};
	const struct recorder_arg *arg;
	PyObject *value;
	int index = find_arg(self, key);

	if (index < 0)
		return NULL;
	arg = &self->record.args[index];
	value = value_of(arg, function_of(self)->args[index].class_);
	if (!value)
		return NULL;
	return Py_BuildValue("NsIIL", value, states[arg->state & 3], arg->id, arg->original,
			     (long long)arg->sum);
}

static PyObject *record_ret(struct py_record *self, void *none)
{
	double number;

	(void)none;
	if (function_of(self)->result.class_ != READER_DOUBLE)
		return PyLong_FromLongLong(self->record.ret);
	memcpy(&number, &self->record.ret, sizeof(number));
	return PyFloat_FromDouble(number);
}

static PyObject *record_bytes(struct py_record *self, void *none)
{
	int64_t bytes = reader_bytes(self->trace->trace, &self->record);

	(void)none;
	if (bytes < 0)
		Py_RETURN_NONE;
	return PyLong_FromLongLong(bytes);
}

static PyObject *record_tags(struct py_record *self, void *none)
{
	(void)none;
	return tags_dict(self->trace, &self->record);
}

/* ---- texts ---- */

typedef size_t text_maker(const struct py_record *self, unsigned index, char *buffer, size_t size);

static size_t make_arg(const struct py_record *self, unsigned index, char *buffer, size_t size)
{
	return reader_arg_text(self->trace->trace, &self->record, index, buffer, size);
}

static size_t make_result(const struct py_record *self, unsigned index, char *buffer, size_t size)
{
	(void)index;
	return reader_result_text(self->trace->trace, &self->record, buffer, size);
}

static PyObject *made_text(const struct py_record *self, text_maker *make, unsigned index)
{
	char room[TEXT_ROOM], *buffer;
	size_t size = make(self, index, room, sizeof(room));
	PyObject *text;

	if (size < sizeof(room))
		return text_of(room);
	buffer = PyMem_Malloc(size + 1);
	if (!buffer)
		return PyErr_NoMemory();
	make(self, index, buffer, size + 1);
	text = text_of(buffer);
	PyMem_Free(buffer);
	return text;
}

static PyObject *record_arg_text(struct py_record *self, PyObject *key)
{
	int index = find_arg(self, key);

	return index < 0 ? NULL : made_text(self, make_arg, (unsigned)index);
}

static PyObject *record_result_text(struct py_record *self, void *none)
{
	(void)none;
	return made_text(self, make_result, 0);
}

static PyObject *record_errno(struct py_record *self, void *none)
{
	(void)none;
	if (!self->record.err)
		Py_RETURN_NONE;
	return text_of(reader_errno_name(self->trace->trace, &self->record));
}

static PyObject *record_file(struct py_record *self, void *none)
{
	struct reader_file file;

	(void)none;
	if (reader_record_file(self->trace->trace, &self->record, &file))
		Py_RETURN_NONE;
	return text_of(file.path);
}

static PyObject *record_arg_file(struct py_record *self, PyObject *key)
{
	struct reader_file file;
	int index = find_arg(self, key);

	if (index < 0)
		return NULL;
	if (reader_arg_file(self->trace->trace, &self->record, (unsigned)index, &file))
		Py_RETURN_NONE;
	return text_of(file.path);
}

/* As Trace.object(), of the record's stream; also when the reader has been closed. */
static PyObject *record_object(struct py_record *self, PyObject *args)
{
	const char *kind;
	unsigned id;

	if (!PyArg_ParseTuple(args, "sI", &kind, &id))
		return NULL;
	return object_dict(self->trace->trace, kind, self->record.stream, id);
}

static PyObject *record_func(struct py_record *self, void *none)
{
	(void)none;
	return text_of(function_of(self)->name);
}

static PyObject *record_layer(struct py_record *self, void *none)
{
	(void)none;
	return text_of(function_of(self)->layer);
}

static PyObject *record_seconds(struct py_record *self, void *which)
{
	const char *at = (const char *)self + (size_t)which;
	int64_t ns;

	memcpy(&ns, at, sizeof(ns));
	return PyFloat_FromDouble((double)ns / 1e9);
}

static PyObject *record_duration(struct py_record *self, void *none)
{
	(void)none;
	return PyFloat_FromDouble((double)(self->record.tend - self->record.tstart) / 1e9);
}

static PyObject *record_in_flight(struct py_record *self, void *none)
{
	(void)none;
	return PyBool_FromLong(self->record.flags & RECORDER_IN_FLIGHT);
}

#define AT(field) offsetof(struct py_record, record.field)

static PyMemberDef record_members[] = {
	{"tstart_ns", T_LONGLONG, AT(tstart), READONLY, "begin, ns since the trace's start"},
	{"tend_ns", T_LONGLONG, AT(tend), READONLY, "end, ns since the trace's start"},
	{"busy_ns", T_LONGLONG, AT(busy), READONLY, "ns in the calls it stands for"},
	{"level", T_USHORT, AT(level), READONLY, "recorded calls of the thread around it"},
	{"func_id", T_USHORT, AT(func_id), READONLY, "number of its function in the trace"},
	{"tid", T_UINT, AT(tid), READONLY, "thread"},
	{"world", T_INT, AT(world), READONLY, "number of its world"},
	/* scripts made for recorder-viz set it */
	{"rank", T_INT, AT(rank), 0, "rank in the world"},
	{"stream", T_UINT, AT(stream), READONLY, "number of its stream, a process"},
	{"thread", T_UINT, AT(thread), READONLY, "number of its thread in the stream"},
	{"sequence", T_ULONGLONG, AT(sequence), READONLY, "number in its thread, by ends"},
	{"flags", T_USHORT, AT(flags), READONLY, "LEFT, NORETURN, IN_FLIGHT ..."},
	{"err", T_INT, AT(err), READONLY, "errno of a failed call, else 0"},
	{"repeat", T_UINT, AT(repeat), READONLY, "calls in a row that it stands for"},
	{"module", T_UINT, AT(module), READONLY, "call site: number of the module, 0 unknown"},
	{"callsite", T_ULONGLONG, AT(callsite), READONLY, "call site: offset in the module"},
	{"stack", T_UINT, AT(stack), READONLY, "call stack, 0 none"},
	{NULL, 0, 0, 0, NULL}};

static PyGetSetDef record_getset[] = {
	{"tstart", (getter)record_seconds, NULL, "begin, seconds since the trace's start",
	 (void *)AT(tstart)},
	{"tend", (getter)record_seconds, NULL, "end, seconds since the trace's start",
	 (void *)AT(tend)},
	{"busy", (getter)record_seconds, NULL, "seconds in the calls it stands for",
	 (void *)AT(busy)},
	{"duration", (getter)record_duration, NULL, "seconds from begin to end", NULL},
	{"func", (getter)record_func, NULL, "name of its function", NULL},
	{"layer", (getter)record_layer, NULL, "layer of its function", NULL},
	{"values", (getter)record_values, NULL,
	 "recorded arguments: int, float, bytes, list or None", NULL},
	{"ret", (getter)record_ret, NULL, "result: int or float", NULL},
	{"ret_text", (getter)record_result_text, NULL, "result as recorder2text shows it", NULL},
	{"errno", (getter)record_errno, NULL, "name of its errno, None if it did not fail", NULL},
	{"tags", (getter)record_tags, NULL,
	 "epoch, step and sample that the regions around the call say, as a dictionary", NULL},
	{"bytes", (getter)record_bytes, NULL, "bytes that each call moved; None: none", NULL},
	{"file", (getter)record_file, NULL, "path of the file it works on, or None", NULL},
	{"in_flight", (getter)record_in_flight, NULL, "whether it had not ended", NULL},
	{"names", (getter)record_names, NULL, "names of the recorded arguments", NULL},
	{"kinds", (getter)record_kinds, NULL, "what they mean: \"fd\", \"offset\" ...", NULL},
	{NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef record_methods[] = {
	{"raw", (PyCFunction)record_raw, METH_O,
	 "raw(name or index): (value, state, id, original length, sum) of an argument."},
	{"arg_text", (PyCFunction)record_arg_text, METH_O,
	 "arg_text(name or index): an argument as recorder2text shows it."},
	{"object", (PyCFunction)record_object, METH_VARARGS,
	 "object(kind, id): what a handle stands for, as RecorderReader.object()."},
	{"arg_file", (PyCFunction)record_arg_file, METH_O,
	 "arg_file(name or index): the path of the file that it stands for, or None."},
	{NULL, NULL, 0, NULL}};

static PyMappingMethods record_mapping = {.mp_subscript = (binaryfunc)record_item};

/* Records come from cursors alone. */
static PyObject *record_refuse(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	(void)args;
	(void)keywords;
	return PyErr_Format(PyExc_TypeError, "%.100s is made by a reader", type->tp_name);
}

PyTypeObject record_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._reader.Record",
	.tp_basicsize = sizeof(struct py_record),
	.tp_dealloc = (destructor)record_dealloc,
	.tp_as_mapping = &record_mapping,
	.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.tp_doc = "One call.",
	.tp_methods = record_methods,
	.tp_members = record_members,
	.tp_getset = record_getset,
	.tp_new = record_refuse,
};
