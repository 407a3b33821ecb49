/* SPDX-License-Identifier: MIT */
/*
 * halo.c - what recording adds to MPI calls: a ring of ranks that exchange borders, and a sum.
 *
 * halo STEPS ROUNDS [tags]: under mpirun, with librecorder.so preloaded. A round makes STEPS steps that are recorded and, in turns with
 * them, as many with the PMPI functions behind the recorder's back; with "tags" each step has a tag of its own, else all have two. Ranks that share a core wait for each other by spinning, so the
 * cost of a call is uncertain here; what a record takes in bytes is not.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define CALLS_PER_STEP 6u
#define STEPS_PER_SLICE 50u
#define CELLS 64

struct functions {
	int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
	int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
	int (*waitall)(int, MPI_Request *, MPI_Status *);
	int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
};

static struct functions recorded = {MPI_Irecv, MPI_Isend, MPI_Waitall, MPI_Allreduce};
static struct functions bare = {PMPI_Irecv, PMPI_Isend, PMPI_Waitall, PMPI_Allreduce};
static int rank, ranks;
static int tag_step; /* 1: tags count on */

static void run_steps(void *data, unsigned calls)
{
	const struct functions *functions = data;
	double out[2][CELLS] = {{0}}, in[2][CELLS], sum;
	int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
	static int step;

	for (unsigned i = 0; i < calls / CALLS_PER_STEP; i++) {
		MPI_Request requests[4];
		int tag = step++ * tag_step;

		functions->irecv(in[0], CELLS, MPI_DOUBLE, left, tag, MPI_COMM_WORLD, &requests[0]);
		functions->irecv(in[1], CELLS, MPI_DOUBLE, right, tag + 1, MPI_COMM_WORLD,
				 &requests[1]);
		functions->isend(out[0], CELLS, MPI_DOUBLE, right, tag, MPI_COMM_WORLD,
				 &requests[2]);
		functions->isend(out[1], CELLS, MPI_DOUBLE, left, tag + 1, MPI_COMM_WORLD,
				 &requests[3]);
		functions->waitall(4, requests, MPI_STATUSES_IGNORE);
		functions->allreduce(out[0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
}

/* The mean of the ranks, on rank 0. */
static double mean(double value)
{
	double sum = 0;

	PMPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	return sum / ranks;
}

int main(int argc, char **argv)
{
	struct plan plan = {0, 0, STEPS_PER_SLICE * CALLS_PER_STEP};
	struct variant variants[] = {{run_steps, &bare, 0, 0}, {run_steps, &recorded, 0, 0}};
	double stamps, without, with;

	tag_step = argc == 4 && !strcmp(argv[3], "tags");
	if (argc != 3 + tag_step)
		return 2;
	plan.slices = (unsigned)strtoul(argv[1], NULL, 10) / STEPS_PER_SLICE;
	plan.rounds = (unsigned)strtoul(argv[2], NULL, 10);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	stamps = mean(measure_stamps());
	measure(variants, 2, &plan);
	without = mean(variants[0].ns);
	with = mean(variants[1].ns);
	if (rank == 0) {
		report("stamps", stamps);
		report("bare", without);
		report("added", with - without);
	}
	MPI_Finalize();
	return 0;
}
