/* SPDX-License-Identifier: MIT */
/*
 * mpi_foreign.c - whether the program's MPI is the one that layer mpi was built for.
 *
 * MPI has no binary interface of its own: a handle is a pointer in Open MPI and a number in MPICH, a status has other fields, MPI_STATUS_IGNORE
 * another value. Under another MPI the layer switches itself off, with one note; the rest of the program is recorded.
 */
#include "wrap/mpi_library.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "record/function.h"
#include "record/identity.h"
#include "record/metadata.h"
#include "record/note.h"
#include "record/selection.h"
#include "wrap/mpi_constants.h"

#define MARK "ompi_mpi_comm_world" /* what Open MPI alone defines */

#ifdef OPEN_MPI
#define BUILT_FOR "Open MPI"
#define BUILT_WITH_MARK true
#else
#define BUILT_FOR "another MPI"
#define BUILT_WITH_MARK false
#endif

bool mpi_foreign;

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

	mpi_foreign = true;
	selection_drop("mpi"); /* and mpiio */
	metadata_set_mpi_other(name);
	if (identity.rank == 0 && identity.main)
		note("the program's MPI is ", name,
		     ", the recorder was built for " BUILT_FOR ": its MPI calls are not recorded",
		     NULL);
}

/* At the first MPI function that the program calls. */
static void judge(void *function)
{
	static atomic_flag judged = ATOMIC_FLAG_INIT;
	Dl_info info;

	if (atomic_flag_test_and_set(&judged) || !dladdr(function, &info) || !info.dli_fname)
		return;
	if (has_mark(info.dli_fname) != BUILT_WITH_MARK)
		switch_off(info.dli_fname);
	else
		metadata_set_mpi_symbols(mpi_constants_each_kind);
}

__attribute__((constructor)) static void watch(void)
{
	symbol_found = judge;
}
