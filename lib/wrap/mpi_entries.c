/* SPDX-License-Identifier: MIT */
/* mpi_entries.c - the entries of all wrappers of MPI functions */
#include "wrap/wrapper.h"

#include "wrap/mpi_entry.h"
#include "wrap/mpi_library.h"

/* MPI_X: the compiler knows the wrapper by that name. */
#define MPI_ENTRY(name)                                                                            \
	MPI_ENTRY_DATA(name, name)                                                                 \
	MPI_ENTRY_CODE(#name)

/* mpi_x_ and mpi_x_f08_: no header declares them. */
#define MPI_ENTRY_FORTRAN(name)                                                                    \
	void wrap_##name(void);                                                                    \
	MPI_ENTRY_DATA(name, wrap_##name)                                                          \
	MPI_ENTRY_CODE(#name)

#define MPI_ENTRY_DATA(name, target)                                                               \
	static const struct mpi_entry mpi_entry_##name                                             \
		__attribute__((used)) = {(void (*)(void))(target), SYM_##name};

/* How else a compiler may spell the name of mpi_x_(): with no or two underscores, or in capitals. */
#define MPI_ENTRY_SPELLINGS(name, bare, longer, capital)                                           \
	MPI_ENTRY_SPELLED(#bare, #name, MPI_SPELLED_BARE)                                          \
	MPI_ENTRY_ALIAS(#longer, #name)                                                            \
	MPI_ENTRY_SPELLED(#capital, #name, MPI_SPELLED_CAPITAL)

#include "entries_gen.h"
