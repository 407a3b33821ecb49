/* SPDX-License-Identifier: MIT */
/* demangle.h - names of functions as their sources have them. */
#ifndef RECORDER_TOOLS_DEMANGLE_H
#define RECORDER_TOOLS_DEMANGLE_H

#include <stddef.h>

/*
 * A symbol's name as C++ and Fortran have it: "_ZN3abc4saveEi" is "abc::save(int)", "__mesh_MOD_save" is "mesh::save"; others as they
 * are. In memory of the heap; NULL: there is none.
 */
char *demangle(const char *symbol);

#endif
