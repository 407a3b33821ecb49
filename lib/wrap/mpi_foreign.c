/* SPDX-License-Identifier: MIT */
/*
 * mpi_foreign.c - whether the program's MPI is the one that layer mpi was built for.
 *
 * MPI has no binary interface of its own: a handle is a pointer in Open MPI and a number in MPICH, a status has other fields, MPI_STATUS_IGNORE
 * another value. Under another MPI the layer switches itself off, with one note: entries lead past the wrappers (mpi_entry.h), and
 * the rest of the program is recorded.
 */
#include "wrap/mpi_library.h"

#include <dlfcn.h>
#include <string.h>

#include "record/function.h"
#include "record/identity.h"
#include "record/metadata.h"
#include "record/note.h"
#include "record/selection.h"
#include "wrap/mpi_constants.h"
#include "wrap/mpi_namesake.h"

#define MARK "ompi_mpi_comm_world" /* what Open MPI alone defines */

#ifdef OPEN_MPI
#define BUILT_FOR "Open MPI"
#define BUILT_WITH_MARK true
#else
#define BUILT_FOR "MPICH"
#define BUILT_WITH_MARK false
#endif

_Atomic uint8_t mpi_way = MPI_WAY_UNKNOWN;

/* In the library of the function and what that needs, or, behind another tool that has the function, in the program. */
static bool has_mark(const char *library)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	bool found = handle && dlsym(handle, MARK);

	if (handle)
		dlclose(handle);
	return found || dlsym(RTLD_DEFAULT, MARK);
}

static void switch_off(const char *library)
{
	const char *slash = strrchr(library, '/');
	const char *name = slash ? slash + 1 : library;

	selection_drop("mpi"); /* and mpiio */
	metadata_set_mpi_other(name);
	if (identity.rank == 0 && identity.main)
		note("the program's MPI is ", name,
		     ", the recorder was built for " BUILT_FOR ": its MPI calls are not recorded",
		     NULL);
}

/* Several threads may find it out at once, each for itself; one of them tells. */
static void judge(void *function)
{
	uint8_t before = MPI_WAY_UNKNOWN, way;
	Dl_info info;

	if (!dladdr(function, &info) || !info.dli_fname)
		return;
	way = has_mark(info.dli_fname) == BUILT_WITH_MARK ? MPI_WAY_OWN : MPI_WAY_FOREIGN;
	if (!atomic_compare_exchange_strong(&mpi_way, &before, way))
		return;
	if (way == MPI_WAY_FOREIGN)
		switch_off(info.dli_fname);
	else
		metadata_set_mpi_symbols(mpi_constants_each_kind);
}

bool mpi_is_foreign(void *function)
{
	struct mpi_query query;

	if (mpi_way_now() == MPI_WAY_UNKNOWN) {
		mpi_query_begin(&query);
		judge(function);
		mpi_query_end(&query);
	}
	return mpi_way_now() == MPI_WAY_FOREIGN;
}

/* Without a next one the wrapper knows what to return. */
static void *past_entry(const struct mpi_entry *entry, const void *caller)
{
	void *next = __atomic_load_n(&symbol_next[entry->symbol], __ATOMIC_RELAXED);

	if (!next)
		next = symbol_resolve(entry->symbol, caller);
	return next && mpi_is_foreign(next) ? next : (uint8_t *)entry + entry->wrapper;
}

void *mpi_entry_target(uintptr_t entry, const void *caller)
{
	unsigned spelling = entry % _Alignof(struct mpi_entry);
	const struct mpi_entry *data = (const struct mpi_entry *)(entry - spelling);
	void *own = spelling ? mpi_namesake(data->symbol, spelling) : NULL;

	return own ? own : past_entry(data, caller);
}
