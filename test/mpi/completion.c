/* SPDX-License-Identifier: MIT */
/*
 * Completion: many requests, the same handle several times, persistent requests, any and some. Messages go to oneself,
 * so that all is complete when it is asked for.
 */
#include "mpi_expect.h"

#define WORLD "comm=MPI_COMM_WORLD"
#define MANY 200

static int values[MANY], number;

static void receive(int tag, MPI_Request *request)
{
	MPI_Irecv(&values[0], 1, MPI_INT, rank, tag, MPI_COMM_WORLD, request);
	expect("0 mpi MPI_Irecv(count=1, datatype=MPI_INT, source=%d, tag=%d, " WORLD
	       ", request=%d) = MPI_SUCCESS",
	       rank, tag, ++number);
}

static void send(int tag)
{
	MPI_Send(&values[1], 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
	expect("0 mpi MPI_Send(count=1, datatype=MPI_INT, dest=%d, tag=%d, " WORLD
	       ") = MPI_SUCCESS",
	       rank, tag);
}

static void one(void)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int flag;

	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=MPI_REQUEST_NULL, status=" EMPTY ") = MPI_SUCCESS");
	receive(1, &request);
	MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Test(request=%d, flag=0, status=NULL) = MPI_SUCCESS", number);
	send(1);
	MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Request_get_status(request=%d, flag=1, status=%s) = MPI_SUCCESS", number,
	       status(rank, 1, 4));
	MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Test(request=%d, flag=1, status=%s) = MPI_SUCCESS", number,
	       status(rank, 1, 4));
	receive(2, &request);
	MPI_Cancel(&request);
	expect("0 mpi MPI_Cancel(request=%d) = MPI_SUCCESS", number);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status={cancelled}) = MPI_SUCCESS", number);
}

/* More requests and statuses than an array argument stores otherwise. */
static void all(void)
{
	static char line[1 << 14];
	MPI_Request requests[MANY];
	int first = number + 1, at = 0;

	for (int i = 0; i < MANY; i++)
		receive(i, &requests[i]);
	for (int i = 0; i < MANY; i++)
		send(i);
	MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
	at += sprintf(line + at, "0 mpi MPI_Waitall(count=%d, array_of_requests=[", MANY);
	for (int i = 0; i < MANY; i++)
		at += sprintf(line + at, "%s%d", i ? ", " : "", first + i);
	at += sprintf(line + at, "], array_of_statuses=[");
	for (int i = 0; i < MANY; i++)
		at += sprintf(line + at, "%s%s", i ? ", " : "", status(rank, i, 4));
	expect("%s]) = MPI_SUCCESS", line);
}

/* Sends to nobody have one handle in Open MPI; their order is all there is. The variables are copied. */
static void same_handle(void)
{
	MPI_Request made[3], requests[3];

	for (int i = 0; i < 3; i++) {
		MPI_Isend(values, i, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &made[i]);
		expect("0 mpi MPI_Isend(count=%d, datatype=MPI_INT, dest=MPI_PROC_NULL, "
		       "tag=%d, " WORLD ", request=%d) = MPI_SUCCESS",
		       i, i, ++number);
		requests[i] = made[i];
	}
	MPI_Wait(&made[1], MPI_STATUS_IGNORE); /* its own variable */
	expect("0 mpi MPI_Wait(request=%d, status=" SENT ") = MPI_SUCCESS", number - 1);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Waitall(count=2, array_of_requests=[%d, %d], array_of_statuses=[" SENT
	       ", " SENT "]) = MPI_SUCCESS",
	       number - 2, number);
}

/* A look completes nothing. */
static void look(MPI_Request request, int looked_at, int flag, const char *told)
{
	int done;

	MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Request_get_status(request=%d, flag=%d, status=%s) = MPI_SUCCESS",
	       looked_at, flag, told);
}

/* A handle that comes again stands for the request that has it now. */
static void looks_over_time(void)
{
	MPI_Request request;

	for (int round = 0; round < 3; round++) {
		receive(30, &request);
		look(request, number, 0, "NULL");
		send(30);
		look(request, number, 1, status(rank, 30, 4));
		look(request, number, 1, status(rank, 30, 4));
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect("0 mpi MPI_Wait(request=%d, status=%s) = MPI_SUCCESS", number,
		       status(rank, 30, 4));
	}
}

/* Of two requests with one handle nobody can say which is looked at: the older. Each is completed as itself. */
static void looks_at_equals(void)
{
	MPI_Request made[2];
	int both;

	for (int i = 0; i < 2; i++) {
		MPI_Isend(values, i, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &made[i]);
		expect("0 mpi MPI_Isend(count=%d, datatype=MPI_INT, dest=MPI_PROC_NULL, "
		       "tag=%d, " WORLD ", request=%d) = MPI_SUCCESS",
		       i, i, ++number);
	}
	both = made[0] == made[1];
	look(made[0], number - 1, 1, SENT);
	look(made[1], number - both, 1, SENT);
	for (int i = 1; i >= 0; i--) {
		MPI_Wait(&made[i], MPI_STATUS_IGNORE);
		expect("0 mpi MPI_Wait(request=%d, status=" SENT ") = MPI_SUCCESS", number - 1 + i);
		if (i)
			look(made[0], number - 1, 1, SENT);
	}
}

/* One that is started again is the same, with the handle of another before it. */
static void looks_at_persistent(void)
{
	MPI_Request request;

	for (int which = 0; which < 2; which++) {
		MPI_Recv_init(values, 1, MPI_INT, rank, 40, MPI_COMM_WORLD, &request);
		expect("0 mpi MPI_Recv_init(count=1, datatype=MPI_INT, source=%d, tag=40, " WORLD
		       ", request=%d) = MPI_SUCCESS",
		       rank, ++number);
		for (int round = 0; round < 2; round++) {
			look(request, number, 1, EMPTY);
			MPI_Start(&request);
			expect("0 mpi MPI_Start(request=%d) = MPI_SUCCESS", number);
			look(request, number, 0, "NULL");
			send(40);
			look(request, number, 1, status(rank, 40, 4));
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			expect("0 mpi MPI_Wait(request=%d, status=%s) = MPI_SUCCESS", number,
			       status(rank, 40, 4));
		}
		MPI_Request_free(&request);
		expect("0 mpi MPI_Request_free(request=%d) = MPI_SUCCESS", number);
	}
}

static void persistent(void)
{
	MPI_Request requests[2];
	int first = number + 1;

	MPI_Recv_init(values, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &requests[0]);
	expect("0 mpi MPI_Recv_init(count=1, datatype=MPI_INT, source=%d, tag=9, " WORLD
	       ", request=%d) = MPI_SUCCESS",
	       rank, ++number);
	MPI_Send_init(values + 1, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &requests[1]);
	expect("0 mpi MPI_Send_init(count=1, datatype=MPI_INT, dest=%d, tag=9, " WORLD
	       ", request=%d) = MPI_SUCCESS",
	       rank, ++number);
	for (int round = 0; round < 3; round++) {
		MPI_Startall(2, requests);
		expect("0 mpi MPI_Startall(count=2, array_of_requests=[%d, %d]) = MPI_SUCCESS",
		       first, first + 1);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
		expect("0 mpi MPI_Wait(request=%d, status=" SENT ") = MPI_SUCCESS", first + 1);
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
		expect("0 mpi MPI_Wait(request=%d, status=%s) = MPI_SUCCESS", first,
		       status(rank, 9, 4));
	}
	for (int i = 0; i < 2; i++) {
		MPI_Request_free(&requests[i]);
		expect("0 mpi MPI_Request_free(request=%d) = MPI_SUCCESS", first + i);
	}
}

static void any_and_some(void)
{
	MPI_Request requests[4];
	int first = number + 1, index, count, indices[4], flag;

	for (int i = 0; i < 4; i++)
		receive(20 + i, &requests[i]);
	MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Testany(count=4, array_of_requests=NULL, index=MPI_UNDEFINED, flag=0, "
	       "status=NULL) = MPI_SUCCESS");
	send(22);
	MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Waitany(count=4, array_of_requests=[%d], index=2, status=%s) = "
	       "MPI_SUCCESS",
	       first + 2, status(rank, 22, 4));
	send(20);
	send(23);
	MPI_Waitsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Waitsome(incount=4, array_of_requests=[%d, %d], outcount=2, "
	       "array_of_indices=[0, 3], "
	       "array_of_statuses=[%s, %s]) = MPI_SUCCESS",
	       first, first + 3, status(rank, 20, 4), status(rank, 23, 4));
	MPI_Testsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Testsome(incount=4, array_of_requests=NULL, outcount=0, "
	       "array_of_indices=NULL, "
	       "array_of_statuses=NULL) = MPI_SUCCESS");
	send(21);
	MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
	expect("0 mpi MPI_Testall(count=4, array_of_requests=[0, %d, 0, 0], flag=1, "
	       "array_of_statuses=[" EMPTY ", %s, " EMPTY ", " EMPTY "]) = MPI_SUCCESS",
	       first + 1, status(rank, 21, 4));
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	one();
	all();
	same_handle();
	looks_over_time();
	looks_at_equals();
	looks_at_persistent();
	persistent();
	any_and_some();
	return mpi_end();
}
