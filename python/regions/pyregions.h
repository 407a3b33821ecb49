/* SPDX-License-Identifier: MIT */
/*
 * pyregions.h - what the files of the module recorder._regions have in common.
 *
 * A place is known to the recorder by its address and kept for good. A *profile* is what DFTracer's decorators are made of (python/dftracer): a category with arguments of its
 * own, which can be switched off, and the places of all regions that were made by it.
 */
#ifndef RECORDER_PYTHON_REGIONS_H
#define RECORDER_PYTHON_REGIONS_H

#include <Python.h>

#include <recorder/recorder.h>
#include <stdbool.h>

#if PY_VERSION_HEX < 0x03090000 /* names of 3.8 */
#define PyObject_Vectorcall _PyObject_Vectorcall
#define Py_TPFLAGS_HAVE_VECTORCALL _Py_TPFLAGS_HAVE_VECTORCALL
#endif

/* The place of that name and category, which may be None. NULL with an exception. */
struct recorder_site *pysite_of(PyObject *name, PyObject *category);

/* Arguments of the innermost region of `site`, NULL: of any. 0 or -1 with an exception. */
int pyset_value(struct recorder_site *site, PyObject *key, PyObject *value);
int pyset_all(struct recorder_site *site, PyObject *arguments);
void pyset_exception(struct recorder_site *site, PyObject *type);
/*
 * Those of a call that have certain names: `taken` is (whether it is a method, (name, position, default)...); position -1: the function has no such argument, its object may have
 * one; -2: it can be given by name alone.
 */
int pytaken_set(struct recorder_site *site, PyObject *taken, PyObject *const *args,
		Py_ssize_t positional, PyObject *names);

/* A region for `with`. Its arguments are set behind those of its profile. */
PyObject *pyregion_of(PyObject *profile, struct recorder_site *site, PyObject *arguments);
/* A function in such a region each time; `taken` NULL: none of its arguments is one of the region. */
PyObject *pyregion_around(PyObject *region, PyObject *function, PyObject *taken);

extern PyTypeObject profile_type;
bool profile_is_on(PyObject *profile);
/* Gives the region that has just begun the profile's arguments. 0 or -1 with an exception. */
int profile_describe(PyObject *profile, struct recorder_site *site);
/* event(name, category, begin, end, arguments): of times in the past, ns since 1970. */
PyObject *pyevent(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
