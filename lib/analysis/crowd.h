/* SPDX-License-Identifier: MIT */
/*
 * crowd.h - threads that read the streams of a trace, the largest ones first, each into tables of its own.
 */
#ifndef RECORDER_ANALYSIS_CROWD_H
#define RECORDER_ANALYSIS_CROWD_H

#include "analysis/tables.h"

/* Counts all that the options ask for, by their filter, in `tables`, which have begun and are empty. 0 or a negative errno. */
int crowd_read(struct tables *tables, const struct analysis_options *options);

#endif
