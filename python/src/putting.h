/* SPDX-License-Identifier: MIT */
/* putting.h - what puts a value under a name into a dictionary: each gives 0, or -1 with an exception. */
#ifndef RECORDER_PYTHON_PUTTING_H
#define RECORDER_PYTHON_PUTTING_H

#include "face.h"

/* The reference to `value` is given away; NULL: it could not be made. */
static inline int put(PyObject *dict, const char *name, PyObject *value)
{
	int error;

	if (!value)
		return -1;
	error = PyDict_SetItemString(dict, name, value);
	Py_DECREF(value);
	return error;
}

static inline int put_text(PyObject *dict, const char *name, const char *text)
{
	return put(dict, name, text_of(text));
}

static inline int put_int(PyObject *dict, const char *name, int64_t number)
{
	return put(dict, name, PyLong_FromLongLong(number));
}

static inline int put_uint(PyObject *dict, const char *name, uint64_t number)
{
	return put(dict, name, PyLong_FromUnsignedLongLong(number));
}

static inline int put_bool(PyObject *dict, const char *name, int flag)
{
	return put(dict, name, PyBool_FromLong(flag));
}

static inline int put_seconds(PyObject *dict, const char *name, int64_t ns)
{
	return put(dict, name, PyFloat_FromDouble((double)ns / 1e9));
}

/* What was made, or NULL after an error. */
static inline PyObject *put_done(PyObject *made, int error)
{
	if (error)
		Py_CLEAR(made);
	return made;
}

#endif
