/* SPDX-License-Identifier: MIT */
/*
 * passage.h - a stream on its way through the tables: what each of its records counts in.
 */
#ifndef RECORDER_ANALYSIS_PASSAGE_H
#define RECORDER_ANALYSIS_PASSAGE_H

#include "analysis/tables.h"

/* Counts all that a cursor over one stream gives, by time. 0 or a negative errno. */
int passage_take_stream(struct tables *tables, unsigned stream, struct reader_cursor *cursor);

#endif
