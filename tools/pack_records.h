/* SPDX-License-Identifier: MIT */
/*
 * pack_records.h - a DATA chunk taken apart for a packed trace, doc/format.md section 10: what is about time, names, and all else, each by itself.
 */
#ifndef RECORDER_TOOLS_PACK_RECORDS_H
#define RECORDER_TOOLS_PACK_RECORDS_H

#include "pack_maker.h"

/* A chunk of DATA whose functions are known. 0; -EBADMSG: it could not be put together again, and the shape may have some of it. */
int pack_records_put(struct part_maker *maker, const struct chunk_header *header,
		     struct bytes body);

#endif
