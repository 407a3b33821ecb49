/* SPDX-License-Identifier: MIT */
/*
 * mpi_clock.h - how the clocks of machines lie to each other, measured by messages between one process of each.
 *
 * Those processes are the nodes of a binary tree; each asks the one above it what its clock says:
 *
 *	below   t1 ─── ping ──> t2   above
 *	        t4 <── pong ─── t3
 *
 * The clock above is ahead by at least t3 - t4 and at most t2 - t1. Over many rounds the largest of the one and the least of the other
 * leave a range which is as wide as the fastest way there and back take together; its middle counts. With each answer comes what
 * the one above knows of its own distance to the root, so that distances and errors add up on the way down. Then it answers those
 * below itself, and when they are done it says so above, in a last ping; the root's pong to that sends all of them on. So
 * nobody takes the processor from others that are still measuring; and ranks that share processors measure one after the other.
 *
 * The messages go over a communicator of their own. Nobody waits for others longer than CLOCK_PATIENCE, and only those
 * take part who have agreed on it (record/agreement.h). Ranks of one machine share its clock: where the launcher says that all are on
 * one nothing is done, unless RECORDER_CLOCK_SYNC asks for it.
 */
#ifndef RECORDER_WRAP_MPI_CLOCK_H
#define RECORDER_WRAP_MPI_CLOCK_H

#include "wrap/mpi_library.h"

#define CLOCK_PATIENCE 1000000000 /* ns */

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
