/* SPDX-License-Identifier: MIT */
/*
 * variables.c - a file of netCDF, classic or netCDF-4: variables written and read whole, in parts and by elements, known by name also to
 * who opens the file and uses numbers.
 *
 *	variables classic|netcdf4
 */
#include "../trace/expect.h"

#include <netcdf.h>
#include <stdbool.h>

static int ncid, temperature, count_of;
static bool netcdf4;

/* A file in the working directory, as an ncid is shown. */
static const char *on_nc(int id)
{
	char *text = expect_text();

	snprintf(text, 512, "%d \"%s/data.nc\"", id, getenv("PWD"));
	return text;
}

static void define(void)
{
	int rows, columns, dims[2];

	nc_create("data.nc", NC_NOCLOBBER | (netcdf4 ? NC_NETCDF4 : 0), &ncid);
	expect("0 netcdf nc_create(path=\"data.nc\", cmode=%s, ncidp=%s) = NC_NOERR",
	       netcdf4 ? "NC_NOCLOBBER|NC_NETCDF4" : "NC_NOCLOBBER", on_nc(ncid));
	nc_def_dim(ncid, "rows", NC_UNLIMITED, &rows);
	expect("0 netcdf nc_def_dim(ncid=%s, name=\"rows\", len=0, idp=%d) = NC_NOERR", on_nc(ncid),
	       rows);
	nc_def_dim(ncid, "columns", 5, &columns);
	expect("0 netcdf nc_def_dim(ncid=%s, name=\"columns\", len=5, idp=%d) = NC_NOERR",
	       on_nc(ncid), columns);
	dims[0] = rows;
	dims[1] = columns;
	nc_def_var(ncid, "temperature", NC_DOUBLE, 2, dims, &temperature);
	expect("0 netcdf nc_def_var(ncid=%s, name=\"temperature\", xtype=NC_DOUBLE, ndims=2, "
	       "dimidsp=[%d, %d], varidp=%d \"/temperature\") = NC_NOERR",
	       on_nc(ncid), rows, columns, temperature);
	nc_def_var(ncid, "count", NC_SHORT, 0, NULL, &count_of);
	expect("0 netcdf nc_def_var(ncid=%s, name=\"count\", xtype=NC_SHORT, ndims=0, "
	       "dimidsp=NULL, "
	       "varidp=%d \"/count\") = NC_NOERR",
	       on_nc(ncid), count_of);
	nc_put_att_text(ncid, temperature, "units", 1, "K");
	expect("0 netcdf nc_put_att_text(ncid=%s, varid=%d \"/temperature\", name=\"units\", "
	       "len=1) = "
	       "NC_NOERR",
	       on_nc(ncid), temperature);
	nc_put_att_text(ncid, NC_GLOBAL, "title", 4, "test");
	expect("0 netcdf nc_put_att_text(ncid=%s, varid=NC_GLOBAL, name=\"title\", len=4) = "
	       "NC_NOERR",
	       on_nc(ncid));
	nc_enddef(ncid);
	expect("0 netcdf nc_enddef(ncid=%s) = NC_NOERR", on_nc(ncid));
}

static void write_all(void)
{
	size_t start[2] = {0, 1}, count[2] = {3, 4}, index[2] = {2, 0};
	float data[15] = {1};
	short number = 9;

	nc_put_vara_float(ncid, temperature, start, count, data);
	expect("0 netcdf nc_put_vara_float(ncid=%s, varid=%d \"/temperature\", startp=[0, 1], "
	       "countp=[3, 4], bytes=48) = NC_NOERR",
	       on_nc(ncid), temperature);
	nc_put_var1_float(ncid, temperature, index, data);
	expect("0 netcdf nc_put_var1_float(ncid=%s, varid=%d \"/temperature\", indexp=[2, 0], "
	       "bytes=4) = NC_NOERR",
	       on_nc(ncid), temperature);
	nc_put_var(ncid, count_of, &number);
	expect("0 netcdf nc_put_var(ncid=%s, varid=%d \"/count\", bytes=2) = NC_NOERR", on_nc(ncid),
	       count_of);
	nc_close(ncid);
	expect("0 netcdf nc_close(ncid=%s) = NC_NOERR", on_nc(ncid));
}

/* By who knows the variables by number alone: its name is asked when the first call has succeeded. */
static void read_all(void)
{
	size_t start[2] = {0, 0}, count[2] = {2, 2};
	ptrdiff_t stride[2] = {1, 2};
	double data[15];
	int varid;

	nc_open("data.nc", NC_NOWRITE, &ncid);
	expect("0 netcdf nc_open(path=\"data.nc\", mode=0, ncidp=%s) = NC_NOERR", on_nc(ncid));
	nc_get_vars_double(ncid, temperature, start, count, stride, data);
	expect("0 netcdf nc_get_vars_double(ncid=%s, varid=%d \"/temperature\", startp=[0, 0], "
	       "countp=[2, 2], stridep=[1, 2], bytes=32) = NC_NOERR",
	       on_nc(ncid), temperature);
	nc_get_var_double(ncid, temperature, data);
	expect("0 netcdf nc_get_var_double(ncid=%s, varid=%d \"/temperature\", bytes=120) = "
	       "NC_NOERR",
	       on_nc(ncid), temperature);
	nc_inq_varid(ncid, "count", &varid);
	expect("0 netcdf nc_inq_varid(ncid=%s, name=\"count\", varidp=%d \"/count\") = NC_NOERR",
	       on_nc(ncid), varid);
}

static void errors(void)
{
	int varid;

	nc_inq_varid(ncid, "none", &varid);
	expect("0 netcdf nc_inq_varid(ncid=%s, name=\"none\", varidp=?) = NC_ENOTVAR", on_nc(ncid));
	nc_get_var_int(ncid, 77, NULL);
	expect("0 netcdf nc_get_var_int(ncid=%s, varid=77, bytes=?) = NC_ENOTVAR", on_nc(ncid));
	nc_close(ncid);
	expect("0 netcdf nc_close(ncid=%s) = NC_NOERR", on_nc(ncid));
	nc_close(ncid);
	expect("0 netcdf nc_close(ncid=%d) = NC_EBADID", ncid);
	nc_sync(-5);
	expect("0 netcdf nc_sync(ncid=-5) = NC_EBADID");
}

/* A group and what is in it. */
static void groups(void)
{
	int group, dim, varid, value = 3;
	char text[512];

	nc_create("data.nc", NC_NETCDF4, &ncid);
	expect("0 netcdf nc_create(path=\"data.nc\", cmode=NC_NETCDF4, ncidp=%s) = NC_NOERR",
	       on_nc(ncid));
	nc_def_grp(ncid, "run", &group);
	snprintf(text, sizeof(text), "%d {group=\"/run\", file=\"%s/data.nc\"}", group,
		 getenv("PWD"));
	expect("0 netcdf nc_def_grp(parent_ncid=%s, name=\"run\", new_ncid=%s) = NC_NOERR",
	       on_nc(ncid), text);
	nc_def_dim(group, "n", 1, &dim);
	expect("0 netcdf nc_def_dim(ncid=%s, name=\"n\", len=1, idp=%d) = NC_NOERR", text, dim);
	nc_def_var(group, "v", NC_INT, 1, &dim, &varid);
	expect("0 netcdf nc_def_var(ncid=%s, name=\"v\", xtype=NC_INT, ndims=1, dimidsp=[%d], "
	       "varidp=%d \"/run/v\") = NC_NOERR",
	       text, dim, varid);
	nc_put_var_int(group, varid, &value);
	expect("0 netcdf nc_put_var_int(ncid=%s, varid=%d \"/run/v\", bytes=4) = NC_NOERR", text,
	       varid);
	nc_close(ncid);
	expect("0 netcdf nc_close(ncid=%s) = NC_NOERR", on_nc(ncid));
}

int main(int argc, char **argv)
{
	netcdf4 = argc > 1 && !strcmp(argv[1], "netcdf4");
	define();
	write_all();
	read_all();
	errors();
	if (netcdf4)
		groups();
	return expect_end();
}
