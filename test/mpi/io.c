/* SPDX-License-Identifier: MIT */
/* MPI-IO on one shared file: independent, collective, non-blocking, with a view. */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"
#define BLOCK 256

static int data[BLOCK];

static void io(MPI_File file, const char *fh)
{
	MPI_Offset at = (MPI_Offset)rank * (MPI_Offset)sizeof(data);
	MPI_Request request;

	MPI_File_write_at(file, at, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_write_at(fh=%s, offset=%lld, count=%d, datatype=MPI_INT, "
	       "status=*)" OK,
	       fh, (long long)at, BLOCK);
	MPI_File_sync(file);
	expect("0 mpiio MPI_File_sync(fh=%s)" OK, fh);
	MPI_File_read_at_all(file, at, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_read_at_all(fh=%s, offset=%lld, count=%d, datatype=MPI_INT, "
	       "status=*)" OK,
	       fh, (long long)at, BLOCK);
	MPI_File_iwrite_at(file, at, data, BLOCK, MPI_INT, &request);
	expect("0 mpiio MPI_File_iwrite_at(fh=%s, offset=%lld, count=%d, datatype=MPI_INT, "
	       "request=1)" OK,
	       fh, (long long)at, BLOCK);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=1, status=*)" OK);
	MPI_File_set_view(file, at, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	expect("0 mpiio MPI_File_set_view(fh=%s, disp=%lld, etype=MPI_INT, filetype=MPI_INT, "
	       "datarep=\"native\", info=MPI_INFO_NULL)" OK,
	       fh, (long long)at);
	MPI_File_write_all(file, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_write_all(fh=%s, count=%d, datatype=MPI_INT, status=*)" OK, fh,
	       BLOCK);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	expect("0 mpiio MPI_File_seek(fh=%s, offset=0, whence=MPI_SEEK_SET)" OK, fh);
	MPI_File_read(file, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_read(fh=%s, count=%d, datatype=MPI_INT, status=*)" OK, fh, BLOCK);
}

int main(int argc, char **argv)
{
	MPI_Offset length;
	const char *fh;
	MPI_File file;

	mpi_begin(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
		      &file);
	fh = on_file(1, "shared");
	expect("0 mpiio MPI_File_open(comm=MPI_COMM_WORLD, filename=\"shared\", "
	       "amode=MPI_MODE_CREATE|MPI_MODE_RDWR, info=MPI_INFO_NULL, fh=%s)" OK,
	       fh);
	fh = strdup(fh);
	io(file, fh);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("0 mpi MPI_Barrier(comm=MPI_COMM_WORLD)" OK);
	MPI_File_get_size(file, &length);
	expect("0 mpiio MPI_File_get_size(fh=%s, size=%d)" OK, fh, (int)sizeof(data) * size);
	MPI_File_close(&file);
	expect("0 mpiio MPI_File_close(fh=%s)" OK, fh);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("0 mpi MPI_Barrier(comm=MPI_COMM_WORLD)" OK);
	if (rank == 0) {
		MPI_File_delete("shared", MPI_INFO_NULL);
		expect("0 mpiio MPI_File_delete(filename=\"shared\", info=MPI_INFO_NULL)" OK);
	}
	return mpi_end();
}
