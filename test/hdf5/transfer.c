/* SPDX-License-Identifier: MIT */
/* transfer.c - how much H5Dread and H5Dwrite move, by what was selected and how large it is in memory. */
#include "hdf5_expect.h"

#define ROWS 4
#define COLUMNS 6

static hid_t file, dataset, space;
static double buffer[2 * ROWS * COLUMNS];

static void open_all(void)
{
	hsize_t dims[2] = {ROWS, COLUMNS}, most[2] = {H5S_UNLIMITED, COLUMNS}, chunk[2] = {2, 3};
	hid_t plist = H5Pcreate(H5P_DATASET_CREATE);

	expect("0 hdf5 H5Pcreate(cls_id=H5P_DATASET_CREATE) = property list#1");
	H5Pset_chunk(plist, 2, chunk);
	expect("0 hdf5 H5Pset_chunk(plist_id=property list#1, ndims=2, dim=[2, 3]) = 0");
	file = H5Fcreate("data.h5", H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
	expect("0 hdf5 H5Fcreate(filename=\"data.h5\", flags=H5F_ACC_EXCL, fcpl_id=H5P_DEFAULT, "
	       "fapl_id=H5P_DEFAULT) = %s",
	       the_file());
	space = H5Screate_simple(2, dims, most);
	expect("0 hdf5 H5Screate_simple(rank=2, dims=[4, 6], maxdims=[-1, 6]) = dataspace#1");
	dataset = H5Dcreate2(file, "x", H5T_STD_I64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
	expect("0 hdf5 H5Dcreate2(loc_id=%s, name=\"x\", type_id=H5T_STD_I64LE, "
	       "space_id=dataspace#1, "
	       "lcpl_id=H5P_DEFAULT, dcpl_id=property list#1, dapl_id=H5P_DEFAULT) = %s",
	       the_file(), in_file("dataset", "/x"));
	H5Pclose(plist);
	expect("0 hdf5 H5Pclose(plist_id=property list#1) = 0");
}

/* Whole, in the type of memory. */
static void whole(hid_t type, const char *name, int bytes)
{
	H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
	expect("0 hdf5 H5Dwrite(dset_id=%s, mem_type_id=%s, mem_space_id=H5S_ALL, "
	       "file_space_id=H5S_ALL, dxpl_id=H5P_DEFAULT, bytes=%d, mode=INDEPENDENT) = 0",
	       in_file("dataset", "/x"), name, bytes);
}

static void part(const char *memory, hid_t memory_space, int bytes)
{
	H5Dread(dataset, H5T_NATIVE_SHORT, memory_space, space, H5P_DEFAULT, buffer);
	expect("0 hdf5 H5Dread(dset_id=%s, mem_type_id=H5T_NATIVE_SHORT, mem_space_id=%s, "
	       "file_space_id=dataspace#1, dxpl_id=H5P_DEFAULT, bytes=%d, mode=INDEPENDENT) = 0",
	       in_file("dataset", "/x"), memory, bytes);
}

/* A hyperslab, points, nothing, everything but a block. */
static void selections(void)
{
	hsize_t start[2] = {1, 0}, stride[2] = {2, 3}, count[2] = {1, 2}, block[2] = {1, 2};
	hsize_t points[3][2] = {{0, 0}, {3, 5}, {1, 1}}, three = 3;
	hid_t memory;

	H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
	expect("0 hdf5 H5Sselect_hyperslab(space_id=dataspace#1, op=H5S_SELECT_SET, start=[1, 0], "
	       "stride=[2, 3], count=[1, 2], block=[1, 2]) = 0");
	part("dataspace#1", space, 8);
	H5Sselect_elements(space, H5S_SELECT_SET, 3, &points[0][0]);
	expect("0 hdf5 H5Sselect_elements(space_id=dataspace#1, op=H5S_SELECT_SET, num_elem=3) = "
	       "0");
	memory = H5Screate_simple(1, &three, NULL);
	expect("0 hdf5 H5Screate_simple(rank=1, dims=[3], maxdims=NULL) = dataspace#2");
	part("dataspace#2", memory, 6);
	H5Sclose(memory);
	expect("0 hdf5 H5Sclose(space_id=dataspace#2) = 0");
	H5Sselect_none(space);
	expect("0 hdf5 H5Sselect_none(spaceid=dataspace#1) = 0");
	part("dataspace#1", space, 0);
	H5Sselect_all(space);
	expect("0 hdf5 H5Sselect_all(spaceid=dataspace#1) = 0");
	part("H5S_ALL", H5S_ALL, ROWS * COLUMNS * 2);
}

/* A dataset grows, and is opened by somebody who did not create it. */
static void growing(void)
{
	hsize_t more[2] = {2 * ROWS, COLUMNS};

	H5Dset_extent(dataset, more);
	expect("0 hdf5 H5Dset_extent(dset_id=%s, size=[8, 6]) = 0", in_file("dataset", "/x"));
	whole(H5T_NATIVE_CHAR, "H5T_NATIVE_SCHAR", 2 * ROWS * COLUMNS);
	H5Dclose(dataset);
	expect("0 hdf5 H5Dclose(dset_id=%s) = 0", in_file("dataset", "/x"));
	dataset = H5Dopen2(file, "x", H5P_DEFAULT);
	expect("0 hdf5 H5Dopen2(loc_id=%s, name=\"x\", dapl_id=H5P_DEFAULT) = %s", the_file(),
	       in_file("dataset", "/x"));
	whole(H5T_NATIVE_DOUBLE, "H5T_NATIVE_DOUBLE", 2 * ROWS * COLUMNS * 8);
}

int main(void)
{
	open_all();
	whole(H5T_NATIVE_INT, "H5T_NATIVE_INT", ROWS * COLUMNS * 4);
	whole(H5T_NATIVE_LONG, "H5T_NATIVE_LONG", ROWS * COLUMNS * 8);
	selections();
	growing();
	H5Dclose(dataset);
	expect("0 hdf5 H5Dclose(dset_id=%s) = 0", in_file("dataset", "/x"));
	H5Sclose(space);
	expect("0 hdf5 H5Sclose(space_id=dataspace#1) = 0");
	H5Fclose(file);
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
	return expect_end();
}
