/* SPDX-License-Identifier: MIT */
/*
 * object_names.h - which programs and libraries a target means, by their files' names, and what in them nobody has written. Plain text in, no state.
 */
#ifndef RECORDER_NATIVE_OBJECT_NAMES_H
#define RECORDER_NATIVE_OBJECT_NAMES_H

#include <stdbool.h>

/* Libraries of languages and of the system, by the last part of their path: a glob without an object does not mean these, a whole name does. */
bool object_is_of_system(const char *name);
/* "libfoo", "libfoo.so" and "libfoo.so.1" are one to whoever names it by its begin; a pattern with a slash is for the whole path. */
bool object_is_named(const char *path, const char *pattern);
/* What compilers put into each program. */
bool object_has_of_compiler(const char *symbol);

#endif
