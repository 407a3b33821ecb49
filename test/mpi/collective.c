/* SPDX-License-Identifier: MIT */
/*
 * Requests in whose statuses MPI defines nothing: collective and one-sided. What lies in the memory of a status that
 * the program hands over is in no record.
 */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"
#define WORLD "comm=MPI_COMM_WORLD"

static int number, in = 1, out;

static void barrier(MPI_Request *request)
{
	MPI_Ibarrier(MPI_COMM_WORLD, request);
	expect("0 mpi MPI_Ibarrier(" WORLD ", request=%d)" OK, ++number);
}

static void allreduce(MPI_Request *request)
{
	MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
	expect("0 mpi MPI_Iallreduce(sendbuf=buffer, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD
	       ", request=%d)" OK,
	       ++number);
}

static void wait_one(MPI_Status *status)
{
	MPI_Request request;

	barrier(&request);
	MPI_Wait(&request, status);
	expect("0 mpi MPI_Wait(request=%d, status=" DONE ")" OK, number);
	allreduce(&request);
	MPI_Wait(&request, status);
	expect("0 mpi MPI_Wait(request=%d, status=" DONE ")" OK, number);
}

static void wait_all(MPI_Status statuses[])
{
	MPI_Request requests[3];

	barrier(&requests[0]);
	allreduce(&requests[1]);
	MPI_Irecv(&out, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &requests[2]);
	expect("0 mpi MPI_Irecv(count=1, datatype=MPI_INT, source=MPI_PROC_NULL, tag=4, " WORLD
	       ", request=%d)" OK,
	       ++number);
	MPI_Waitall(3, requests, statuses);
	expect("0 mpi MPI_Waitall(count=3, array_of_requests=[%d, %d, %d], "
	       "array_of_statuses=[" DONE ", " DONE ", " NOBODY_LATER "])" OK,
	       number - 2, number - 1, number);
}

/* Those that have not completed yet are asked for again: how often is not known. */
static void test_some(MPI_Status statuses[])
{
	MPI_Request request;
	int count = 0, index;

	barrier(&request);
	while (count == 0) {
		MPI_Testsome(1, &request, &count, &index, statuses);
		if (count > 0)
			break;
		expect("0 mpi MPI_Testsome(incount=1, array_of_requests=NULL, outcount=0, "
		       "array_of_indices=NULL, array_of_statuses=NULL)" OK);
		usleep(1000);
	}
	expect("0 mpi MPI_Testsome(incount=1, array_of_requests=[%d], outcount=1, "
	       "array_of_indices=[0], array_of_statuses=" DONE ")" OK,
	       number);
}

static void one_sided(MPI_Status *status)
{
	MPI_Request request;
	int *memory;
	MPI_Win win;

	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	expect("0 mpi MPI_Win_allocate(size=4, disp_unit=4, info=MPI_INFO_NULL, " WORLD
	       ", win=window)" OK);
	MPI_Win_set_name(win, "window");
	expect("0 mpi MPI_Win_set_name(win=window, win_name=\"window\")" OK);
	MPI_Win_lock_all(0, win);
	expect("0 mpi MPI_Win_lock_all(assert=0, win=window)" OK);
	MPI_Rget(&out, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win, &request);
	expect("0 mpi MPI_Rget(origin_count=1, origin_datatype=MPI_INT, target_rank=%d, "
	       "target_disp=0, target_count=1, target_datatype=MPI_INT, win=window, "
	       "request=%d)" OK,
	       (rank + 1) % size, ++number);
	MPI_Wait(&request, status);
	expect("0 mpi MPI_Wait(request=%d, status=" DONE ")" OK, number);
	MPI_Win_unlock_all(win);
	expect("0 mpi MPI_Win_unlock_all(win=window)" OK);
	MPI_Win_free(&win);
	expect("0 mpi MPI_Win_free(win=window)" OK);
}

int main(int argc, char **argv)
{
	MPI_Status given[3];

	mpi_begin(&argc, &argv);
	wait_one(MPI_STATUS_IGNORE);
	wait_one(soiled(given, 1));
	wait_all(MPI_STATUSES_IGNORE);
	wait_all(soiled(given, 3));
	test_some(MPI_STATUSES_IGNORE);
	test_some(soiled(given, 1));
	one_sided(MPI_STATUS_IGNORE);
	one_sided(soiled(given, 1));
	return mpi_end();
}
