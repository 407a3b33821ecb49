/* SPDX-License-Identifier: MIT */
/*
 * info_json.h - `recorder info` as JSON.
 */
#ifndef RECORDER_TOOLS_INFO_JSON_H
#define RECORDER_TOOLS_INFO_JSON_H

#include "infos.h"

/* With parts->entropy the whole trace is read; ends the process if that fails. */
void info_json(struct output *output, struct reader *trace, const struct reader_info *info,
	       const struct info_parts *parts);

#endif
