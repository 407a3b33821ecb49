/* SPDX-License-Identifier: MIT */
/*
 * timewindow.h - the time of a trace divided into windows of about as many records, by what the headers of chunks say.
 */
#ifndef RECORDER_TOOLS_TIMEWINDOW_H
#define RECORDER_TOOLS_TIMEWINDOW_H

#include <recorder/reader.h>

/* Window `number` of `count`: records that begin in *begin..*end (not included), by `filter`. The windows together are all of time. Ends the process if the filter is wrong. */
void time_window(const struct reader *trace, const struct reader_filter *filter, unsigned count,
		 unsigned number, int64_t *begin, int64_t *end);

#endif
