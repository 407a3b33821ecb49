/* SPDX-License-Identifier: MIT */
/*
 * symver.h - the version by which an object of the process refers to a function.
 *
 * Two builds of a library (HDF5 with and without MPI) can be in one process under different symbol versions; the loader gives each object
 * the one it was linked to. A preload has the plain name and gets the calls of all of them, so it must ask what the loader knew.
 */
#ifndef RECORDER_RECORD_SYMVER_H
#define RECORDER_RECORD_SYMVER_H

#include "record/dynamic.h"

/* The version of the function `name` in the object, which uses or defines it; NULL: it has none there. */
const char *symver_find(const struct dynamic *object, const char *name);

#endif
