/* SPDX-License-Identifier: MIT */
/* Communicators of every making, collectives on them, datatypes, operators, groups, windows. */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"

static void named(MPI_Comm comm, const char *name)
{
	MPI_Comm_set_name(comm, name);
	expect("0 mpi MPI_Comm_set_name(comm=%s, comm_name=\"%s\")" OK, name, name);
}

static void barrier(MPI_Comm comm, const char *name)
{
	MPI_Barrier(comm);
	expect("0 mpi MPI_Barrier(comm=%s)" OK, name);
}

static void end(MPI_Comm *comm, const char *name)
{
	MPI_Comm_free(comm);
	expect("0 mpi MPI_Comm_free(comm=%s)" OK, name);
}

static void split(void)
{
	int half = rank % 2, sum, one = 1, members;
	MPI_Comm comm, again;

	MPI_Comm_split(MPI_COMM_WORLD, half, -rank, &comm);
	expect("0 mpi MPI_Comm_split(comm=MPI_COMM_WORLD, color=%d, key=%d, newcomm=half)" OK, half,
	       -rank);
	named(comm, "half");
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	expect("0 mpi MPI_Allreduce(sendbuf=buffer, count=1, datatype=MPI_INT, op=MPI_SUM, "
	       "comm=half)" OK);
	MPI_Comm_size(comm, &members);
	expect("0 mpi MPI_Comm_size(comm=half, size=%d)" OK, sum);
	MPI_Comm_dup(comm, &again);
	expect("0 mpi MPI_Comm_dup(comm=half, newcomm=again)" OK);
	named(again, "again");
	MPI_Bcast(&one, 1, MPI_INT, 0, again);
	expect("0 mpi MPI_Bcast(count=1, datatype=MPI_INT, root=0, comm=again)" OK);
	end(&again, "again");
	end(&comm, "half");
	/* only some are in it */
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &comm);
	expect("0 mpi MPI_Comm_split(comm=MPI_COMM_WORLD, color=%s, key=0, newcomm=%s)" OK,
	       rank == 0 ? "MPI_UNDEFINED" : "1", rank == 0 ? "MPI_COMM_NULL" : "rest");
	if (rank == 0)
		return;
	named(comm, "rest");
	barrier(comm, "rest");
	end(&comm, "rest");
}

/* A program may use any name; a line stays a line. */
static void odd_names(void)
{
	static const char name[] = "a, b=1) = 0\n\"c\"", shown[] = "\"a, b=1) = 0\\n\\\"c\\\"\"";
	MPI_Datatype type;
	MPI_Comm comm;
	int relation;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	expect("0 mpi MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=%s)" OK, shown);
	MPI_Comm_set_name(comm, name);
	expect("0 mpi MPI_Comm_set_name(comm=%s, comm_name=%s)" OK, shown, shown);
	MPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
	expect("0 mpi MPI_Comm_compare(comm1=%s, comm2=MPI_COMM_WORLD, relation=MPI_CONGRUENT)" OK,
	       shown);
	end(&comm, shown);
	MPI_Type_contiguous(2, MPI_INT, &type);
	expect("0 mpi MPI_Type_contiguous(count=2, oldtype=MPI_INT, newtype=\"two ints\")" OK);
	MPI_Type_set_name(type, "two ints");
	expect("0 mpi MPI_Type_set_name(type=\"two ints\", type_name=\"two ints\")" OK);
	MPI_Type_free(&type);
	expect("0 mpi MPI_Type_free(type=\"two ints\")" OK);
}

/* The same groups, order and tag again and again: different communicators. */
static void repeated(void)
{
	MPI_Comm comm[3];
	char name[3][16];

	for (int i = 0; i < 3; i++) {
		snprintf(name[i], sizeof(name[i]), "repeated%d", i);
		MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
		expect("0 mpi MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=%s)" OK, name[i]);
		named(comm[i], name[i]);
	}
	for (int i = 0; i < 3; i++)
		end(&comm[i], name[i]);
}

static void grid(void)
{
	int dims[2] = {size / 2, 2}, periods[2] = {0, 1}, keep[2] = {0, 1};
	int counts[4] = {1, 1, 1, 1}, displs[4] = {0, 1, 2, 3}, from[4] = {0}, to[4];
	MPI_Comm comm, row;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
	expect("0 mpi MPI_Cart_create(old_comm=MPI_COMM_WORLD, ndims=2, dims=[%d, 2], periods=[0, "
	       "1], reorder=0, "
	       "comm_cart=grid)" OK,
	       size / 2);
	named(comm, "grid");
	MPI_Cart_sub(comm, keep, &row);
	expect("0 mpi MPI_Cart_sub(comm=grid, remain_dims=[0, 1], new_comm=row)" OK);
	named(row, "row");
	MPI_Neighbor_alltoallv(from, counts, displs, MPI_INT, to, counts, displs, MPI_INT, comm);
	expect("0 mpi MPI_Neighbor_alltoallv(sendcounts=[1, 1, 1, 1], sdispls=[0, 1, 2, 3], "
	       "sendtype=MPI_INT, "
	       "recvcounts=[1, 1, 1, 1], rdispls=[0, 1, 2, 3], recvtype=MPI_INT, comm=grid)" OK);
	end(&row, "row");
	end(&comm, "grid");
}

/* Lower half and upper half, then joined the other way round. */
static void intercomm(void)
{
	int upper = rank >= size / 2, members;
	MPI_Comm side, both, merged;

	MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &side);
	expect("0 mpi MPI_Comm_split(comm=MPI_COMM_WORLD, color=%d, key=%d, newcomm=side)" OK,
	       upper, rank);
	named(side, "side");
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 33, &both);
	expect("0 mpi MPI_Intercomm_create(local_comm=side, local_leader=0, "
	       "bridge_comm=%s, remote_leader=%d, tag=33, newintercomm=both)" OK,
	       rank % (size / 2) ? "MPI_COMM_NULL" : "MPI_COMM_WORLD", upper ? 0 : size / 2);
	named(both, "both");
	MPI_Comm_remote_size(both, &members);
	expect("0 mpi MPI_Comm_remote_size(comm=both, size=%d)" OK,
	       upper ? size / 2 : size - size / 2);
	MPI_Intercomm_merge(both, !upper, &merged);
	expect("0 mpi MPI_Intercomm_merge(intercomm=both, high=%d, newintercomm=merged)" OK,
	       !upper);
	named(merged, "merged");
	barrier(merged, "merged");
	end(&merged, "merged");
	end(&both, "both");
	end(&side, "side");
}

static void groups(void)
{
	int low[2] = {0, 1}, members;
	MPI_Group world, pair;
	MPI_Comm comm;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	expect("0 mpi MPI_Comm_group(comm=MPI_COMM_WORLD, group=0-%d)" OK, size - 1);
	MPI_Group_incl(world, 2, low, &pair);
	expect("0 mpi MPI_Group_incl(group=0-%d, n=2, ranks=[0, 1], newgroup=0-1)" OK, size - 1);
	MPI_Group_size(pair, &members);
	expect("0 mpi MPI_Group_size(group=0-1, size=2)" OK);
	if (rank < 2) {
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 4, &comm);
		expect("0 mpi MPI_Comm_create_group(comm=MPI_COMM_WORLD, group=0-1, tag=4, "
		       "newcomm=pair)" OK);
		named(comm, "pair");
		end(&comm, "pair");
	}
	MPI_Group_free(&pair);
	expect("0 mpi MPI_Group_free(group=0-1)" OK);
	MPI_Group_free(&world);
	expect("0 mpi MPI_Group_free(group=0-%d)" OK, size - 1);
}

static void datatypes(void)
{
	int counts[] = {1, 1, 1, 1, 1, 1, 1, 1}, displs[] = {0, 1, 2, 3, 4, 5, 6, 7}, from = rank,
	    to[8];
	MPI_Datatype pair;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	expect("0 mpi MPI_Type_contiguous(count=2, oldtype=MPI_INT, newtype=pair)" OK);
	MPI_Type_set_name(pair, "pair");
	expect("0 mpi MPI_Type_set_name(type=pair, type_name=\"pair\")" OK);
	MPI_Type_commit(&pair);
	expect("0 mpi MPI_Type_commit(type=pair)" OK);
	MPI_Type_free(&pair);
	expect("0 mpi MPI_Type_free(type=pair)" OK);
	counts[size] = 0;
	MPI_Gatherv(&from, 1, MPI_INT, to, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
	expect("0 mpi MPI_Gatherv(sendbuf=buffer, sendcount=1, sendtype=MPI_INT, recvcounts=%s, "
	       "displs=%s, recvtype=%s, root=1, comm=MPI_COMM_WORLD)" OK,
	       rank == 1 ? "[1, 1, 1, 1]" : "[]", rank == 1 ? "[0, 1, 2, 3]" : "[]",
	       rank == 1 ? "MPI_INT" : "MPI_DATATYPE_NULL");
}

static void window(void)
{
	int *memory, one = 1;
	MPI_Win win;

	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	expect("0 mpi MPI_Win_allocate(size=16, disp_unit=4, info=MPI_INFO_NULL, "
	       "comm=MPI_COMM_WORLD, "
	       "win=window)" OK);
	MPI_Win_set_name(win, "window");
	expect("0 mpi MPI_Win_set_name(win=window, win_name=\"window\")" OK);
	MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPRECEDE, win);
	expect("0 mpi MPI_Win_fence(assert=MPI_MODE_NOPRECEDE|MPI_MODE_NOSTORE, win=window)" OK);
	MPI_Put(&one, 1, MPI_INT, (rank + 1) % size, 2, 1, MPI_INT, win);
	expect("0 mpi MPI_Put(origin_count=1, origin_datatype=MPI_INT, target_rank=%d, "
	       "target_disp=2, "
	       "target_count=1, target_datatype=MPI_INT, win=window)" OK,
	       (rank + 1) % size);
	MPI_Win_fence(0, win);
	expect("0 mpi MPI_Win_fence(assert=0, win=window)" OK);
	MPI_Win_free(&win);
	expect("0 mpi MPI_Win_free(win=window)" OK);
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	if (size != 4)
		MPI_Abort(MPI_COMM_WORLD, 2);
	split();
	odd_names();
	repeated();
	grid();
	intercomm();
	groups();
	datatypes();
	window();
	return mpi_end();
}
