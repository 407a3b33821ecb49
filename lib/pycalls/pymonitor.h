/* SPDX-License-Identifier: MIT */
/*
 * pymonitor.h - Python from 3.12 on: events of sys.monitoring (PEP 669).
 *
 *	all code	PY_START	of code that no target means the event is switched off for good: it costs nothing from then on
 *			PY_UNWIND	of what is left by an exception; and PY_THROW: these two can be asked for of all code alone
 *	targets		PY_RETURN, PY_YIELD, PY_RESUME
 *
 * Python's calls are none of C's there: begin and end are two events, paired by paired.h as they come in order in each thread.
 */
#ifndef RECORDER_PYCALLS_PYMONITOR_H
#define RECORDER_PYCALLS_PYMONITOR_H

#include <stdbool.h>

/* In the interpreter of the calling thread. False: *why says what is missing. */
bool pymonitor_install(const char **why);

#endif
