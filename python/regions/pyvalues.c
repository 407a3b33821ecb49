/* SPDX-License-Identifier: MIT */
/* pyvalues.c - see pyvalues.h */
#define PY_SSIZE_T_CLEAN
#include "pyvalues.h"

#include <stdbool.h>

/* Each of the innermost region of `site`; NULL: of any. */
static void say_int(struct recorder_site *site, const char *key, int64_t value)
{
	if (site)
		recorder_set_int_of(site, key, value);
	else
		recorder_set_int(key, value);
}

static void say_double(struct recorder_site *site, const char *key, double value)
{
	if (site)
		recorder_set_double_of(site, key, value);
	else
		recorder_set_double(key, value);
}

static void say_string(struct recorder_site *site, const char *key, const char *value)
{
	if (site)
		recorder_set_string_of(site, key, value);
	else
		recorder_set_string(key, value);
}

static int set_text(struct recorder_site *site, const char *key, PyObject *value)
{
	PyObject *text = PyObject_Str(value);
	const char *bytes = text ? PyUnicode_AsUTF8(text) : NULL;

	if (bytes)
		say_string(site, key, bytes);
	Py_XDECREF(text);
	return bytes ? 0 : -1;
}

/* Numbers of numpy and the like are none of Python's types. */
static int set_number(struct recorder_site *site, const char *key, PyObject *value)
{
	int overflow = 0;
	long long number;

	if (PyFloat_Check(value)) {
		say_double(site, key, PyFloat_AS_DOUBLE(value));
		return 0;
	}
	if (!PyIndex_Check(value)) {
		double real = PyFloat_AsDouble(value);

		if (real == -1 && PyErr_Occurred())
			return -1;
		say_double(site, key, real);
		return 0;
	}
	number = PyLong_AsLongLongAndOverflow(value, &overflow);
	if (overflow)
		return set_text(site, key, value);
	if (number == -1 && PyErr_Occurred())
		return -1;
	say_int(site, key, number);
	return 0;
}

int pyset_value(struct recorder_site *site, PyObject *key, PyObject *value)
{
	const char *name = PyUnicode_AsUTF8(key);

	if (!name)
		return -1;
	if (value == Py_None) {
		say_string(site, name, NULL);
		return 0;
	}
	if (!PyUnicode_Check(value) && PyNumber_Check(value)) {
		if (set_number(site, name, value) == 0)
			return 0;
		PyErr_Clear(); /* of an array, say */
	}
	return set_text(site, name, value);
}

int pyset_all(struct recorder_site *site, PyObject *arguments)
{
	PyObject *key, *value;
	Py_ssize_t at = 0;

	while (arguments && PyDict_Next(arguments, &at, &key, &value))
		if (pyset_value(site, key, value))
			return -1;
	return 0;
}

void pyset_exception(struct recorder_site *site, PyObject *type)
{
	if (type && PyType_Check(type))
		recorder_set_string_of(site, "exception", ((PyTypeObject *)type)->tp_name);
}

PyObject *pyset_pair(struct recorder_site *site, PyObject *const *args, Py_ssize_t count)
{
	if (count != 2 || !PyUnicode_Check(args[0])) {
		PyErr_SetString(PyExc_TypeError, "set(key, value)");
		return NULL;
	}
	if (pyset_value(site, args[0], args[1]))
		return NULL;
	Py_RETURN_NONE;
}

/* ---- arguments of calls ---- */

/* What a method's object has, without asking a __getattr__ of its class, which may be slow or do anything. NULL: it has no such, or an exception is set. */
static PyObject *attribute(PyObject *object, PyObject *name)
{
#if PY_VERSION_HEX < 0x030d0000
	return _PyObject_GenericGetAttrWithDict(object, name, NULL, 1);
#else
	PyObject *value;

	return PyObject_GetOptionalAttr(object, name, &value) > 0 ? value : NULL;
#endif
}

static PyObject *by_keyword(PyObject *key, PyObject *const *args, Py_ssize_t positional,
			    PyObject *names)
{
	Py_ssize_t count = names ? PyTuple_GET_SIZE(names) : 0;

	for (Py_ssize_t i = 0; i < count; i++)
		if (PyUnicode_Compare(PyTuple_GET_ITEM(names, i), key) == 0)
			return args[positional + i];
	return NULL;
}

static int set_attribute(struct recorder_site *site, PyObject *key, PyObject *object)
{
	PyObject *value = attribute(object, key);
	int result = 0;

	if (!value) {
		PyErr_Clear(); /* a property that fails: the function may do without it */
		return 0;
	}
	if (value != Py_None)
		result = pyset_value(site, key, value);
	Py_DECREF(value);
	return result;
}

/* One of (key, position or -1, default): the argument that was given, or the default; without either what the object in the first argument has. */
static int set_taken(struct recorder_site *site, PyObject *entry, bool method,
		     PyObject *const *args, Py_ssize_t positional, PyObject *names)
{
	PyObject *key = PyTuple_GET_ITEM(entry, 0), *value = NULL;
	Py_ssize_t position = PyLong_AsSsize_t(PyTuple_GET_ITEM(entry, 1));

	if (position >= 0 && position < positional)
		value = args[position];
	else if (position != -1)
		value = by_keyword(key, args, positional, names);
	if (!value && position != -1)
		value = PyTuple_GET_ITEM(entry, 2);
	if (value && value != Py_None)
		return pyset_value(site, key, value);
	return position == -1 && method && positional > 0 ? set_attribute(site, key, args[0]) : 0;
}

int pytaken_set(struct recorder_site *site, PyObject *taken, PyObject *const *args,
		Py_ssize_t positional, PyObject *names)
{
	bool method = PyTuple_GET_ITEM(taken, 0) == Py_True;

	for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(taken); i++)
		if (set_taken(site, PyTuple_GET_ITEM(taken, i), method, args, positional, names))
			return -1;
	return 0;
}
