/* SPDX-License-Identifier: MIT */
/*
 * costs.h - what recorder info says of what recording cost: CPU time as the processes estimated it, and bytes beside those that times need.
 */
#ifndef RECORDER_TOOLS_COSTS_H
#define RECORDER_TOOLS_COSTS_H

#include <recorder/reader.h>

#include "json.h"

/* Of the processes that said it at their end. Texts are to be freed; NULL: nobody did, or there are no times. */
void overhead_json(struct json *json, const struct reader *trace, unsigned streams);
char *overhead_text(const struct reader *trace, unsigned streams);

/* Beside the `bytes` of the whole trace, which is read. It ends the process if that cannot be read. */
void entropy_json(struct json *json, struct reader *trace, uint64_t bytes);
char *entropy_text(struct reader *trace, uint64_t bytes);

#endif
