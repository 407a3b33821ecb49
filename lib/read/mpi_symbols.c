/* SPDX-License-Identifier: MIT */
/* mpi_symbols.c - names of Open MPI; see symbol_tables.h */
#include "read/symbol_tables.h"

#include <stddef.h>

#include "format/mpi_values.h"

#define ROW(name, value) {value, #name},
#define KIND(kind, list, added) static const struct symbol kind##_rows[] = {list(ROW){0, NULL}};
MPI_VALUES(KIND)
#undef KIND

/* Numbers of our own. */
static const struct symbol buffers[] = {
	{0, "buffer"},
	{1, "MPI_IN_PLACE"},
	{0, NULL},
};

static const struct symbol *const tables[KIND_COUNT] = {
#define KIND(kind, list, added) [KIND_##kind] = kind##_rows,
	MPI_VALUES(KIND)
#undef KIND
		[KIND_in_place] = buffers,
};

const struct symbol *mpi_symbols(enum kind kind)
{
	return tables[kind];
}
