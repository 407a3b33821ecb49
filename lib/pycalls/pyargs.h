/* SPDX-License-Identifier: MIT */
/*
 * pyargs.h - arguments and results of functions of Python: RECORDER_ARGUMENTS, RECORDER_RESULTS.
 *
 *	solve@n,name    these    solve    all, as many as a record has room for    solve, solve@ret: its result
 *
 * Values have types of their own in each call (pyvalue.h), and the arguments of a function of the trace have not: so a function of Python is one of the trace for each list of kinds that
 * was met. Beyond SHAPES_MAX of these all of them are texts.
 *
 * Where arguments lie in a frame is known for each version, and seen to be so by what else the frame says: where its values begin (to 3.10), how many are there (3.11). From 3.12
 * on Python itself tells. Of a generator or coroutine they are read when it is resumed first; a later one has other values in the same variables.
 */
#ifndef RECORDER_PYCALLS_PYARGS_H
#define RECORDER_PYCALLS_PYARGS_H

#include "pycalls/pycode.h"
#include "pycalls/pyvalue.h"
#include "record/named.h"

struct pyrequest;

/* Whether a list is meant for Python: "arg1/i" is not. NULL: yes. */
bool pyargs_is_list(const char *list);
/* Adds what a list says to the request for the function of `code`; *request NULL: there is none yet. `path`: for what is to be said. */
void pyargs_ask(struct pyrequest **request, PyObject *code, const char *path, const char *list);
void pyargs_ask_result(struct pyrequest **request, PyObject *code);
/* With `base`, the function of the trace without arguments; usage: named arguments to be put behind them. */
void pyargs_set_number(struct pyrequest *request, uint32_t base);
/* Whether two requests ask for the same variables of the same frame; NULL: nothing is asked. */
bool pyargs_are_same(const struct pyrequest *a, const struct pyrequest *b);
void pyargs_free(struct pyrequest *request);

/* As pushed_enter(), with the arguments that are asked for and room for `more` behind them. `frame`: as pyframes.h and pyprofiler.h are given it; of 3.12 and later a frame object. */
bool pyargs_enter(struct call *call, const struct pycode *code, const void *frame);
/* Between pushed_stop() and pushed_leave(). `value`: what it returned or yielded. */
void pyargs_result(struct call *call, const struct pyrequest *request, const char *name,
		   PyObject *value);

#endif
