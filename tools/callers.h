/* SPDX-License-Identifier: MIT */
/* callers.h - the filter --callers: records by the place in the program that they were called from. */
#ifndef RECORDER_TOOLS_CALLERS_H
#define RECORDER_TOOLS_CALLERS_H

#include "callsites.h"

/* If --callers was given, makes options.filter ask for it. */
void callers_begin(const struct reader *trace);

/*
 * Whether a place is one of the list: function ("main", "ns::save", with or without its arguments), file ("heat.c", "heat.c:42", a
 * whole path), program or library ("libhdf5*"); -GLOB takes away.
 */
bool callers_match(const char *list, const struct callsite *site);

#endif
