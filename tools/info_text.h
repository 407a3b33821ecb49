/* SPDX-License-Identifier: MIT */
/*
 * info_text.h - `recorder info` for people to read.
 */
#ifndef RECORDER_TOOLS_INFO_TEXT_H
#define RECORDER_TOOLS_INFO_TEXT_H

#include "infos.h"

/* With parts->entropy the whole trace is read; ends the process if that fails. */
void info_text(struct output *output, struct reader *trace, const struct reader_info *info,
	       const struct info_parts *parts);

#endif
