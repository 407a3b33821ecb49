/* SPDX-License-Identifier: MIT */
/* What few programs do: requests of their own, counts beyond int, graphs with neighbourhood collectives, the tools' interface. */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"
#define LARGE (1ll << 33)

/* ---- generalized requests ---- */

static int query(void *state, MPI_Status *status)
{
	PMPI_Status_set_elements(status, MPI_INT, *(int *)state);
	PMPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = 2;
	status->MPI_TAG = 9;
	return MPI_SUCCESS;
}

static int release(void *state)
{
	*(int *)state = 0;
	return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
	(void)state;
	return complete ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void generalized(void)
{
	MPI_Request request;
	int state = 3, done;

	MPI_Grequest_start(query, release, cancel, &state, &request);
	expect("0 mpi MPI_Grequest_start(request=1)" OK);
	MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Test(request=1, flag=0, status=NULL)" OK);
	MPI_Grequest_complete(request);
	expect("0 mpi MPI_Grequest_complete(request=1)" OK);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=1, status={source=2, tag=9, bytes=12})" OK);
	if (state)
		MPI_Abort(MPI_COMM_WORLD, 3);
}

/* ---- large counts ---- */

static void large_counts(void)
{
	MPI_Count size_x, low, extent, count;
	MPI_Datatype part, whole;
	MPI_Status status;

	MPI_Type_contiguous(1 << 20, MPI_INT, &part);
	expect("0 mpi MPI_Type_contiguous(count=1048576, oldtype=MPI_INT, newtype=part)" OK);
	MPI_Type_set_name(part, "part");
	expect("0 mpi MPI_Type_set_name(type=part, type_name=\"part\")" OK);
	MPI_Type_contiguous(1 << 11, part, &whole);
	expect("0 mpi MPI_Type_contiguous(count=2048, oldtype=part, newtype=whole)" OK);
	MPI_Type_set_name(whole, "whole");
	expect("0 mpi MPI_Type_set_name(type=whole, type_name=\"whole\")" OK);
	MPI_Type_commit(&whole);
	expect("0 mpi MPI_Type_commit(type=whole)" OK);
	MPI_Type_size_x(whole, &size_x);
	expect("0 mpi MPI_Type_size_x(type=whole, size=%lld)" OK, LARGE);
	MPI_Type_get_extent_x(whole, &low, &extent);
	expect("0 mpi MPI_Type_get_extent_x(type=whole, lb=0, extent=%lld)" OK, LARGE);
	MPI_Type_get_true_extent_x(whole, &low, &extent);
	expect("0 mpi MPI_Type_get_true_extent_x(datatype=whole, true_lb=0, true_extent=%lld)" OK,
	       LARGE);
	MPI_Status_set_elements_x(&status, MPI_INT, LARGE);
	expect("0 mpi MPI_Status_set_elements_x(datatype=MPI_INT, count=%lld)" OK, LARGE);
	MPI_Get_elements_x(&status, MPI_INT, &count);
	expect("0 mpi MPI_Get_elements_x(datatype=MPI_INT, count=%lld)" OK, LARGE);
	if (size_x != LARGE || extent != LARGE || count != LARGE)
		MPI_Abort(MPI_COMM_WORLD, 4);
	MPI_Type_free(&whole);
	expect("0 mpi MPI_Type_free(type=whole)" OK);
	MPI_Type_free(&part);
	expect("0 mpi MPI_Type_free(type=part)" OK);
}

/* ---- types by what they can hold: Open MPI has them, under names of its own ---- */

#ifdef OPEN_MPI
static const char *name_of(MPI_Datatype type)
{
	char *text = expect_text(), name[MPI_MAX_OBJECT_NAME];
	int length, odd;

	PMPI_Type_get_name(type, name, &length);
	odd = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != (size_t)length;
	snprintf(text, 512, odd ? "\"%s\"" : "%s", name);
	return text;
}

static void by_property(void)
{
	MPI_Datatype type;

	MPI_Type_create_f90_real(12, 100, &type);
	expect("0 mpi MPI_Type_create_f90_real(p=12, r=100, newtype=%s)" OK, name_of(type));
	MPI_Type_create_f90_complex(6, 30, &type);
	expect("0 mpi MPI_Type_create_f90_complex(p=6, r=30, newtype=%s)" OK, name_of(type));
	MPI_Type_create_f90_integer(9, &type);
	expect("0 mpi MPI_Type_create_f90_integer(r=9, newtype=%s)" OK, name_of(type));
	MPI_Type_match_size(MPI_TYPECLASS_REAL, sizeof(double), &type);
	expect("0 mpi MPI_Type_match_size(typeclass=MPI_TYPECLASS_REAL, size=8, type=%s)" OK,
	       name_of(type));
}
#endif

/* ---- neighbours ---- */

static void named(MPI_Comm comm, const char *name)
{
	MPI_Comm_set_name(comm, name);
	expect("0 mpi MPI_Comm_set_name(comm=%s, comm_name=\"%s\")" OK, name, name);
}

/* A ring whose ranks have two neighbours each. */
static void graph(void)
{
	int index[] = {2, 4, 6, 8}, edges[] = {1, 3, 0, 2, 1, 3, 0, 2}, from[2];
	MPI_Comm comm;

	MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &comm);
	expect("0 mpi MPI_Graph_create(comm_old=MPI_COMM_WORLD, nnodes=4, index=[2, 4, 6, 8], "
	       "edges=[1, 3, 0, 2, 1, 3, 0, 2], reorder=0, comm_graph=ring)" OK);
	named(comm, "ring");
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, comm);
	expect("0 mpi MPI_Neighbor_allgather(sendcount=1, sendtype=MPI_INT, recvcount=1, "
	       "recvtype=MPI_INT, comm=ring)" OK);
	if (from[0] != edges[2 * rank] || from[1] != edges[2 * rank + 1])
		MPI_Abort(MPI_COMM_WORLD, 5);
	MPI_Comm_free(&comm);
	expect("0 mpi MPI_Comm_free(comm=ring)" OK);
}

/* One sends to two, which do not send to it. */
static void directed(void)
{
	int to[] = {(rank + 1) % size, (rank + 2) % size};
	int from[] = {(rank + 3) % size, (rank + 2) % size}, weights[] = {1, 1};
	int counts[] = {1, 2}, displs[] = {0, 1}, out[] = {rank, rank, rank}, in[3];
	MPI_Comm comm;

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights,
				       MPI_INFO_NULL, 0, &comm);
	expect("0 mpi MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=2, "
	       "sources=[%d, %d], outdegree=2, destinations=[%d, %d], info=MPI_INFO_NULL, "
	       "reorder=0, comm_dist_graph=directed)" OK,
	       from[0], from[1], to[0], to[1]);
	named(comm, "directed");
	MPI_Neighbor_alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm);
	expect("0 mpi MPI_Neighbor_alltoallv(sendcounts=[1, 2], sdispls=[0, 1], sendtype=MPI_INT, "
	       "recvcounts=[1, 2], rdispls=[0, 1], recvtype=MPI_INT, comm=directed)" OK);
	if (in[0] != from[0] || in[2] != from[1])
		MPI_Abort(MPI_COMM_WORLD, 6);
	MPI_Comm_free(&comm);
	expect("0 mpi MPI_Comm_free(comm=directed)" OK);
}

/* Of the tools' interface nothing is recorded. */
static void tools(void)
{
	int level, count = 0;

	MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
	MPI_T_cvar_get_num(&count);
	MPI_T_finalize();
	if (count < 1)
		MPI_Abort(MPI_COMM_WORLD, 7);
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	generalized();
	large_counts();
#ifdef OPEN_MPI
	by_property();
#endif
	graph();
	directed();
	tools();
	return mpi_end();
}
