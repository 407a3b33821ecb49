/* SPDX-License-Identifier: MIT */
/*
 * mpi_clock_exchange.h - what the clocks of two machines say, exchanged by messages up and down a tree.
 *
 * The processes that take part are the nodes of a binary tree; each asks the one above it what its clock says:
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
 * Nobody waits for others longer than CLOCK_PATIENCE. One measurement at a time: its state is in one place.
 */
#ifndef RECORDER_WRAP_MPI_CLOCK_EXCHANGE_H
#define RECORDER_WRAP_MPI_CLOCK_EXCHANGE_H

#include "record/identity.h"
#include "wrap/mpi_library.h"

#define CLOCK_PATIENCE 1000000000 /* ns */
#define CLOCK_TAG 4711            /* of the first measurement's messages */
/* Clocks of quartz run apart by less: one part in so many of an interval is added to the error of one against the root's. 50 ppm. */
#define CLOCK_DRIFT_PART 20000

/* What was measured: when CLOCK_MONOTONIC was at `mono` that of the root's machine was at mono + offset, give or take `error`; ns. */
struct mpi_clock_point {
	int64_t mono, offset;
	uint64_t error;
	char reference[sizeof(identity.boot_id)]; /* the root's machine */
};

/* This process is number `index` of `count` in the tree, and in the communicator, which is the caller's and stays open until the last measurement has ended. */
void mpi_clock_exchange_open(MPI_Comm comm, MPI_Datatype byte, int index, int count);

/*
 * All of them measure, and each answers those below it. Many rounds are made for `rounds_ns`, unless few tell enough. Returns what was measured, which is valid until the
 * next time; NULL: the one above did not answer, or does not know.
 */
const struct mpi_clock_point *mpi_clock_exchange_begin(const struct mpi_library *mpi,
						       int64_t rounds_ns);
/* After each of these: waits until all are done. False: somebody did not come. */
bool mpi_clock_exchange_end(const struct mpi_library *mpi);

#endif
