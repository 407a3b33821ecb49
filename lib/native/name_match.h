/* SPDX-License-Identifier: MIT */
/*
 * name_match.h - whether a target means a function of that name.
 *
 *	area   Shape::area   Shape.area            from any component of the name on
 *	vec::push   vec<int>::push   vec<*>::push  with or without the arguments of templates
 *	f(int, const char *)   f(*, int)           one of several functions f, by its parameters
 *	Matrix::operator()   (anonymous namespace)::f   _ZN5Shape4areaEv
 *
 * Blanks do not matter. A '*' is a glob, but behind a type, within parameters or arguments of templates, it is a pointer; "[]" is itself.
 */
#ifndef RECORDER_NATIVE_NAME_MATCH_H
#define RECORDER_NATIVE_NAME_MATCH_H

#include "native/native_names.h"

/* `symbol`: the one that the name is of. */
bool name_match(const struct native_name *name, const char *symbol, const char *pattern);
/* Whether it may: a quick look at the symbol, before its name is made. */
bool name_match_possible(const char *symbol, const char *pattern);

#endif
