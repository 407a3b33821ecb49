/* SPDX-License-Identifier: MIT */
/* What came with MPI-4.0: large counts, persistent collectives, sends in partitions. */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"
#define WORLD "comm=MPI_COMM_WORLD"
#define PARTS 4

#if MPI_VERSION >= 4

static int number; /* of the last request */

static void large(void)
{
	int to = (rank + 1) % size, from = (rank + size - 1) % size, in[2], out[2] = {7, 8};
	MPI_Count blocks[2] = {1, 2}, places[2] = {0, 8}, counted, counts[8];
	MPI_Aint displs[8];
	MPI_Datatype pair, two, types[2] = {MPI_INT, MPI_INT};
	MPI_Request request;
	MPI_Status status_in;

	MPI_Type_contiguous_c(2, MPI_INT, &pair);
	expect("0 mpi MPI_Type_contiguous_c(count=2, oldtype=MPI_INT, newtype=pair)" OK);
	MPI_Type_set_name(pair, "pair");
	expect("0 mpi MPI_Type_set_name(type=pair, type_name=\"pair\")" OK);
	MPI_Type_commit(&pair);
	expect("0 mpi MPI_Type_commit(type=pair)" OK);
	MPI_Isend_c(out, 1, pair, to, 3, MPI_COMM_WORLD, &request);
	expect("0 mpi MPI_Isend_c(count=1, datatype=pair, dest=%d, tag=3, " WORLD
	       ", request=%d)" OK,
	       to, ++number);
	MPI_Recv_c(in, 2, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status_in);
	expect("0 mpi MPI_Recv_c(count=2, datatype=MPI_INT, source=MPI_ANY_SOURCE, tag=3, " WORLD
	       ", status=%s)" OK,
	       status(from, 3, 8));
	MPI_Get_count_c(&status_in, pair, &counted);
	expect("0 mpi MPI_Get_count_c(datatype=pair, count=1)" OK);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status=" SENT ")" OK, number);
	MPI_Type_create_struct_c(2, blocks, places, types, &two);
	expect("0 mpi MPI_Type_create_struct_c(count=2, array_of_block_lengths=[1, 2], "
	       "array_of_displacements=[0, 8], array_of_types=[MPI_INT, MPI_INT], newtype=two)" OK);
	MPI_Type_set_name(two, "two");
	expect("0 mpi MPI_Type_set_name(type=two, type_name=\"two\")" OK);
	MPI_Type_size_c(two, &counted);
	expect("0 mpi MPI_Type_size_c(type=two, size=12)" OK);
	MPI_Type_free(&two);
	expect("0 mpi MPI_Type_free(type=two)" OK);
	for (int i = 0; i < size; i++) {
		counts[i] = 1;
		displs[i] = i;
	}
	MPI_Allgatherv_c(&rank, 1, MPI_INT, (int[8]){0}, counts, displs, MPI_INT, MPI_COMM_WORLD);
	expect("0 mpi MPI_Allgatherv_c(sendbuf=buffer, sendcount=1, sendtype=MPI_INT, "
	       "recvcounts=[1, 1, 1, 1], displs=[0, 1, 2, 3], recvtype=MPI_INT, " WORLD ")" OK);
	MPI_Type_free(&pair);
	expect("0 mpi MPI_Type_free(type=pair)" OK);
}

/* A collective that is started twice, and one that counts in large counts. */
static void persistent(void)
{
	MPI_Request requests[2];
	MPI_Status given[2];
	int value = rank, sum;

	MPI_Bcast_init(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
	expect("0 mpi MPI_Bcast_init(count=1, datatype=MPI_INT, root=1, " WORLD
	       ", info=MPI_INFO_NULL, request=%d)" OK,
	       ++number);
	MPI_Allreduce_init_c(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
			     &requests[1]);
	expect("0 mpi MPI_Allreduce_init_c(sendbuf=buffer, count=1, datatype=MPI_INT, "
	       "op=MPI_SUM, " WORLD ", info=MPI_INFO_NULL, request=%d)" OK,
	       ++number);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, requests);
		expect("0 mpi MPI_Startall(count=2, array_of_requests=[%d, %d])" OK, number - 1,
		       number);
		MPI_Waitall(2, requests, i ? soiled(given, 2) : MPI_STATUSES_IGNORE);
		expect("0 mpi MPI_Waitall(count=2, array_of_requests=[%d, %d], "
		       "array_of_statuses=[" DONE ", " DONE "])" OK,
		       number - 1, number);
	}
	for (int i = 0; i < 2; i++) {
		MPI_Request_free(&requests[i]);
		expect("0 mpi MPI_Request_free(request=%d)" OK, number - 1 + i);
	}
}

static void partitioned(void)
{
	int to = rank ^ 1, data[PARTS], flag, first = 0, list[] = {3, 2};
	MPI_Request request;

	if (rank & 1)
		MPI_Precv_init(data, PARTS, 1, MPI_INT, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	else
		MPI_Psend_init(data, PARTS, 1, MPI_INT, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	expect("0 mpi MPI_%s_init(partitions=4, count=1, datatype=MPI_INT, %s=%d, tag=5, " WORLD
	       ", info=MPI_INFO_NULL, request=%d)" OK,
	       rank & 1 ? "Precv" : "Psend", rank & 1 ? "source" : "dest", to, ++number);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		expect("0 mpi MPI_Start(request=%d)" OK, number);
		if (!(rank & 1)) {
			MPI_Pready(0, request);
			expect("0 mpi MPI_Pready(partition=0, request=%d)" OK, number);
			MPI_Pready_range(1, 1, request);
			expect("0 mpi MPI_Pready_range(partition_low=1, partition_high=1, "
			       "request=%d)" OK,
			       number);
			MPI_Pready_list(2, list, request);
			expect("0 mpi MPI_Pready_list(length=2, array_of_partitions=[3, 2], "
			       "request=%d)" OK,
			       number);
		}
		for (flag = first; (rank & 1) && !flag;) {
			MPI_Parrived(request, 2, &flag);
			expect("0 mpi MPI_Parrived(request=%d, partition=2, flag=%d)" OK, number,
			       flag);
			usleep(1000);
		}
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect("0 mpi MPI_Wait(request=%d, status=%s)" OK, number,
		       rank & 1 ? status(to, 5, sizeof(data)) : SENT);
	}
	MPI_Request_free(&request);
	expect("0 mpi MPI_Request_free(request=%d)" OK, number);
}

static void one_request(void)
{
	int to = (rank + 1) % size, from = (rank + size - 1) % size, in;
	MPI_Request request;

	MPI_Isendrecv(&rank, 1, MPI_INT, to, 9, &in, 1, MPI_INT, from, 9, MPI_COMM_WORLD, &request);
	expect("0 mpi MPI_Isendrecv(sendcount=1, sendtype=MPI_INT, dest=%d, sendtag=9, "
	       "recvcount=1, "
	       "recvtype=MPI_INT, source=%d, recvtag=9, " WORLD ", request=%d)" OK,
	       to, from, ++number);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* MPICH 4.0 leaves in it what was there */
	expect("0 mpi MPI_Wait(request=%d, status=*)" OK, number);
}

static void information(void)
{
	char text[32], *words[] = {"program", NULL};
	MPI_Info info, environment;
	int room = 0, flag;

	MPI_Info_create(&info);
	expect("0 mpi MPI_Info_create(info=info#2)" OK);
	MPI_Info_set(info, "key", "value");
	expect("0 mpi MPI_Info_set(info=info#2, key=\"key\", value=\"value\")" OK);
	MPI_Info_get_string(info, "key", &room, text, &flag);
	expect("0 mpi MPI_Info_get_string(info=info#2, key=\"key\", buflen=6, value=NULL, "
	       "flag=1)" OK);
	room = sizeof(text);
	MPI_Info_get_string(info, "key", &room, text, &flag);
	expect("0 mpi MPI_Info_get_string(info=info#2, key=\"key\", buflen=6, value=\"value\", "
	       "flag=1)" OK);
	MPI_Info_free(&info);
	expect("0 mpi MPI_Info_free(info=info#2)" OK);
	MPI_Info_create_env(1, words, &environment);
	expect("0 mpi MPI_Info_create_env(argc=1, info=info#3)" OK);
	MPI_Info_free(&environment);
	expect("0 mpi MPI_Info_free(info=info#3)" OK);
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	large();
	persistent();
	partitioned();
	one_request();
	information();
	return mpi_end();
}

#else

int main(void)
{
	return 77;
}

#endif
