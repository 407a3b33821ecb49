/* SPDX-License-Identifier: MIT */
/*
 * infos.h - the forms of `recorder info`: text, JSON, and CSV with a line for each stream.
 */
#ifndef RECORDER_TOOLS_INFOS_H
#define RECORDER_TOOLS_INFOS_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

#include "output.h"

/* What is given out only if it is asked for, see inventory.h and costs.h. */
struct info_parts {
	bool files, threads, entropy;
};

/* With parts->entropy the whole trace is read; they end the process if that fails. */
void info_text(struct output *output, struct reader *trace, const struct reader_info *info,
	       const struct info_parts *parts);
void info_json(struct output *output, struct reader *trace, const struct reader_info *info,
	       const struct info_parts *parts);
/* RFC 4180. */
void info_csv(struct output *output, const struct reader *trace, const struct reader_info *info);

/* ---- for all of them ---- */

/* "clean", "running" or "died"; "unknown" of a later version. */
const char *info_state(enum reader_stream_state state);
/* Of the files of all streams. */
uint64_t info_bytes(const struct reader *trace, unsigned streams);

#endif
