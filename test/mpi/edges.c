/* SPDX-License-Identifier: MIT */
/*
 * What the standard says of the rarer cases: requests cancelled, freed, persistent and inactive, empty lists, nobody as
 * peer, matched probes, peers in another group, operations that fail.
 */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"
#define WORLD "comm=MPI_COMM_WORLD"

static int in[4], out[4], number;

static void receive(int count, int tag, MPI_Request *request)
{
	MPI_Irecv(in, count, MPI_INT, rank, tag, MPI_COMM_WORLD, request);
	expect("0 mpi MPI_Irecv(count=%d, datatype=MPI_INT, source=%d, tag=%d, " WORLD
	       ", request=%d)" OK,
	       count, rank, tag, ++number);
}

static void send(int count, int tag)
{
	MPI_Send(out, count, MPI_INT, rank, tag, MPI_COMM_WORLD);
	expect("0 mpi MPI_Send(count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ")" OK, count,
	       rank, tag);
}

static void cancelled(void)
{
	MPI_Request requests[2];
	MPI_Status given[2];

	receive(1, 1, &requests[0]);
	receive(1, 2, &requests[1]);
	MPI_Cancel(&requests[1]);
	expect("0 mpi MPI_Cancel(request=%d)" OK, number);
	send(1, 1);
	MPI_Waitall(2, requests, soiled(given, 2));
	expect("0 mpi MPI_Waitall(count=2, array_of_requests=[%d, %d], array_of_statuses=[%s, "
	       "{cancelled}])" OK,
	       number - 1, number, status(rank, 1, 4));
}

/* The program does not want to know: its number never comes again. */
static void freed(void)
{
	MPI_Request request;

	MPI_Isend(out, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
	expect("0 mpi MPI_Isend(count=1, datatype=MPI_INT, dest=%d, tag=3, " WORLD
	       ", request=%d)" OK,
	       rank, ++number);
	MPI_Request_free(&request);
	expect("0 mpi MPI_Request_free(request=%d)" OK, number);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=MPI_REQUEST_NULL, status=" EMPTY ")" OK);
	MPI_Recv(in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Recv(count=1, datatype=MPI_INT, source=%d, tag=3, " WORLD
	       ", status=%s)" OK,
	       rank, status(rank, 3, 4));
}

/* Completing it leaves it there, inactive. */
static void persistent(void)
{
	MPI_Request request;
	int flag, index, count;

	MPI_Recv_init(in, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
	expect("0 mpi MPI_Recv_init(count=4, datatype=MPI_INT, source=MPI_ANY_SOURCE, "
	       "tag=MPI_ANY_TAG, " WORLD ", request=%d)" OK,
	       ++number);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status=" EMPTY ")" OK, number);
	for (int round = 0; round < 4; round++) {
		MPI_Start(&request);
		expect("0 mpi MPI_Start(request=%d)" OK, number);
		send(round, 30 + round);
		if (round == 0) {
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
			expect("0 mpi MPI_Test(request=%d, flag=1, status=%s)" OK, number,
			       status(rank, 30, 0));
		} else if (round == 1) {
			MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
			expect("0 mpi MPI_Waitany(count=1, array_of_requests=[%d], index=0, "
			       "status=%s)" OK,
			       number, status(rank, 31, 4));
		} else if (round == 2) {
			MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
			expect("0 mpi MPI_Waitsome(incount=1, array_of_requests=[%d], outcount=1, "
			       "array_of_indices=[0], array_of_statuses=%s)" OK,
			       number, status(rank, 32, 8));
		} else {
			MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
			expect("0 mpi MPI_Waitall(count=1, array_of_requests=[%d], "
			       "array_of_statuses=%s)" OK,
			       number, status(rank, 33, 12));
		}
	}
	MPI_Request_free(&request);
	expect("0 mpi MPI_Request_free(request=%d)" OK, number);
}

/* Nothing to complete: none of the requests, or none at all. */
static void empty(void)
{
	MPI_Request requests[1] = {MPI_REQUEST_NULL};
	MPI_Status given[1];
	int flag, index, count;

	MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Waitall(count=0, array_of_requests=[], array_of_statuses=[])" OK);
	MPI_Waitall(0, requests, given);
	expect("0 mpi MPI_Waitall(count=0, array_of_requests=[], array_of_statuses=[])" OK);
	MPI_Testall(0, requests, &flag, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Testall(count=0, array_of_requests=[], flag=1, array_of_statuses=[])" OK);
	MPI_Waitany(0, requests, &index, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Waitany(count=0, array_of_requests=[], index=MPI_UNDEFINED, status=" EMPTY
	       ")" OK);
	MPI_Waitany(1, requests, &index, soiled(given, 1));
	expect("0 mpi MPI_Waitany(count=1, array_of_requests=[], index=MPI_UNDEFINED, status=" EMPTY
	       ")" OK);
	MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Testany(count=1, array_of_requests=[], index=MPI_UNDEFINED, flag=1, "
	       "status=" EMPTY ")" OK);
	MPI_Waitsome(1, requests, &count, &index, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Waitsome(incount=1, array_of_requests=NULL, outcount=MPI_UNDEFINED, "
	       "array_of_indices=NULL, array_of_statuses=NULL)" OK);
}

static void nobody(void)
{
	MPI_Message message;
	int flag;

	MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Recv(count=1, datatype=MPI_INT, source=MPI_PROC_NULL, tag=5, " WORLD
	       ", status=" NOBODY ")" OK);
	MPI_Iprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Iprobe(source=MPI_PROC_NULL, tag=5, " WORLD ", flag=1, status=" NOBODY
	       ")" OK);
	MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Mprobe(source=MPI_PROC_NULL, tag=5, " WORLD ", message=1, status=" NOBODY
	       ")" OK);
	MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Mrecv(count=1, type=MPI_INT, message=1, status=" NOBODY ")" OK);
}

static void matched(void)
{
	MPI_Message message;
	MPI_Request request;
	int flag;

	MPI_Improbe(rank, 6, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Improbe(source=%d, tag=6, " WORLD ", flag=0, message=0, status=NULL)" OK,
	       rank);
	send(2, 6);
	MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message,
		    MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Improbe(source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, " WORLD
	       ", flag=1, message=2, status=%s)" OK,
	       status(rank, 6, 8));
	MPI_Imrecv(in, 4, MPI_INT, &message, &request);
	expect("0 mpi MPI_Imrecv(count=4, type=MPI_INT, message=2, request=%d)" OK, ++number);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status=%s)" OK, number, status(rank, 6, 8));
}

static void replaced(void)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size;

	/* nobody asks for any message any more */
	MPI_Barrier(MPI_COMM_WORLD);
	expect("0 mpi MPI_Barrier(" WORLD ")" OK);
	MPI_Sendrecv_replace(in, 3, MPI_INT, next, 7, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Sendrecv_replace(count=3, datatype=MPI_INT, dest=%d, sendtag=7, "
	       "source=MPI_ANY_SOURCE, recvtag=7, " WORLD ", status=%s)" OK,
	       next, status(before, 7, 12));
}

/* Lower half and upper half: ranks are those of the other group. */
static void other_group(void)
{
	int upper = rank >= size / 2, peer = rank % (size / 2);
	MPI_Comm side, both;

	MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &side);
	expect("0 mpi MPI_Comm_split(" WORLD ", color=%d, key=%d, newcomm=side)" OK, upper, rank);
	MPI_Comm_set_name(side, "side");
	expect("0 mpi MPI_Comm_set_name(comm=side, comm_name=\"side\")" OK);
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 8, &both);
	/* only the leader's is looked at */
	expect("0 mpi MPI_Intercomm_create(local_comm=side, local_leader=0, "
	       "bridge_comm=%s, remote_leader=%d, tag=8, newintercomm=both)" OK,
	       peer == 0 ? "MPI_COMM_WORLD" : "MPI_COMM_NULL", upper ? 0 : size / 2);
	MPI_Comm_set_name(both, "both");
	expect("0 mpi MPI_Comm_set_name(comm=both, comm_name=\"both\")" OK);
	MPI_Sendrecv(out, 1, MPI_INT, peer, 9, in, 4, MPI_INT, MPI_ANY_SOURCE, 9, both,
		     MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Sendrecv(sendcount=1, sendtype=MPI_INT, dest=%d, sendtag=9, recvcount=4, "
	       "recvtype=MPI_INT, source=MPI_ANY_SOURCE, recvtag=9, comm=both, status=%s)" OK,
	       peer, status(peer, 9, 4));
	MPI_Comm_free(&both);
	expect("0 mpi MPI_Comm_free(comm=both)" OK);
	MPI_Comm_free(&side);
	expect("0 mpi MPI_Comm_free(comm=side)" OK);
}

static void start_send(int count, int tag, MPI_Request *request)
{
	MPI_Isend(out, count, MPI_INT, rank, tag, MPI_COMM_WORLD, request);
	expect("0 mpi MPI_Isend(count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD
	       ", request=%d)" OK,
	       count, rank, tag, ++number);
}

/*
 * More has come than there is room for (Open MPI does not see it if the receive was there first): of what failed
 * nothing is told but the error.
 */
static void failed(void)
{
	MPI_Request requests[2], sent;
	MPI_Status given[2];
	int index;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	expect("0 mpi MPI_Comm_set_errhandler(" WORLD ", errhandler=MPI_ERRORS_RETURN)" OK);
	start_send(2, 10, &requests[1]);
	receive(1, 10, &requests[0]);
	MPI_Wait(&requests[0], soiled(given, 1));
	expect("0 mpi MPI_Wait(request=%d, status=?) = MPI_ERR_TRUNCATE", number);
	receive(1, 12, &requests[0]);
	send(1, 12);
	MPI_Waitall(2, requests, soiled(given, 2));
	expect("0 mpi MPI_Waitall(count=2, array_of_requests=[%d, %d], array_of_statuses=[%s, " SENT
	       "])" OK,
	       number, number - 2, status(rank, 12, 4));
	start_send(2, 11, &requests[0]);
	receive(1, 11, &requests[1]);
	MPI_Waitall(2, requests, soiled(given, 2));
	expect("0 mpi MPI_Waitall(count=2, array_of_requests=[%d, %d], "
	       "array_of_statuses=[" SENT ", {error=MPI_ERR_TRUNCATE}]) = MPI_ERR_IN_STATUS",
	       number - 1, number);
	start_send(2, 13, &sent);
	receive(1, 13, &requests[0]);
	MPI_Waitany(1, requests, &index, soiled(given, 1));
	expect("0 mpi MPI_Waitany(count=1, array_of_requests=?, index=0, status=?) = "
	       "MPI_ERR_TRUNCATE");
	/* what failed is gone: the next one at its place may have the same handle */
	receive(1, 14, &requests[0]);
	send(1, 14);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status=%s)" OK, number, status(rank, 14, 4));
	MPI_Wait(&sent, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status=" SENT ")" OK, number - 2);
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	cancelled();
	freed();
	persistent();
	empty();
	nobody();
	matched();
	replaced();
	other_group();
	failed();
	return mpi_end();
}
