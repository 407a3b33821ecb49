/* SPDX-License-Identifier: MIT */
/*
 * pyvalues.h - values of Python as arguments of regions.
 */
#ifndef RECORDER_PYTHON_VALUES_H
#define RECORDER_PYTHON_VALUES_H

#include <Python.h>

#include <recorder/recorder.h>

/* Arguments of the innermost region of `site`, NULL: of any. 0 or -1 with an exception. */
int pyset_value(struct recorder_site *site, PyObject *key, PyObject *value);
int pyset_all(struct recorder_site *site, PyObject *arguments);
void pyset_exception(struct recorder_site *site, PyObject *type);
/* The same for the method set(key, value): None or NULL with an exception. */
PyObject *pyset_pair(struct recorder_site *site, PyObject *const *args, Py_ssize_t count);
/*
 * Those of a call that have certain names: `taken` is (whether it is a method, (name, position, default)...); position -1: the function has no such argument, its object may have
 * one; -2: it can be given by name alone.
 */
int pytaken_set(struct recorder_site *site, PyObject *taken, PyObject *const *args,
		Py_ssize_t positional, PyObject *names);

#endif
