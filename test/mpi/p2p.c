/* SPDX-License-Identifier: MIT */
/* Point to point: wildcards with ignored statuses, probes, messages, errors. */
#include "mpi_expect.h"

#define WORLD "comm=MPI_COMM_WORLD"

static int value[8];

/* Everybody sends to rank 0, which asks for anything from anybody. */
static void wildcards(void)
{
	if (rank != 0) {
		MPI_Send(value, rank, MPI_INT, 0, 10 + rank, MPI_COMM_WORLD);
		expect("0 mpi MPI_Send(count=%d, datatype=MPI_INT, dest=0, tag=%d, " WORLD
		       ") = MPI_SUCCESS",
		       rank, 10 + rank);
	}
	for (int from = 1; rank == 0 && from < size; from++) {
		/* in turn, so that the order is known */
		MPI_Status probed;

		MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &probed);
		expect("0 mpi MPI_Probe(source=%d, tag=MPI_ANY_TAG, " WORLD
		       ", status=%s) = MPI_SUCCESS",
		       from, status(from, 10 + from, 4 * from));
		MPI_Recv(value, 8, MPI_INT, MPI_ANY_SOURCE, 10 + from, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		expect("0 mpi MPI_Recv(count=8, datatype=MPI_INT, source=MPI_ANY_SOURCE, "
		       "tag=%d, " WORLD ", status=%s) = MPI_SUCCESS",
		       10 + from, status(from, 10 + from, 4 * from));
	}
}

static void ring(void)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size;

	MPI_Sendrecv(value, 2, MPI_DOUBLE, next, 3, value + 4, 2, MPI_DOUBLE, MPI_ANY_SOURCE,
		     MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Sendrecv(sendcount=2, sendtype=MPI_DOUBLE, dest=%d, sendtag=3, "
	       "recvcount=2, "
	       "recvtype=MPI_DOUBLE, source=MPI_ANY_SOURCE, recvtag=MPI_ANY_TAG, " WORLD
	       ", status=%s) = MPI_SUCCESS",
	       next, status(before, 3, 16));
	MPI_Sendrecv_replace(value, 1, MPI_BYTE, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Sendrecv_replace(count=1, datatype=MPI_BYTE, dest=MPI_PROC_NULL, "
	       "sendtag=1, "
	       "source=MPI_PROC_NULL, recvtag=1, " WORLD ", status=" NOBODY ") = MPI_SUCCESS");
}

/* To oneself: what Iprobe and Improbe say is then known. */
static void probes(void)
{
	MPI_Message message;
	MPI_Request request;
	int flag;

	MPI_Iprobe(rank, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Iprobe(source=%d, tag=77, " WORLD ", flag=0, status=NULL) = MPI_SUCCESS",
	       rank);
	MPI_Isend(value, 3, MPI_CHAR, rank, 5, MPI_COMM_WORLD, &request);
	expect("0 mpi MPI_Isend(count=3, datatype=MPI_CHAR, dest=%d, tag=5, " WORLD
	       ", request=1) = MPI_SUCCESS",
	       rank);
	MPI_Mprobe(rank, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Mprobe(source=%d, tag=5, " WORLD ", message=2, status=%s) = MPI_SUCCESS",
	       rank, status(rank, 5, 3));
	MPI_Mrecv(value, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Mrecv(count=8, type=MPI_CHAR, message=2, status=%s) = MPI_SUCCESS",
	       status(rank, 5, 3));
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=1, status=" SENT ") = MPI_SUCCESS");
}

static void errors(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	expect("0 mpi MPI_Comm_set_errhandler(" WORLD
	       ", errhandler=MPI_ERRORS_RETURN) = MPI_SUCCESS");
	MPI_Send(value, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
	expect("0 mpi MPI_Send(count=1, datatype=MPI_INT, dest=%d, tag=0, " WORLD
	       ") = MPI_ERR_RANK",
	       size + 5);
	MPI_Send(value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	expect("0 mpi MPI_Send(count=-1, datatype=MPI_INT, dest=0, tag=0, " WORLD
	       ") = MPI_ERR_COUNT");
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	wildcards();
	ring();
	probes();
	errors();
	return mpi_end();
}
