/* SPDX-License-Identifier: MIT */
/*
 * pack_defs.h - a DEFS chunk taken apart for a packed trace, doc/format.md section 10, and what its definitions of functions tell of the records behind it (pack_records.h).
 */
#ifndef RECORDER_TOOLS_PACK_DEFS_H
#define RECORDER_TOOLS_PACK_DEFS_H

#include "pack_maker.h"

/* bytes of definitions that become tokens; more become a blob */
#define PACK_DEFS_TOKENS_MOST (64u << 10)

/* Functions of these entries are known from here on. */
void pack_defs_learn(struct part_maker *maker, struct bytes entries);
/* No function is known. */
void pack_defs_forget(struct part_maker *maker);
/* A chunk whose body is deflated; its functions are learnt if it can be inflated. 0; -EBADMSG: it could not be put together again, and the shape may have some of it. */
int pack_defs_put(struct part_maker *maker, const struct chunk_header *header, struct bytes body);

#endif
