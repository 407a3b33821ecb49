/* SPDX-License-Identifier: MIT */
/*
 * pymatch.h - whether a function of Python is one that a target means; by names alone.
 */
#ifndef RECORDER_PYCALLS_PYMATCH_H
#define RECORDER_PYCALLS_PYMATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "record/targets.h"

#define PYNAME_MAX 256u /* bytes of a qualified name, with its zero; longer ones are cut */

struct pyname {
	const char *module;    /* "json.decoder", "__main__" */
	const char *qualified; /* "JSONDecoder.raw_decode", "outer.<locals>.inner" */
	const char *file;
};

/* By its name; not where the target is a line. */
bool pymatch_name(const struct target *target, const struct pyname *name);
/* Whether it is of the file in which the target names a line. */
bool pymatch_file(const struct target *target, const char *file);
/* "json.decoder.JSONDecoder.raw_decode" */
void pymatch_path(const struct pyname *name, char *buffer, size_t size);

#endif
