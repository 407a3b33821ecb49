/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - names of the values that system and MPI headers define. They are those of Linux and
 * of Open MPI: streams recorded elsewhere bring their own as NAME definitions, which go before
 * these.
 */
#ifndef RECORDER_READ_SYMBOLS_H
#define RECORDER_READ_SYMBOLS_H

#include <stdint.h>

#include "format/kinds.h"

struct symbol {
	int64_t value;
	const char *name;
};

/* The symbols of a kind, up to one without name; NULL: it has none. */
const struct symbol *symbols_of(enum kind kind);
/* The name of one value; NULL unknown. */
const char *symbol_name(const struct symbol *symbols, int64_t value);
/* "ENOENT"; NULL unknown. */
const char *symbol_errno(int err);

#endif
