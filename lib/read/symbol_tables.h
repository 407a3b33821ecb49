/* SPDX-License-Identifier: MIT */
/* symbol_tables.h - the names of values as they are on Linux on x86-64, and with Open MPI. */
#ifndef RECORDER_READ_SYMBOL_TABLES_H
#define RECORDER_READ_SYMBOL_TABLES_H

#include "read/symbols.h"

/* Tables that end with a NULL name; NULL: the kind has none there. */
const struct symbol *linux_symbols(enum kind kind);
const struct symbol *mpi_symbols(enum kind kind);
const struct symbol *object_symbols(enum kind kind);
const struct symbol *kernel_symbols(enum kind kind);

#endif
