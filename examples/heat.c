/* SPDX-License-Identifier: MIT */
/*
 * A small MPI program to look at under the recorder: a bar that conducts heat, cut in pieces, one a
 * rank. Each step exchanges borders with the neighbours, every tenth one sums the heat, and each
 * rank writes a log with write(2) and its piece of the result into one file with MPI-IO.
 *
 *	mpirun -np 4 recorder run -- ./heat [STEPS] [CELLS]
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LEFT, RIGHT };

struct bar {
	int rank, ranks;
	int neighbour[2];
	int cells;    /* of this rank, without the two border cells */
	double *heat; /* heat[0] and heat[cells + 1] belong to the neighbours */
	double *next;
	int log;
};

static double *new_cells(int count)
{
	double *cells = calloc((size_t)count, sizeof(*cells));

	if (!cells)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return cells;
}

static void bar_init(struct bar *bar, int cells)
{
	char name[64];

	MPI_Comm_rank(MPI_COMM_WORLD, &bar->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &bar->ranks);
	bar->neighbour[LEFT] = bar->rank > 0 ? bar->rank - 1 : MPI_PROC_NULL;
	bar->neighbour[RIGHT] = bar->rank + 1 < bar->ranks ? bar->rank + 1 : MPI_PROC_NULL;
	bar->cells = cells;
	bar->heat = new_cells(cells + 2);
	bar->next = new_cells(cells + 2);
	if (bar->rank == 0)
		bar->heat[1] = 1000;
	snprintf(name, sizeof(name), "heat.%d.log", bar->rank);
	bar->log = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (bar->log < 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void bar_release(struct bar *bar)
{
	close(bar->log);
	free(bar->heat);
	free(bar->next);
}

static void exchange_borders(struct bar *bar)
{
	double *heat = bar->heat;
	int cells = bar->cells;
	MPI_Request requests[4];

	MPI_Irecv(&heat[0], 1, MPI_DOUBLE, bar->neighbour[LEFT], 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&heat[cells + 1], 1, MPI_DOUBLE, bar->neighbour[RIGHT], 2, MPI_COMM_WORLD,
		  &requests[1]);
	MPI_Isend(&heat[cells], 1, MPI_DOUBLE, bar->neighbour[RIGHT], 1, MPI_COMM_WORLD,
		  &requests[2]);
	MPI_Isend(&heat[1], 1, MPI_DOUBLE, bar->neighbour[LEFT], 2, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void step(struct bar *bar)
{
	double *old = bar->heat;

	for (int i = 1; i <= bar->cells; i++)
		bar->next[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
	bar->heat = bar->next;
	bar->next = old;
}

static void report(struct bar *bar, int number)
{
	double mine = 0, total;
	char line[80];
	int length;

	for (int i = 1; i <= bar->cells; i++)
		mine += bar->heat[i];
	MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	length = snprintf(line, sizeof(line), "step %d heat %.3f of %.3f\n", number, mine, total);
	if (write(bar->log, line, (size_t)length) != length)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void save(const struct bar *bar)
{
	MPI_Offset offset = (MPI_Offset)bar->rank * bar->cells * (MPI_Offset)sizeof(double);
	MPI_File file;

	if (MPI_File_open(MPI_COMM_WORLD, "heat.out", MPI_MODE_CREATE | MPI_MODE_WRONLY,
			  MPI_INFO_NULL, &file) != MPI_SUCCESS)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_File_write_at_all(file, offset, &bar->heat[1], bar->cells, MPI_DOUBLE,
			      MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
	int cells = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1000;
	struct bar bar;

	MPI_Init(&argc, &argv);
	bar_init(&bar, cells);
	for (int i = 1; i <= steps; i++) {
		exchange_borders(&bar);
		step(&bar);
		if (i % 10 == 0)
			report(&bar, i);
	}
	save(&bar);
	bar_release(&bar);
	MPI_Finalize();
	return 0;
}
