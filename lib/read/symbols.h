/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - names of the values that system and MPI headers define. The usual ones are those of Linux on x86-64 and of Open MPI:
 * a stream that was recorded elsewhere tells in its .lm what differs there, and NAME definitions go before both.
 */
#ifndef RECORDER_READ_SYMBOLS_H
#define RECORDER_READ_SYMBOLS_H

#include <stdint.h>

#include "format/kinds.h"
#include "read/metafile.h"
#include "read/pool.h"

struct symbol {
	int64_t value;
	const char *name;
};

/* What a stream has in place of the usual symbols. */
struct symbols;

/* What the .lm tells, in memory of the pool; *own stays as it is where that is nothing. 0 or -ENOMEM. */
int symbols_load(const struct symbols **own, const struct metadata *lm, struct pool *pool);
/* The symbols of a kind, up to one without name; NULL: it has none. `own`: of the stream, or NULL. */
const struct symbol *symbols_of(const struct symbols *own, enum kind kind);
/* The name of one value; NULL unknown. */
const char *symbol_name(const struct symbol *symbols, int64_t value);

#endif
