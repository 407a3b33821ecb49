/* SPDX-License-Identifier: MIT */
/*
 * pytraced.h - a function in a region: each call of a Traced is one of the function, between the region's begin and end.
 */
#ifndef RECORDER_PYTHON_TRACED_H
#define RECORDER_PYTHON_TRACED_H

#include <Python.h>

#include <recorder/recorder.h>

extern PyTypeObject traced_type;

/* `arguments` of the region, `profile` (pyprofile.h) and `taken` of the call's arguments (pytaken_set()) may be NULL: none. NULL with an exception. */
PyObject *pytraced_new(PyObject *function, struct recorder_site *site, PyObject *arguments,
		       PyObject *profile, PyObject *taken);

#endif
