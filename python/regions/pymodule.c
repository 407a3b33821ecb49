/* SPDX-License-Identifier: MIT */
/*
 * pymodule.c - the module recorder._regions: recorder.h for Python.
 *
 * Its types are regions (pyregions.h) and profiles (pyprofile.h); its functions say what has no duration, or is about the whole process.
 */
#define PY_SSIZE_T_CLEAN
#include "pyprofile.h"
#include "pyregions.h"
#include "pysite.h"
#include "pytraced.h"
#include "pyvalues.h"

/* name, category=None behind `more` arguments of which the first is the name. NULL with an exception. */
static struct recorder_site *named_by(PyObject *const *args, Py_ssize_t count, Py_ssize_t more)
{
	if (count < 1 + more || count > 2 + more) {
		PyErr_SetString(PyExc_TypeError, "wrong number of arguments");
		return NULL;
	}
	return pysite_of(args[0], count > 1 + more ? args[1 + more] : Py_None);
}

static PyObject *instant(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	struct recorder_site *site = named_by(args, count, 0);

	(void)module;
	if (!site)
		return NULL;
	recorder_instant(site);
	Py_RETURN_NONE;
}

static PyObject *counter(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	struct recorder_site *site = named_by(args, count, 1);
	double value = site ? PyFloat_AsDouble(args[1]) : -1;

	(void)module;
	if (!site || (value == -1 && PyErr_Occurred()))
		return NULL;
	recorder_counter(site, value);
	Py_RETURN_NONE;
}

static PyObject *span(PyObject *const *args, Py_ssize_t count,
		      int (*mark)(struct recorder_site *site, uint64_t id))
{
	struct recorder_site *site = named_by(args, count, 1);
	unsigned long long id = site ? PyLong_AsUnsignedLongLongMask(args[1]) : 0;

	if (!site || PyErr_Occurred())
		return NULL;
	mark(site, id);
	Py_RETURN_NONE;
}

static PyObject *span_begin(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	(void)module;
	return span(args, count, recorder_span_begin);
}

static PyObject *span_end(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	(void)module;
	return span(args, count, recorder_span_end);
}

static PyObject *note(PyObject *module, PyObject *args)
{
	const char *key, *value;

	(void)module;
	if (!PyArg_ParseTuple(args, "ss:note", &key, &value))
		return NULL;
	recorder_note(key, value);
	Py_RETURN_NONE;
}

static PyObject *pause_all(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	recorder_pause();
	Py_RETURN_NONE;
}

static PyObject *resume_all(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	recorder_resume();
	Py_RETURN_NONE;
}

static PyObject *flush_all(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	recorder_flush();
	Py_RETURN_NONE;
}

static PyObject *is_recording(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	return PyBool_FromLong(recorder_site_begin != NULL);
}

static PyObject *set_innermost(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	(void)module;
	return pyset_pair(NULL, args, count);
}

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL

static PyMethodDef functions[] = {
	{"instant", FAST(instant), "instant(name, category=None): something happens now"},
	{"counter", FAST(counter),
	 "counter(name, value, category=None): it has a value from now on"},
	{"span_begin", FAST(span_begin),
	 "span_begin(name, id, category=None): something begins that may end in another thread"},
	{"span_end", FAST(span_end), "span_end(name, id, category=None): and ends"},
	{"set", FAST(set_innermost),
	 "set(key, value): an argument of the innermost region of the thread"},
	{"note", note, METH_VARARGS, "note(key, value): what is true of the whole process"},
	{"pause", pause_all, METH_NOARGS, "pause(): no call is recorded until resume()"},
	{"resume", resume_all, METH_NOARGS, "resume(): calls are recorded again"},
	{"flush", flush_all, METH_NOARGS, "flush(): what is recorded goes to the trace directory"},
	{"is_recording", is_recording, METH_NOARGS,
	 "is_recording(): whether the recorder is there"},
	{"_set_finish", pyregion_set_finish, METH_O, NULL},
	{"_event", FAST(pyevent), NULL},
	{NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "recorder._regions",
					.m_size = -1, .m_methods = functions};

static int add_type(PyObject *module, const char *name, PyTypeObject *type)
{
	int error;

	Py_INCREF(type);
	error = PyModule_AddObject(module, name, (PyObject *)type);
	if (error)
		Py_DECREF(type);
	return error;
}

PyMODINIT_FUNC PyInit__regions(void); /* what the interpreter calls */

PyMODINIT_FUNC PyInit__regions(void)
{
	PyObject *module;

	if (PyType_Ready(&traced_type) || PyType_Ready(&region_type) || PyType_Ready(&profile_type))
		return NULL;
	module = pysite_begin() ? NULL : PyModule_Create(&definition);
	if (!module)
		return NULL;
	if (add_type(module, "region", &region_type) ||
	    add_type(module, "_Profile", &profile_type)) {
		Py_DECREF(module);
		return NULL;
	}
	return module;
}
