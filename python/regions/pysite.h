/* SPDX-License-Identifier: MIT */
/*
 * pysite.h - places of the program with a name, as struct recorder_site.
 *
 * Places are kept for good, by name and category: their number is what programs bound, and the recorder knows them by their address.
 */
#ifndef RECORDER_PYTHON_SITE_H
#define RECORDER_PYTHON_SITE_H

#include <Python.h>

#include <recorder/recorder.h>

/* Before all others, once. 0 or -1 with an exception. */
int pysite_begin(void);

/* The place of that name and category, which may be None. NULL with an exception. */
struct recorder_site *pysite_of(PyObject *name, PyObject *category);

#endif
