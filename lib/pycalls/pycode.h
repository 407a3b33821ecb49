/* SPDX-License-Identifier: MIT */
/*
 * pycode.h - what is decided of each code object, once: whether a target means it, and then which function of the trace it is.
 */
#ifndef RECORDER_PYCALLS_PYCODE_H
#define RECORDER_PYCALLS_PYCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "pycalls/pyapi.h"

struct pyrequest;

/* The word of the extra of a code object: NULL, a note of pyqualified.h, this, or its struct pycode. */
#define PYCODE_NO_TARGET ((void *)1)

/* A function that is recorded. They stay. */
struct pycode {
	uint32_t number;               /* named.h */
	uint32_t life_begin, life_end; /* of generators; NAMED_NONE: none */
	bool resumes;                  /* a generator or coroutine */
	bool rich; /* there is more to a record than how the call ended: pycall.h */
	uint32_t line;
	uint64_t file;             /* hash of its path */
	struct pyrequest *request; /* pyargs.h; NULL: neither arguments nor results are asked for */
	struct pycode *next;       /* of the same name, with other variables */
	char path[];
};

/* Generators and coroutines have theirs; modules and bodies of classes are none. */
bool pycode_is_function(long flags);
/* Decides. `globals`: those it runs with, NULL: not known. Neither an exception that is under way nor errno changes. NULL: no target. */
struct pycode *pycode_decide(PyObject *code, PyObject *globals);
/* A code object goes. */
void pycode_release(void *word);

#endif
