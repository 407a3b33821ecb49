/* SPDX-License-Identifier: MIT */
/*
 * pyregions.h - regions: a place of the program (pysite.h) with arguments, for `with` or before a function.
 */
#ifndef RECORDER_PYTHON_REGIONS_H
#define RECORDER_PYTHON_REGIONS_H

#include <Python.h>

#include <recorder/recorder.h>

extern PyTypeObject region_type;

/* A region for `with`. Its arguments are set behind those of its profile. */
PyObject *pyregion_of(PyObject *profile, struct recorder_site *site, PyObject *arguments);
/* A function in such a region each time; `taken` NULL: none of its arguments is one of the region. */
PyObject *pyregion_around(PyObject *region, PyObject *function, PyObject *taken);
/* _set_finish(function): by regions.py, before any function comes into a region. */
PyObject *pyregion_set_finish(PyObject *module, PyObject *function);

#endif
