/* SPDX-License-Identifier: MIT */
/* mpi_library.c - finding the functions and data of the program's MPI */
#include "wrap/mpi_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "functions_gen.h"
#include "record/function.h"
#include "record/thread.h"

static struct mpi_library library;

/* 0 not looked for, 1 found */
static atomic_uint library_found;

/* Whether MPI may be asked. A program may initialize it where no wrapper sees it, so "unknown" asks. */
enum running {
	RUNNING_UNKNOWN,
	RUNNING_YES,
	RUNNING_NO,
};

static atomic_uint running;
static atomic_int sessions;

static const struct {
	char name[36];
	uint32_t offset;
} functions[] = {
#define FUNCTION(name) {"PMPI_" #name, offsetof(struct mpi_library, name)},
	MPI_LIBRARY_FUNCTIONS(FUNCTION) MPI4_LIBRARY_FUNCTIONS(FUNCTION)
		MPI_LIBRARY_FORTRAN(FUNCTION)
#undef FUNCTION
};

/*
 * The scope of the program first: there the executable's copy of a data symbol is found before
 * the library's own. A library that was opened with RTLD_LOCAL (by Python) is found through a function of it
 * that a wrapper has already called.
 */
static void *symbol_find(const char *symbol, void *scope)
{
	void *found = dlsym(scope, symbol);
	Dl_info info;
	void *handle;

	for (unsigned at = 0; !found && at < SYM_COUNT; at++) {
		if (!symbol_next[at] || !*symbol_table[at].fallback ||
		    !dladdr(symbol_next[at], &info))
			continue;
		handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		if (!handle)
			continue;
		found = dlsym(handle, symbol);
		dlclose(handle);
	}
	return found;
}

void *mpi_library_data(const char *symbol)
{
	struct mpi_query query;
	void *found;

	mpi_query_begin(&query);
	found = symbol_find(symbol, RTLD_DEFAULT);
	mpi_query_end(&query);
	return found;
}

/* Behind us: PMPI_X may have a wrapper (mpi_f08.h). */
static void *library_function(const char *symbol)
{
	struct mpi_query query;
	void *found;

	mpi_query_begin(&query);
	found = symbol_find(symbol, RTLD_NEXT);
	mpi_query_end(&query);
	return found;
}

static void library_gone(void)
{
	atomic_store_explicit(&library_found, 0, memory_order_release);
	atomic_store_explicit(&running, RUNNING_UNKNOWN, memory_order_release);
}

/* Several threads may do this at once: all store the same. */
static bool library_find(void)
{
	for (unsigned at = 0; at < sizeof(functions) / sizeof(functions[0]); at++) {
		void *found = library_function(functions[at].name);

		if (!found)
			return false;
		*(void **)((char *)&library + functions[at].offset) = found;
	}
	return true;
}

const struct mpi_library *mpi_library(void)
{
	if (!atomic_load_explicit(&library_found, memory_order_acquire)) {
		if (mpi_way_now() == MPI_WAY_FOREIGN || !library_find() ||
		    mpi_is_foreign((void *)library.Comm_rank))
			return NULL;
		symbol_gone = library_gone;
		atomic_store_explicit(&library_found, 1, memory_order_release);
	}
	return &library;
}

void mpi_running_set(bool yes)
{
	atomic_store_explicit(&running, yes ? RUNNING_YES : RUNNING_NO, memory_order_release);
}

static bool ask_whether_running(const struct mpi_library *mpi)
{
	int initialized = 0, finalized = 0;
	struct mpi_query query;

	mpi_query_begin(&query);
	mpi->Initialized(&initialized);
	mpi->Finalized(&finalized);
	mpi_query_end(&query);
	if (initialized && !finalized)
		mpi_running_set(true);
	return initialized && !finalized;
}

void mpi_sessions_add(int change)
{
	atomic_fetch_add_explicit(&sessions, change, memory_order_acq_rel);
}

bool mpi_world_runs(void)
{
	unsigned state = atomic_load_explicit(&running, memory_order_acquire);
	const struct mpi_library *mpi;

	if (state != RUNNING_UNKNOWN)
		return state == RUNNING_YES;
	mpi = mpi_library();
	return mpi && ask_whether_running(mpi);
}

const struct mpi_library *mpi_running(void)
{
	unsigned state = atomic_load_explicit(&running, memory_order_acquire);
	const struct mpi_library *mpi;

	if (state == RUNNING_YES)
		return mpi_library();
	if (atomic_load_explicit(&sessions, memory_order_acquire) > 0)
		return mpi_library();
	if (state == RUNNING_NO)
		return NULL;
	mpi = mpi_library();
	return mpi && ask_whether_running(mpi) ? mpi : NULL;
}
