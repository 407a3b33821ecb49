/* SPDX-License-Identifier: MIT */
/* mpi_comm_lengths.c - see mpi_comm_lengths.h */
#include "wrap/mpi_comm_lengths.h"

/* ---- sizes of groups ---- */

int64_t length_size(MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	if (!comm)
		return 0;
	return comm->remote_size > 0 ? comm->remote_size : comm->size;
}

int64_t length_localsize(MPI_Comm handle)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	return comm ? comm->size : 0;
}

int64_t length_rootsize(MPI_Comm handle, int root)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	if (!comm)
		return 0;
	if (comm->remote_size > 0)
		return root == MPI_ROOT ? comm->remote_size : 0;
	return root == comm->rank ? comm->size : 0;
}

bool length_leaf(MPI_Comm handle, int root)
{
	const struct mpi_comm *comm = mpi_comm_peek(handle);

	return comm && (comm->remote_size == 0 || root >= 0);
}

/* ---- topology ---- */

void mpi_comm_topology_read(const struct mpi_library *mpi, struct mpi_comm *comm, MPI_Comm handle)
{
	int in = 0, out = 0, weighted, dims = 0, topology = MPI_UNDEFINED;
	struct mpi_query query;

	mpi_query_begin(&query);
	mpi->Topo_test(handle, &topology);
	if (topology == MPI_CART) {
		mpi->Cartdim_get(handle, &dims);
		in = out = 2 * dims;
	} else if (topology == MPI_GRAPH) {
		mpi->Graph_neighbors_count(handle, comm->rank, &in);
		out = in;
	} else if (topology == MPI_DIST_GRAPH) {
		mpi->Dist_graph_neighbors_count(handle, &in, &out, &weighted);
	}
	mpi_query_end(&query);
	comm->indegree = in;
	comm->outdegree = out;
	comm->dims = dims;
}

void mpi_comm_topology_copy(struct mpi_comm *comm, const struct mpi_comm *parent)
{
	comm->indegree = parent->indegree;
	comm->outdegree = parent->outdegree;
	comm->dims = parent->dims;
}

static const struct mpi_comm *comm_with_topology(MPI_Comm handle)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_comm *comm = mpi_comm_peek(handle);

	if (comm && comm->dims < 0 && mpi)
		mpi_comm_topology_read(mpi, comm, handle);
	return comm;
}

int64_t length_indegree(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_with_topology(handle);

	return comm ? comm->indegree : 0;
}

int64_t length_outdegree(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_with_topology(handle);

	return comm ? comm->outdegree : 0;
}

int64_t length_cartdims(MPI_Comm handle)
{
	const struct mpi_comm *comm = comm_with_topology(handle);

	return comm ? comm->dims : 0;
}
