/* SPDX-License-Identifier: MIT */
/*
 * pyprofile.h - what DFTracer's decorators are made of (python/dftracer): profiles, and events of the past.
 *
 * A *profile* is a category with arguments of its own, which can be switched off, and the places of all regions that were made by it.
 */
#ifndef RECORDER_PYTHON_PROFILE_H
#define RECORDER_PYTHON_PROFILE_H

#include <Python.h>

#include <recorder/recorder.h>
#include <stdbool.h>

extern PyTypeObject profile_type;
bool profile_is_on(PyObject *profile);
/* Gives the region that has just begun the profile's arguments. 0 or -1 with an exception. */
int profile_describe(PyObject *profile, struct recorder_site *site);
/* event(name, category, begin, end, arguments): of times in the past, ns since 1970. */
PyObject *pyevent(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
