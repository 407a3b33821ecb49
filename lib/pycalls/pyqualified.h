/* SPDX-License-Identifier: MIT */
/*
 * pyqualified.h - the qualified name of a code object: "C.m", "outer.<locals>.inner".
 *
 * From 3.11 on it has that itself. Before, functions alone know it: it is put together from the code objects that this one stands in, which are met before it; where it was
 * made before we were there, from the functions that refer to it.
 */
#ifndef RECORDER_PYCALLS_PYQUALIFIED_H
#define RECORDER_PYCALLS_PYQUALIFIED_H

#include <stdint.h>

#include "pycalls/pycode.h"

/* `word`: what the code object has in its extra; NULL: nothing. */
void pyqualified_name(PyObject *code, const void *word, char *buffer, size_t size);
/* Notes in the code objects that stand in this one what they are in. `qualified`: its own name. */
void pyqualified_note_inner(PyObject *code, const char *qualified, long flags);
/* Whether a word of an extra is such a note; and lets go of it. */
static inline bool pyqualified_is_note(const void *word)
{
	return ((uintptr_t)word & 1) && word != PYCODE_NO_TARGET;
}

void pyqualified_release(void *word);

#endif
