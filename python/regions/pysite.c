/* SPDX-License-Identifier: MIT */
/* pysite.c - see pysite.h */
#define PY_SSIZE_T_CLEAN
#include "pysite.h"

#include <string.h>

static PyObject *places; /* name, or (name, category): capsules of struct recorder_site */

static void *copy_of(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = PyMem_RawMalloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

static struct recorder_site *make_site(PyObject *name, PyObject *category)
{
	const char *text = PyUnicode_AsUTF8(name);
	const char *kind = category == Py_None ? NULL : PyUnicode_AsUTF8(category);
	struct recorder_site *site;

	if (!text || (!kind && category != Py_None))
		return NULL;
	site = PyMem_RawCalloc(1, sizeof(*site));
	if (site) {
		site->name = copy_of(text);
		site->category = kind ? copy_of(kind) : NULL;
	}
	if (!site || !site->name || (kind && !site->category)) {
		PyErr_NoMemory();
		return NULL;
	}
	return site;
}

static struct recorder_site *add_site(PyObject *key, PyObject *name, PyObject *category)
{
	struct recorder_site *site = make_site(name, category);
	PyObject *capsule = site ? PyCapsule_New(site, NULL, NULL) : NULL;
	int error = capsule ? PyDict_SetItem(places, key, capsule) : -1;

	Py_XDECREF(capsule);
	return error ? NULL : site;
}

int pysite_begin(void)
{
	places = PyDict_New();
	return places ? 0 : -1;
}

struct recorder_site *pysite_of(PyObject *name, PyObject *category)
{
	struct recorder_site *site;
	PyObject *key, *found;

	if (!PyUnicode_Check(name) || (category != Py_None && !PyUnicode_Check(category))) {
		PyErr_SetString(PyExc_TypeError, "name and category must be texts");
		return NULL;
	}
	if (category == Py_None) {
		Py_INCREF(name);
		key = name;
	} else {
		key = PyTuple_Pack(2, name, category);
	}
	if (!key)
		return NULL;
	found = PyDict_GetItemWithError(places, key);
	site = found              ? PyCapsule_GetPointer(found, NULL)
	       : PyErr_Occurred() ? NULL
				  : add_site(key, name, category);
	Py_DECREF(key);
	return site;
}
