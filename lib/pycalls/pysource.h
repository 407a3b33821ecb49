/* SPDX-License-Identifier: MIT */
/*
 * pysource.h - what a code object says of its source: lines, arguments, local variables.
 */
#ifndef RECORDER_PYCALLS_PYSOURCE_H
#define RECORDER_PYCALLS_PYSOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pycalls/pyapi.h"
#include "pycalls/pymatch.h"

/* Whether the line is one of its own: not of a function within it. */
bool pysource_holds_line(PyObject *code, uint32_t line);
/* How many arguments it has, *args and **kwargs among them: the first of its variables. */
long pysource_args(PyObject *code);
/* For the definition of function `number` (sources.h). */
void pysource_tell(uint32_t number, PyObject *code, const struct pyname *name, const char *path,
		   uint32_t line);

#endif
