/* SPDX-License-Identifier: MIT */
/* mpi_entries.c - the entries of all wrappers of MPI functions: their code, and their data */
#include "wrap/wrapper.h"

#include "wrap/mpi_entry.h"
#include "wrap/mpi_library.h"

/* MPI_X, mpi_x_ and mpi_x_f08_. */
#define MPI_ENTRY(name) MPI_ENTRY_CODE(#name)
#define MPI_ENTRY_FORTRAN(name) MPI_ENTRY_CODE(#name)

/* How else a compiler may spell the name of mpi_x_(): with no or two underscores, or in capitals. */
#define MPI_ENTRY_SPELLINGS(name, bare, longer, capital)                                           \
	MPI_ENTRY_SPELLED(#bare, #name, MPI_SPELLED_BARE)                                          \
	MPI_ENTRY_ALIAS(#longer, #name)                                                            \
	MPI_ENTRY_SPELLED(#capital, #name, MPI_SPELLED_CAPITAL)

#include "entries_gen.h"

#undef MPI_ENTRY
#undef MPI_ENTRY_FORTRAN
#undef MPI_ENTRY_SPELLINGS
#define MPI_ENTRY(name) MPI_ENTRY_DATA(#name, SYM_##name)
#define MPI_ENTRY_FORTRAN(name) MPI_ENTRY_DATA(#name, SYM_##name)
#define MPI_ENTRY_SPELLINGS(name, bare, longer, capital)

/* Is never called: the assembler can be told numbers within a function alone. */
static __attribute__((used, noinline)) void entries(void)
{
#include "entries_gen.h"
}
