/* SPDX-License-Identifier: MIT */
/*
 * pylives.h - generators and coroutines that have begun and not ended. Each resume is a record of its own; a pair of marks with one number says from when to when it
 * lived: from its first resume until it was exhausted, was left by an exception, or went unfinished.
 */
#ifndef RECORDER_PYCALLS_PYLIVES_H
#define RECORDER_PYCALLS_PYLIVES_H

#include <stdbool.h>

#include "pycalls/pycode.h"

/* `key`: an address that is the generator's own while it lives. */
bool pylives_has(const void *key);
/* It is resumed. True: for the first time; `throwing`: it cannot be that. */
bool pylives_resume(const void *key, const struct pycode *code, bool throwing);
/* What is to be let go of when the life ends; the life must have begun. */
void pylives_set_reference(const void *key, PyObject *reference);
/* Its life ends, if it has one; returns its reference, which is the caller's then. */
PyObject *pylives_end(const void *key);
/*
 * The generator of that reference is about to be freed. If it is resumed once more before, to be closed, its life ends as others do; else by pylives_bury(). False: there is no
 * such life, else the reference is the caller's.
 */
bool pylives_orphan(const void *key, const PyObject *reference);
void pylives_bury(void);
/* All end: Python does. Their references are not let go of. */
void pylives_end_all(void);

#endif
