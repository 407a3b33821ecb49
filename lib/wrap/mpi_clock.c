/* SPDX-License-Identifier: MIT */
/* mpi_clock.c - see mpi_clock.h */
#include "wrap/mpi_clock.h"

#include <string.h>

#include "format/job.h"
#include "record/agreement.h"
#include "record/config.h"
#include "record/identity.h"
#include "record/metadata.h"
#include "record/text.h"
#include "wrap/mpi_clock_exchange.h"
#include "wrap/mpi_comms.h"
#include "wrap/mpi_memory.h"
#include "wrap/mpi_predefined.h"
#include "wrap/mpi_session.h"

#define ROUNDS_NS 4000000 /* how long rounds are made, unless few are enough */
#define BARRIER_NS 500000 /* at a barrier */

static struct {
	bool open;
	MPI_Comm comm;
	MPI_Datatype byte;
	MPI_Errhandler errors_return;
	MPI_Info no_info;
	/* the point stored last */
	int64_t stored_mono;
	uint64_t stored_error;
} clocks;

static char agreement_name[24];
static bool agreement_pending; /* it was not reached, and its files may be there still */

/* ---- what is stored ---- */

/* Whether the point tells more than the one stored before it, whose error grows with time. On a busy machine one may tell much less, and would spoil what lies
 * between its neighbours. */
static bool worth_storing(const struct mpi_clock_point *point)
{
	uint64_t since = (uint64_t)(point->mono - clocks.stored_mono);

	return point->error <= clocks.stored_error + since / CLOCK_DRIFT_PART;
}

static void store_point(const struct mpi_clock_point *point)
{
	metadata_write_point(point->reference, point->mono, point->offset, point->error);
	clocks.stored_mono = point->mono;
	clocks.stored_error = point->error;
}

/* False: somebody did not come. `always`: the point is stored whatever it tells. */
static bool measure(const struct mpi_library *mpi, int64_t rounds_ns, bool always)
{
	const struct mpi_clock_point *point = mpi_clock_exchange_begin(mpi, rounds_ns);

	if (point && (always || worth_storing(point)))
		store_point(point);
	return mpi_clock_exchange_end(mpi);
}

/* ---- who takes part ---- */

static void find_handle(const struct mpi_predefined *predefined, uint32_t number)
{
	(void)number;
	if (!strcmp(predefined->name, "MPI_BYTE"))
		clocks.byte = (MPI_Datatype)predefined->handle;
	else if (!strcmp(predefined->name, "MPI_ERRORS_RETURN"))
		clocks.errors_return = (MPI_Errhandler)predefined->handle;
	else if (!strcmp(predefined->name, "MPI_INFO_NULL"))
		clocks.no_info = (MPI_Info)predefined->handle;
}

/* Of a program that has sessions alone, from one of them, which it does not outlive. */
static bool create_comm(const struct mpi_library *mpi, MPI_Group group)
{
	if (mpi_world_runs())
		return mpi->Comm_create_group(mpi_comm_world(), group, CLOCK_TAG, &clocks.comm) ==
		       MPI_SUCCESS;
#if MPI_VERSION >= 4
	return mpi->Comm_create_from_group(group, "recorder clocks", clocks.no_info,
					   clocks.errors_return, &clocks.comm) == MPI_SUCCESS;
#else
	return false;
#endif
}

static bool make_comm(const struct mpi_library *mpi, const int32_t *ranks, int count)
{
	MPI_Group world, group;
	bool made = mpi_world_runs() ? mpi->Comm_group(mpi_comm_world(), &world) == MPI_SUCCESS
				     : mpi_session_world(mpi, &world);

	if (!made)
		return false;
	made = mpi->Group_incl(world, count, ranks, &group) == MPI_SUCCESS;
	mpi->Group_free(&world);
	if (!made)
		return false;
	made = create_comm(mpi, group);
	mpi->Group_free(&group);
	if (made) /* errors there are ours to see */
		mpi->Comm_set_errhandler(clocks.comm, clocks.errors_return);
	return made;
}

/* How many ranks this one stands for, 0 if that is not known; -1: it takes no part. */
static int weight_of(int size)
{
	struct job_node node = job_node();

	if (config.clock_sync & CONFIG_CLOCK_ALL)
		return 1;
	if (!config.clock_sync || node.rank != 0 || node.size >= size)
		return -1;
	return node.size > 0 ? node.size : 0;
}

/* The place of `rank` in a list of that many. */
static int index_in(const int32_t *ranks, int count, int rank)
{
	int index = 0;

	while (index < count && ranks[index] != rank)
		index++;
	return index;
}

static void open_clocks(const struct mpi_library *mpi, int rank, int size, int weight)
{
	struct textbuf name = text_in(agreement_name, sizeof(agreement_name));
	int32_t *ranks = mpi_scratch_take(AGREEMENT_MAX * sizeof(*ranks));
	int count;

	if (!ranks)
		return;
	text_add(&name, "clock-");
	text_add_hex(&name, text_hash(identity.world, strlen(identity.world), 0), 16);
	count = agreement_reach(agreement_name, rank, weight, size, ranks);
	mpi_predefined_each(find_handle);
	if (count > 1 && make_comm(mpi, ranks, count)) {
		mpi_clock_exchange_open(clocks.comm, clocks.byte, index_in(ranks, count, rank),
					count);
		clocks.open = true;
	}
	agreement_pending = !clocks.open;
	if (rank == 0)
		agreement_forget(agreement_name);
	mpi_scratch_give(ranks);
}

void mpi_clock_begin(const struct mpi_library *mpi, int rank, int size)
{
	int weight = weight_of(size);
	struct mpi_query query;

	if (clocks.open || weight < 0 || size < 2)
		return;
	mpi_query_begin(&query);
	open_clocks(mpi, rank, size, weight);
	if (clocks.open)
		measure(mpi, ROUNDS_NS, true);
	mpi_clock_at_barriers = clocks.open && (config.clock_sync & CONFIG_CLOCK_BARRIER);
	mpi_query_end(&query);
}

bool mpi_clock_at_barriers;

void mpi_clock_at_barrier(MPI_Comm comm)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_query query;

	if (!mpi || comm != mpi_comm_world())
		return;
	mpi_query_begin(&query);
	measure(mpi, BARRIER_NS, false);
	mpi_query_end(&query);
}

void mpi_clock_end(const struct mpi_library *mpi)
{
	struct mpi_query query;

	mpi_query_begin(&query);
	if (clocks.open && measure(mpi, ROUNDS_NS, true))
		mpi->Comm_free(&clocks.comm);
	clocks.open = false;
	mpi_clock_at_barriers = false;
	if (agreement_pending)
		agreement_forget(agreement_name);
	agreement_pending = false;
	mpi_query_end(&query);
}
