/* SPDX-License-Identifier: MIT */
/*
 * surroundings.h - what a process finds when it begins: program, arguments and folder, the machine and what of it the process may
 * use, its job, the recorder's options, and what is mounted. The keys are in doc/format.md section 8.
 */
#ifndef RECORDER_RECORD_SURROUNDINGS_H
#define RECORDER_RECORD_SURROUNDINGS_H

#include "format/entries.h"
#include "record/machine.h"

#define SURROUNDINGS_LEFT                                                                          \
	(8u << 10) /* bytes that variables of the program's environment leave free, for all else */

/* Needs descriptors. Some 30 KB, and the variables that were asked for as far as there is room. One thread at a time. */
void surroundings_gather(struct entries *entries);

/* "symbols.KIND": what names of the kind stand for here, where that is not what readers expect. One thread at a time. */
void surroundings_symbols(void *entries, const char *kind, const struct machine_symbol *symbols);

#endif
