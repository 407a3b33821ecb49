/* SPDX-License-Identifier: MIT */
/*
 * surroundings.h - what a process finds when it begins: program, arguments and folder, the machine and what of it the process may
 * use, its job, the recorder's options, and what is mounted. The keys are in doc/format.md section 8.
 */
#ifndef RECORDER_RECORD_SURROUNDINGS_H
#define RECORDER_RECORD_SURROUNDINGS_H

#include "record/entries.h"

/* Needs descriptors. Some 25 KB at most. One thread at a time. */
void surroundings_gather(struct entries *entries);

#endif
