/* SPDX-License-Identifier: MIT */
/* pyinfo.c - what a trace, its streams, threads and functions are, as Python's dictionaries. */
#include <string.h>

#include "face.h"
#include "putting.h"

PyObject *info_dict(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	PyObject *dict = PyDict_New();

	reader_info(trace, &info);
	if (!dict)
		return NULL;
	return put_done(dict, put_text(dict, "dir", info.dir) ||
				      put_text(dict, "run_id", info.run_id) ||
				      put(dict, "format",
					  PyUnicode_FromFormat("%u.%u", info.format_major,
							       info.format_minor)) ||
				      put_bool(dict, "complete", info.complete) ||
				      put_bool(dict, "running", info.running) ||
				      put_bool(dict, "unverified_clock", info.unverified_clock) ||
				      put_uint(dict, "ranks", info.ranks) ||
				      put_uint(dict, "worlds", info.worlds) ||
				      put_uint(dict, "streams", info.streams) ||
				      put_uint(dict, "missing_streams", info.missing_streams) ||
				      put_uint(dict, "records", info.records) ||
				      put_uint(dict, "stored", info.stored) ||
				      put_uint(dict, "in_flight", info.in_flight) ||
				      put_uint(dict, "lost", info.lost) ||
				      put_uint(dict, "unreadable", info.unreadable) ||
				      put_uint(dict, "summed", info.summed) ||
				      put_int(dict, "start_ns", info.start) ||
				      put_int(dict, "duration_ns", info.duration));
}

static const char *state_name(enum reader_stream_state state)
{
	return state == READER_CLEAN ? "clean" : state == READER_RUNNING ? "running" : "died";
}

static int put_process(PyObject *dict, const struct reader_stream *stream)
{
	return put_text(dict, "name", stream->name) || put_uint(dict, "id", stream->id) ||
	       put_uint(dict, "parent", stream->parent) || put_int(dict, "world", stream->world) ||
	       put_int(dict, "rank", stream->rank) || put_int(dict, "size", stream->size) ||
	       put_text(dict, "rank_source", stream->rank_source) ||
	       put_bool(dict, "main", stream->main) || put_uint(dict, "pid", stream->pid) ||
	       put_uint(dict, "ppid", stream->ppid) || put_uint(dict, "image", stream->image) ||
	       put_uint(dict, "outer_pid", stream->outer_pid) ||
	       put_uint(dict, "pid_ns", stream->pid_ns) || put_text(dict, "host", stream->host) ||
	       put_text(dict, "boot_id", stream->boot_id) || put_text(dict, "exe", stream->exe) ||
	       put_text(dict, "argv", stream->argv) || put_text(dict, "cwd", stream->cwd);
}

PyObject *stream_dict(const struct reader *trace, unsigned index)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	PyObject *dict = PyDict_New();

	reader_stream(trace, index, &stream);
	if (!dict)
		return NULL;
	return put_done(dict, put_process(dict, &stream) ||
				      put_text(dict, "state", state_name(stream.state)) ||
				      put_text(dict, "reason", stream.reason) ||
				      put_int(dict, "exit_status", stream.exit_status) ||
				      put_uint(dict, "records", stream.records) ||
				      put_uint(dict, "stored", stream.stored) ||
				      put_uint(dict, "in_flight", stream.in_flight) ||
				      put_uint(dict, "lost", stream.lost) ||
				      put_uint(dict, "unreadable", stream.unreadable) ||
				      put_uint(dict, "summed", stream.summed) ||
				      put_uint(dict, "threads", stream.threads) ||
				      put_uint(dict, "chunks", stream.chunks) ||
				      put_uint(dict, "bytes", stream.bytes) ||
				      put_int(dict, "start_ns", stream.start) ||
				      put_int(dict, "end_ns", stream.end) ||
				      put_int(dict, "clock_error_ns", stream.clock_error));
}

static PyObject *thread_dict(const struct reader_thread *thread)
{
	PyObject *dict = PyDict_New();

	if (!dict)
		return NULL;
	return put_done(dict, put_uint(dict, "index", thread->index) ||
				      put_uint(dict, "tid", thread->tid) ||
				      put_bool(dict, "main", thread->main) ||
				      put_bool(dict, "signal", thread->signal) ||
				      put_text(dict, "name", thread->name) ||
				      put_uint(dict, "records", thread->records) ||
				      put_uint(dict, "lost", thread->lost) ||
				      put_int(dict, "start_ns", thread->start) ||
				      put_text(dict, "module", thread->module) ||
				      put_uint(dict, "offset", thread->offset));
}

/* Appends what was just made; 0 or -1. */
static int append(PyObject *list, PyObject *value)
{
	int error;

	if (!value)
		return -1;
	error = PyList_Append(list, value);
	Py_DECREF(value);
	return error;
}

PyObject *thread_list(const struct reader *trace, unsigned stream)
{
	PyObject *list = PyList_New(0);
	int error = 0;

	for (unsigned i = 0; list && !error && i < reader_thread_count(trace, stream); i++) {
		struct reader_thread thread = {.sz = sizeof(thread)};

		if (!reader_thread(trace, stream, i, &thread))
			error = append(list, thread_dict(&thread));
	}
	return put_done(list, error);
}

static PyObject *function_tuple(const struct reader_function_info *function)
{
	PyObject *args = PyTuple_New(function->arg_count);

	for (unsigned i = 0; args && i < function->arg_count; i++) {
		PyObject *arg = Py_BuildValue("(NN)", text_of(function->args[i].name),
					      text_of(function->args[i].kind));

		if (!arg)
			Py_CLEAR(args);
		else
			PyTuple_SET_ITEM(args, i, arg);
	}
	if (!args)
		return NULL;
	return Py_BuildValue("(NNNN)", text_of(function->name), text_of(function->layer),
			     text_of(function->result.kind), args);
}

PyObject *function_list(const struct reader *trace)
{
	PyObject *list = PyList_New(0);
	int error = 0;

	for (unsigned i = 0; list && !error && i < reader_function_count(trace); i++)
		error = append(list, function_tuple(reader_function_by_id(trace, i)));
	return put_done(list, error);
}

PyObject *loss_list(const struct reader *trace, unsigned stream)
{
	PyObject *list = PyList_New(0);
	const char *reason;
	uint64_t count;
	int error = 0;

	for (unsigned i = 0; list && !error && !reader_loss(trace, stream, i, &reason, &count); i++)
		error = append(list,
			       Py_BuildValue("(NK)", text_of(reason), (unsigned long long)count));
	return put_done(list, error);
}

PyObject *problem_list(const struct reader *trace)
{
	PyObject *list = PyList_New(0);
	const char *problem;
	int error = 0;

	for (unsigned i = 0; list && !error && (problem = reader_problem(trace, i)); i++)
		error = append(list, text_of(problem));
	return put_done(list, error);
}

static PyObject *meta_value(const struct reader_value *value)
{
	switch (value->type) {
	case READER_U64:
		return PyLong_FromUnsignedLongLong(value->u64);
	case READER_I64:
		return PyLong_FromLongLong(value->i64);
	case READER_F64:
		return PyFloat_FromDouble(value->f64);
	case READER_BYTES:
		break;
	}
	return PyUnicode_DecodeFSDefaultAndSize(value->bytes, (Py_ssize_t)value->size);
}

PyObject *meta_dict(const struct reader *trace, unsigned stream)
{
	PyObject *dict = PyDict_New();
	const char *key;
	int error = 0;

	for (unsigned i = 0; dict && !error && (key = reader_meta_key(trace, stream, i)); i++) {
		struct reader_value value;
		PyObject *name = text_of(key), *made = NULL;

		if (name && !reader_meta(trace, stream, key, &value))
			made = meta_value(&value);
		error = !made || PyDict_SetItem(dict, name, made);
		Py_XDECREF(made);
		Py_XDECREF(name);
		if (error && !PyErr_Occurred())
			error = 0; /* a key without a value */
	}
	return put_done(dict, error);
}
