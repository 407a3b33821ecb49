/* SPDX-License-Identifier: MIT */
/*
 * streamshare.h - the streams that a filter asks for, dealt out to processes that work together: the largest first, each to who has least so far. Who gets which depends
 * on the trace, the filter and their number alone.
 */
#ifndef RECORDER_TOOLS_STREAMSHARE_H
#define RECORDER_TOOLS_STREAMSHARE_H

#include <stdbool.h>

#include <recorder/reader.h>

/* By number of the stream, whether options.filter asks for it; --streams is a condition of its own. To be freed. Ends the process if the filter is wrong. */
bool *streams_wanted(const struct reader *trace);
/* By number of the stream, whether process `number` of `count` has it; to be freed. `wanted`: by stream, NULL all. */
bool *streams_deal(const struct reader *trace, const bool *wanted, unsigned count, unsigned number);
/* A number that tells the trace and options.filter from others. */
uint64_t streams_fingerprint(const struct reader *trace);

#endif
