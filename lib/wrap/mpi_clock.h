/* SPDX-License-Identifier: MIT */
/*
 * mpi_clock.h - how the clocks of machines lie to each other, measured by messages between one process of each (mpi_clock_exchange.h): who takes part, when, and what of it
 * is stored.
 *
 * The messages go over a communicator of their own. Only those take part who have agreed on it (record/agreement.h). Ranks of one machine share its clock: where the launcher says that all are on
 * one nothing is done, unless RECORDER_CLOCK_SYNC asks for it.
 */
#ifndef RECORDER_WRAP_MPI_CLOCK_H
#define RECORDER_WRAP_MPI_CLOCK_H

#include "wrap/mpi_library.h"

/* After MPI_Init, or when the first session of a program without it was made: rank and size are those in the world. */
void mpi_clock_begin(const struct mpi_library *mpi, int rank, int size);
/* Before MPI_Finalize, or before that session ends. */
void mpi_clock_end(const struct mpi_library *mpi);

/* After each MPI_Barrier; where it is asked for all take part that do so. */
extern bool mpi_clock_at_barriers;
void mpi_clock_at_barrier(MPI_Comm comm);

static inline void mpi_clock_barrier(MPI_Comm comm)
{
	if (__builtin_expect(mpi_clock_at_barriers, 0))
		mpi_clock_at_barrier(comm);
}

#endif
