/* SPDX-License-Identifier: MIT */
/* wrappers_hdf5.c - wrappers of HDF5: functions that only look at a handle. */
#include <hdf5.h>

#include "measure.h"
#include "wrapped.h"

static hid_t type, space;

static void run_get_size(void *function, unsigned calls)
{
	size_t (*call)(hid_t) = function;

	for (unsigned i = 0; i < calls; i++)
		call(type);
}

static void run_get_type(void *function, unsigned calls)
{
	H5I_type_t (*call)(hid_t) = function;

	for (unsigned i = 0; i < calls; i++)
		call(type);
}

static void run_get_ndims(void *function, unsigned calls)
{
	int (*call)(hid_t) = function;

	for (unsigned i = 0; i < calls; i++)
		call(space);
}

int main(void)
{
	hsize_t size = 8;
	struct wrapped list[] = {
		{"H5Tget_size", run_get_size, (void *)H5Tget_size, NULL},
		{"H5Iget_type", run_get_type, (void *)H5Iget_type, NULL},
		{"H5Sget_simple_extent_ndims", run_get_ndims, (void *)H5Sget_simple_extent_ndims,
		 NULL},
	};

	type = H5Tcopy(H5T_NATIVE_INT);
	space = H5Screate_simple(1, &size, NULL);
	for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		list[i].bare = wrapped_bare("libhdf5", list[i].name);
	wrapped_measure(list, sizeof(list) / sizeof(list[0]));
	H5Sclose(space);
	H5Tclose(type);
	return 0;
}
