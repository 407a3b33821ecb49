/* SPDX-License-Identifier: MIT */
/*
 * inventory.h - the files and threads of a trace, for recorder info.
 */
#ifndef RECORDER_TOOLS_INVENTORY_H
#define RECORDER_TOOLS_INVENTORY_H

#include <recorder/reader.h>

#include "json.h"
#include "output.h"

/* Tables, one line each, in the order of streams. */
void inventory_files(struct output *output, const struct reader *trace, unsigned streams);
void inventory_threads(struct output *output, const struct reader *trace, unsigned streams);
/* Arrays "files" and "thread_list" of the object of a stream. */
void inventory_files_json(struct json *json, const struct reader *trace, unsigned stream);
void inventory_threads_json(struct json *json, const struct reader *trace, unsigned stream);

#endif
