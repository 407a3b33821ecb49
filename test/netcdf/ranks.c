/* SPDX-License-Identifier: MIT */
/* ranks.c - PnetCDF: all ranks write one variable, together, each by itself, and by requests that are waited for. */
#include "../mpi/mpi_expect.h"

#include <pnetcdf.h>

#define EACH 4

static int ncid, varid, table, scalar;

static const char *on_nc(void)
{
	char *text = expect_text();

	snprintf(text, 512, "%d \"%s/data.nc\"", ncid, getenv("PWD"));
	return text;
}

static void define(void)
{
	int dim, dims[2];

	ncmpi_create(MPI_COMM_WORLD, "data.nc", NC_CLOBBER, MPI_INFO_NULL, &ncid);
	expect("0 pnetcdf ncmpi_create(comm=MPI_COMM_WORLD, path=\"data.nc\", cmode=0, "
	       "info=MPI_INFO_NULL, ncidp=%s) = NC_NOERR",
	       on_nc());
	ncmpi_def_dim(ncid, "n", EACH * size, &dim);
	expect("0 pnetcdf ncmpi_def_dim(ncid=%s, name=\"n\", len=%d, idp=%d) = NC_NOERR", on_nc(),
	       EACH * size, dim);
	ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &varid);
	expect("0 pnetcdf ncmpi_def_var(ncid=%s, name=\"v\", xtype=NC_INT, ndims=1, dimidsp=[%d], "
	       "varidp=%d \"/v\") = NC_NOERR",
	       on_nc(), dim, varid);
	dims[0] = dim;
	ncmpi_def_dim(ncid, "m", 2, &dims[1]);
	expect("0 pnetcdf ncmpi_def_dim(ncid=%s, name=\"m\", len=2, idp=%d) = NC_NOERR", on_nc(),
	       dims[1]);
	ncmpi_def_var(ncid, "w", NC_DOUBLE, 2, dims, &table);
	expect("0 pnetcdf ncmpi_def_var(ncid=%s, name=\"w\", xtype=NC_DOUBLE, ndims=2, "
	       "dimidsp=[%d, %d], varidp=%d \"/w\") = NC_NOERR",
	       on_nc(), dims[0], dims[1], table);
	ncmpi_def_var(ncid, "s", NC_INT, 0, NULL, &scalar);
	expect("0 pnetcdf ncmpi_def_var(ncid=%s, name=\"s\", xtype=NC_INT, ndims=0, dimidsp=NULL, "
	       "varidp=%d \"/s\") = NC_NOERR",
	       on_nc(), scalar);
	ncmpi_enddef(ncid);
	expect("0 pnetcdf ncmpi_enddef(ncid=%s) = NC_NOERR", on_nc());
}

static void together(void)
{
	MPI_Offset start = EACH * rank, count = EACH;
	int data[EACH] = {rank};

	ncmpi_put_vara_int_all(ncid, varid, &start, &count, data);
	expect("0 pnetcdf ncmpi_put_vara_int_all(ncid=%s, varid=%d \"/v\", start=[%d], count=[4], "
	       "bytes=16) = NC_NOERR",
	       on_nc(), varid, EACH * rank);
}

static void by_request(void)
{
	MPI_Offset start = EACH * rank, count = 2, first[1] = {start}, second[1] = {start + 2};
	MPI_Offset *starts[2] = {first, second};
	int data[EACH] = {rank}, requests[2], statuses[2], asked[2];

	ncmpi_iput_vara_int(ncid, varid, &start, &count, data, &requests[0]);
	expect("0 pnetcdf ncmpi_iput_vara_int(ncid=%s, varid=%d \"/v\", start=[%d], count=[2], "
	       "req=%d, "
	       "bytes=8) = NC_NOERR",
	       on_nc(), varid, EACH * rank, requests[0]);
	ncmpi_iget_varn_int(ncid, varid, 2, starts, NULL, data + 2, &requests[1]);
	expect("0 pnetcdf ncmpi_iget_varn_int(ncid=%s, varid=%d \"/v\", num=2, starts=[%d, %d], "
	       "counts=NULL, req=%d, bytes=8) = NC_NOERR",
	       on_nc(), varid, EACH * rank, EACH * rank + 2, requests[1]);
	memcpy(asked, requests, sizeof(asked));
	ncmpi_wait_all(ncid, 2, requests, statuses);
	expect("0 pnetcdf ncmpi_wait_all(ncid=%s, count=2, array_of_requests=[%d, %d], "
	       "array_of_statuses=[0, 0]) = NC_NOERR",
	       on_nc(), asked[0], asked[1]);
}

/* Lists of places: one that is NULL stands for ones; a call that fails; one that reads no list. */
static void by_lists(void)
{
	MPI_Offset first = EACH * rank, last = first + 2, two = 2, far = EACH * size;
	MPI_Offset *starts[] = {&first, &last}, *counts[] = {NULL, &two}, *beyond[] = {&far};
	MPI_Offset **nowhere = (MPI_Offset **)8;
	int data[EACH];

	ncmpi_get_varn_int_all(ncid, varid, 2, starts, counts, data);
	expect("0 pnetcdf ncmpi_get_varn_int_all(ncid=%s, varid=%d \"/v\", num=2, "
	       "starts=[%d, %d], counts=[1, 2], bytes=12) = NC_NOERR",
	       on_nc(), varid, EACH * rank, EACH * rank + 2);
	ncmpi_get_varn_int_all(ncid, varid, 1, beyond, NULL, data);
	expect("0 pnetcdf ncmpi_get_varn_int_all(ncid=%s, varid=%d \"/v\", num=1, starts=?, "
	       "counts=?, bytes=?) = NC_EINVALCOORDS",
	       on_nc(), varid);
	ncmpi_get_varn_int_all(ncid, varid, 0, nowhere, nowhere, data);
	expect("0 pnetcdf ncmpi_get_varn_int_all(ncid=%s, varid=%d \"/v\", num=0, starts=[], "
	       "counts=[], bytes=0) = NC_NOERR",
	       on_nc(), varid);
}

/* Parts of several variables, which differ in dimensions and in the size of their elements. */
static void of_several(void)
{
	MPI_Offset first = EACH * rank, two = 2, corner[2] = {EACH * rank, 0}, both[2] = {2, 2};
	MPI_Offset *starts[] = {NULL, &first, corner}, *counts[] = {NULL, &two, both};
	MPI_Offset buffered[] = {1, 2, 4};
	int numbers[] = {scalar, varid, table}, one[1], some[EACH], square[EACH], all[EACH * 64];
	MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_INT};
	int *buffers[] = {one, some, square}, *whole[] = {one, all};

	memset(square, 0, sizeof(square));
	memset(some, 0, sizeof(some));
	one[0] = 1;
	ncmpi_mput_vara_int_all(ncid, 3, numbers, starts, counts, buffers);
	expect("0 pnetcdf ncmpi_mput_vara_int_all(ncid=%s, num=3, varids=[%d, %d, %d], "
	       "starts=[%d, %d, 0], counts=[2, 2, 2], bytes=28) = NC_NOERR",
	       on_nc(), scalar, varid, table, EACH * rank, EACH * rank);
	ncmpi_mget_vara_all(ncid, 3, numbers, starts, counts, (void **)buffers, buffered, types);
	expect("0 pnetcdf ncmpi_mget_vara_all(ncid=%s, num=3, varids=[%d, %d, %d], "
	       "starts=[%d, %d, 0], counts=[2, 2, 2], bufcounts=[1, 2, 4], "
	       "datatypes=[MPI_INT, MPI_INT, MPI_INT], bytes=44) = NC_NOERR",
	       on_nc(), scalar, varid, table, EACH * rank, EACH * rank);
	ncmpi_mget_var1_int_all(ncid, 2, numbers + 1, starts + 1, buffers);
	expect("0 pnetcdf ncmpi_mget_var1_int_all(ncid=%s, num=2, varids=[%d, %d], "
	       "starts=[%d, %d, 0], bytes=8) = NC_NOERR",
	       on_nc(), varid, table, EACH * rank, EACH * rank);
	ncmpi_mget_var_int_all(ncid, 2, numbers, whole);
	expect("0 pnetcdf ncmpi_mget_var_int_all(ncid=%s, num=2, varids=[%d, %d], bytes=%d) = "
	       "NC_NOERR",
	       on_nc(), scalar, varid, 4 + 4 * EACH * size);
}

static void alone(void)
{
	MPI_Offset index = EACH * rank;
	int value;

	ncmpi_begin_indep_data(ncid);
	expect("0 pnetcdf ncmpi_begin_indep_data(ncid=%s) = NC_NOERR", on_nc());
	ncmpi_get_var1_int(ncid, varid, &index, &value);
	expect("0 pnetcdf ncmpi_get_var1_int(ncid=%s, varid=%d \"/v\", start=[%d], bytes=4) = "
	       "NC_NOERR",
	       on_nc(), varid, EACH * rank);
	ncmpi_end_indep_data(ncid);
	expect("0 pnetcdf ncmpi_end_indep_data(ncid=%s) = NC_NOERR", on_nc());
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	define();
	together();
	by_request();
	by_lists();
	of_several();
	alone();
	ncmpi_close(ncid);
	expect("0 pnetcdf ncmpi_close(ncid=%s) = NC_NOERR", on_nc());
	return mpi_end();
}
