/* SPDX-License-Identifier: MIT */
/*
 * infos.h - what the forms of `recorder info` share, and the shortest of them: CSV with a line for each stream. See info_text.h and info_json.h.
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

/* RFC 4180. */
void info_csv(struct output *output, const struct reader *trace, const struct reader_info *info);

/* "clean", "running" or "died"; "unknown" of a later version. */
const char *info_state(enum reader_stream_state state);
/* Of the files of all streams. */
uint64_t info_bytes(const struct reader *trace, unsigned streams);

#endif
