/* SPDX-License-Identifier: MIT */
/*
 * mpi_query.h - to be put around what calls a library of the program (MPI, HDF5, netCDF) for the recorder's own sake: the calls inside it
 * are not the program's.
 */
#ifndef RECORDER_WRAP_MPI_QUERY_H
#define RECORDER_WRAP_MPI_QUERY_H

#include <stdbool.h>

struct mpi_query {
	int saved_errno;
	bool was_idle;
};

void mpi_query_begin(struct mpi_query *query);
void mpi_query_end(const struct mpi_query *query);

#endif
