/* SPDX-License-Identifier: MIT */
/* listing.h - which files a trace has, of a directory or a packed one: its streams by name, and what of their data is in files of nodes. */
#ifndef RECORDER_READ_LISTING_H
#define RECORDER_READ_LISTING_H

#include "read/trace.h"

#define GLOBAL_NAME "recorder.gm"

/* Fills in streams, in the order of their names, and has_gm. Nothing is read but the headers of chunks in files of nodes. 0 or a negative errno, of which the caller tells the rest. */
int listing_make(struct reader *trace);
/* Bytes of the file of that name, wherever it is; 0: there is none, also if `name` is NULL. */
uint64_t listing_size(const struct reader *trace, const char *name);

#endif
