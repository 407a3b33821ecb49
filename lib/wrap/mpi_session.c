/* SPDX-License-Identifier: MIT */
/* mpi_session.c - see mpi_session.h */
#include "wrap/mpi_session.h"

#include "record/lifecycle.h"
#include "wrap/mpi_clock.h"
#include "wrap/mpi_memory.h"
#include "wrap/mpi_ranks.h"

#if MPI_VERSION >= 4

#define OPEN_MAX 16u /* sessions that are remembered; one is enough to ask */

static MPI_Session opened[OPEN_MAX];
static unsigned opened_count;
static MPI_Session first; /* that of clocks' communicator */
static struct mpi_lock opened_lock;

bool mpi_session_world(const struct mpi_library *mpi, MPI_Group *group)
{
	bool found = false;

	mpi_lock(&opened_lock);
	for (unsigned at = 0; at < opened_count && !found; at++)
		found = mpi->Group_from_session_pset(opened[at], "mpi://WORLD", group) ==
			MPI_SUCCESS;
	mpi_unlock(&opened_lock);
	return found;
}

static void remember(MPI_Session session)
{
	mpi_lock(&opened_lock);
	if (opened_count < OPEN_MAX) {
		opened[opened_count++] = session;
		mpi_sessions_add(1);
	}
	mpi_unlock(&opened_lock);
}

/* Who this process is, of a program that has not called MPI_Init. */
static void identify(const struct mpi_library *mpi)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int rank = -1, size = 0, length;
	struct mpi_query query;
	MPI_Group group;

	mpi_query_begin(&query);
	if (mpi_session_world(mpi, &group)) {
		mpi->Group_rank(group, &rank);
		mpi->Group_size(group, &size);
		mpi->Group_free(&group);
		mpi->Get_library_version(version, &length);
		lifecycle_mpi_initialized(rank, size, version);
	}
	mpi_query_end(&query);
	mpi_clock_begin(mpi, rank, size);
}

uint32_t mpi_session_made(int result, const MPI_Session *made)
{
	const struct mpi_library *mpi;
	static atomic_flag identified = ATOMIC_FLAG_INIT;

	if (result != MPI_SUCCESS || !made)
		return 0;
	remember(*made);
	mpi = mpi_running();
	if (mpi && !atomic_flag_test_and_set(&identified) && !mpi_world_runs()) {
		first = *made;
		identify(mpi);
	}
	return mpi_handle_made(MPI_OBJECT_SESSION, (uintptr_t)*made);
}

/* Whether it was one that had been opened. */
static bool forget(MPI_Session session)
{
	bool found = false;

	mpi_lock(&opened_lock);
	for (unsigned at = 0; at < opened_count && !found; at++) {
		found = opened[at] == session;
		if (found)
			opened[at] = opened[--opened_count];
	}
	mpi_unlock(&opened_lock);
	return found;
}

uint32_t mpi_session_ended(const MPI_Session *handle)
{
	struct mpi_query query;
	uint32_t number;

	if (!handle)
		return 0;
	number = mpi_handle_ended(MPI_OBJECT_SESSION, (uintptr_t)*handle);
	if (forget(*handle)) {
		if (!mpi_world_runs() && *handle == first)
			mpi_clock_end(mpi_library());
		mpi_query_begin(&query);
		if (!mpi_world_runs())
			mpi_ranks_end();
		mpi_query_end(&query);
		mpi_sessions_add(-1);
	}
	return number;
}

#else

bool mpi_session_world(const struct mpi_library *mpi, MPI_Group *group)
{
	(void)mpi;
	(void)group;
	return false;
}

#endif
