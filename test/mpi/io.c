/* SPDX-License-Identifier: MIT */
/* MPI-IO on one shared file: independent, collective, non-blocking, with a view. */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"
#define BLOCK 256
#define BYTES (int)sizeof(data)
#define WHAT "count=256, datatype=MPI_INT"

static int data[BLOCK];
static const char *fh;
static int number;

static void blocking(MPI_File file)
{
	MPI_Offset at = (MPI_Offset)rank * BYTES;
	MPI_Status given;

	MPI_File_write_at(file, at, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_write_at(fh=%s, offset=%lld, " WHAT
	       ", status=%s, position=%lld)" OK,
	       fh, (long long)at, moved(BYTES), (long long)at);
	MPI_File_sync(file);
	expect("0 mpiio MPI_File_sync(fh=%s)" OK, fh);
	MPI_File_read_at_all(file, at, data, BLOCK, MPI_INT, &given);
	expect("0 mpiio MPI_File_read_at_all(fh=%s, offset=%lld, " WHAT
	       ", status=%s, position=%lld)" OK,
	       fh, (long long)at, moved(BYTES), (long long)at);
}

static void wait_each(MPI_File file, MPI_Offset at)
{
	MPI_Request request;
	MPI_Status given;

	MPI_File_iwrite_at(file, at, data, BLOCK, MPI_INT, &request);
	expect("0 mpiio MPI_File_iwrite_at(fh=%s, offset=%lld, " WHAT
	       ", request=%d, position=%lld)" OK,
	       fh, (long long)at, ++number, (long long)at);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect("0 mpi MPI_Wait(request=%d, status=%s)" OK, number, moved(BYTES));
	MPI_File_iread_at(file, at, data, BLOCK, MPI_INT, &request);
	expect("0 mpiio MPI_File_iread_at(fh=%s, offset=%lld, " WHAT
	       ", request=%d, position=%lld)" OK,
	       fh, (long long)at, ++number, (long long)at);
	MPI_Wait(&request, soiled(&given, 1));
	expect("0 mpi MPI_Wait(request=%d, status=%s)" OK, number, moved(BYTES));
	MPI_File_iwrite_at_all(file, at, data, BLOCK, MPI_INT, &request);
	expect("0 mpiio MPI_File_iwrite_at_all(fh=%s, offset=%lld, " WHAT
	       ", request=%d, position=%lld)" OK,
	       fh, (long long)at, ++number, (long long)at);
	MPI_Wait(&request, soiled(&given, 1));
	expect("0 mpi MPI_Wait(request=%d, status=%s)" OK, number, moved(BYTES));
}

/* Two reads of the view, a collective one among them, completed together. */
static void wait_all(MPI_File file, MPI_Offset at)
{
	MPI_Request requests[2];
	MPI_Status given[2];

	for (int i = 0; i < 2; i++) {
		MPI_File_seek(file, 0, MPI_SEEK_SET);
		expect("0 mpiio MPI_File_seek(fh=%s, offset=0, whence=MPI_SEEK_SET)" OK, fh);
		MPI_File_iread(file, data, BLOCK, MPI_INT, &requests[0]);
		expect("0 mpiio MPI_File_iread(fh=%s, " WHAT ", request=%d, position=%lld)" OK, fh,
		       ++number, (long long)at);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		expect("0 mpi MPI_Ibarrier(comm=MPI_COMM_WORLD, request=%d)" OK, ++number);
		MPI_Waitall(2, requests, i ? soiled(given, 2) : MPI_STATUSES_IGNORE);
		expect("0 mpi MPI_Waitall(count=2, array_of_requests=[%d, %d], "
		       "array_of_statuses=[%s, " DONE "])" OK,
		       number - 1, number, moved(BYTES));
	}
}

static void view(MPI_File file, MPI_Offset at)
{
	MPI_File_set_view(file, at, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	expect("0 mpiio MPI_File_set_view(fh=%s, disp=%lld, etype=MPI_INT, filetype=MPI_INT, "
	       "datarep=\"native\", info=MPI_INFO_NULL, hints=NULL)" OK,
	       fh, (long long)at);
	MPI_File_write_all(file, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_write_all(fh=%s, " WHAT ", status=%s, position=%lld)" OK, fh,
	       moved(BYTES), (long long)at);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	expect("0 mpiio MPI_File_seek(fh=%s, offset=0, whence=MPI_SEEK_SET)" OK, fh);
	MPI_File_read(file, data, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
	expect("0 mpiio MPI_File_read(fh=%s, " WHAT ", status=%s, position=%lld)" OK, fh,
	       moved(BYTES), (long long)at);
	wait_all(file, at);
}

int main(int argc, char **argv)
{
	MPI_Offset length;
	MPI_File file;
	MPI_Info info;

	mpi_begin(&argc, &argv);
	MPI_Info_create(&info);
	expect("0 mpi MPI_Info_create(info=info#2)" OK);
	MPI_Info_set(info, "cb_nodes", "2");
	expect("0 mpi MPI_Info_set(info=info#2, key=\"cb_nodes\", value=\"2\")" OK);
	MPI_Info_set(info, "access_style", "random, read_once");
	expect("0 mpi MPI_Info_set(info=info#2, key=\"access_style\", value=\"random, "
	       "read_once\")" OK);
	MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
	fh = strdup(on_file(1, "shared"));
	expect("0 mpiio MPI_File_open(comm=MPI_COMM_WORLD, filename=\"shared\", "
	       "amode=MPI_MODE_CREATE|MPI_MODE_RDWR, info=info#2, fh=%s, "
	       "hints=[\"cb_nodes=2\", \"access_style=random, read_once\"])" OK,
	       fh);
	MPI_Info_free(&info);
	expect("0 mpi MPI_Info_free(info=info#2)" OK);
	blocking(file);
	wait_each(file, (MPI_Offset)rank * BYTES);
	view(file, (MPI_Offset)rank * BYTES);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("0 mpi MPI_Barrier(comm=MPI_COMM_WORLD)" OK);
	MPI_File_get_size(file, &length);
	expect("0 mpiio MPI_File_get_size(fh=%s, size=%d)" OK, fh, BYTES * size);
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
