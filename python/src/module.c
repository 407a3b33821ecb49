/* SPDX-License-Identifier: MIT */
/* module.c - the module recorder._reader: its types and exceptions. */
#include "face.h"

PyObject *error_any, *error_not_found, *error_not_a_trace, *error_newer, *error_filter,
	*error_closed;

/* Where the commands were installed with the package; a wheel has none. */
#ifndef RECORDER_BINDIR
#define RECORDER_BINDIR ""
#endif

PyObject *text_of(const char *bytes)
{
	return PyUnicode_DecodeFSDefault(bytes ? bytes : "");
}

/* A class of exceptions that is an Error and, if `also` is one, something that Python knows already. */
static PyObject *make_error(PyObject *module, const char *name, const char *meaning, PyObject *also)
{
	char full[64];
	PyObject *bases, *made;

	PyOS_snprintf(full, sizeof(full), "recorder.%s", name);
	bases = !error_any ? Py_BuildValue("(O)", PyExc_Exception)
		: also     ? Py_BuildValue("(OO)", error_any, also)
			   : Py_BuildValue("(O)", error_any);
	if (!bases)
		return NULL;
	made = PyErr_NewExceptionWithDoc(full, meaning, bases, NULL);
	Py_DECREF(bases);
	if (!made)
		return NULL;
	Py_INCREF(made);
	if (PyModule_AddObject(module, name, made)) {
		Py_DECREF(made);
		Py_DECREF(made);
		return NULL;
	}
	return made;
}

static int make_errors(PyObject *module)
{
	error_any = make_error(module, "Error", "A trace could not be read.", NULL);
	if (!error_any)
		return -1;
	error_not_found =
		make_error(module, "TraceNotFoundError", "There is no such directory or file.",
			   PyExc_FileNotFoundError);
	error_not_a_trace = make_error(module, "NotATraceError",
				       "What is there is no trace, or nothing of it can be read.",
				       PyExc_ValueError);
	error_newer = make_error(module, "NewerFormatError",
				 "The trace has a format that this version does not know.", NULL);
	error_filter = make_error(module, "FilterError", "A condition on records makes no sense.",
				  PyExc_ValueError);
	error_closed =
		make_error(module, "ClosedError", "The reader has been closed.", PyExc_ValueError);
	return error_not_found && error_not_a_trace && error_newer && error_filter && error_closed
		       ? 0
		       : -1;
}

static int add_type(PyObject *module, const char *name, PyTypeObject *type)
{
	if (PyType_Ready(type))
		return -1;
	Py_INCREF(type);
	if (PyModule_AddObject(module, name, (PyObject *)type)) {
		Py_DECREF(type);
		return -1;
	}
	return 0;
}

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "recorder._reader",
	.m_doc = "libreader for the package recorder; use that.",
	.m_size = -1,
};

PyMODINIT_FUNC PyInit__reader(void);

PyMODINIT_FUNC PyInit__reader(void)
{
	PyObject *module = PyModule_Create(&definition);

	if (!module)
		return NULL;
	if (make_errors(module) || add_type(module, "Trace", &trace_type) ||
	    add_type(module, "Record", &record_type) || add_type(module, "Cursor", &cursor_type) ||
	    add_type(module, "Batches", &batches_type) ||
	    add_type(module, "Column", &column_type) ||
	    PyModule_AddStringConstant(module, "VERSION", RECORDER_VERSION) ||
	    PyModule_AddStringConstant(module, "BINDIR", RECORDER_BINDIR) ||
	    PyModule_AddStringConstant(module, "LIBRARY_VERSION", reader_version()) ||
	    PyModule_AddIntConstant(module, "LEFT", RECORDER_LEFT) ||
	    PyModule_AddIntConstant(module, "NORETURN", RECORDER_NORETURN) ||
	    PyModule_AddIntConstant(module, "IN_SIGNAL", RECORDER_IN_SIGNAL) ||
	    PyModule_AddIntConstant(module, "IN_FLIGHT", RECORDER_IN_FLIGHT) ||
	    PyModule_AddIntConstant(module, "BEFORE_MAIN", RECORDER_BEFORE_MAIN) ||
	    PyModule_AddIntConstant(module, "AFTER_MAIN", RECORDER_AFTER_MAIN) ||
	    PyModule_AddIntConstant(module, "TIMES_SUMMED", RECORDER_TIMES_SUMMED)) {
		Py_DECREF(module);
		return NULL;
	}
	return module;
}
