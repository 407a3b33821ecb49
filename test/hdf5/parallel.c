/* SPDX-License-Identifier: MIT */
/* parallel.c - ranks write one dataset together and one each by itself. */
#include "hdf5_expect.h"
#include "../mpi/mpi_expect.h"

#define EACH 8

static hid_t file, dataset, file_space, memory_space;

static void create(void)
{
	hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
	hsize_t all, each = EACH, start;

	expect("0 hdf5 H5Pcreate(cls_id=H5P_FILE_ACCESS) = property list#1");
	H5Pset_fapl_mpio(plist, MPI_COMM_WORLD, MPI_INFO_NULL);
	expect("0 hdf5 H5Pset_fapl_mpio(fapl_id=property list#1, comm=MPI_COMM_WORLD, "
	       "info=MPI_INFO_NULL) = 0");
	file = H5Fcreate("data.h5", H5F_ACC_TRUNC, H5P_DEFAULT, plist);
	expect("0 hdf5 H5Fcreate(filename=\"data.h5\", flags=H5F_ACC_TRUNC, fcpl_id=H5P_DEFAULT, "
	       "fapl_id=property list#1) = %s",
	       the_file());
	H5Pclose(plist);
	expect("0 hdf5 H5Pclose(plist_id=property list#1) = 0");
	all = (hsize_t)(size * EACH);
	file_space = H5Screate_simple(1, &all, NULL);
	expect("0 hdf5 H5Screate_simple(rank=1, dims=[%d], maxdims=NULL) = dataspace#1", (int)all);
	dataset = H5Dcreate2(file, "x", H5T_NATIVE_INT, file_space, H5P_DEFAULT, H5P_DEFAULT,
			     H5P_DEFAULT);
	expect("0 hdf5 H5Dcreate2(loc_id=%s, name=\"x\", type_id=H5T_NATIVE_INT, "
	       "space_id=dataspace#1, "
	       "lcpl_id=H5P_DEFAULT, dcpl_id=H5P_DEFAULT, dapl_id=H5P_DEFAULT) = %s",
	       the_file(), in_file("dataset", "/x"));
	memory_space = H5Screate_simple(1, &each, NULL);
	expect("0 hdf5 H5Screate_simple(rank=1, dims=[8], maxdims=NULL) = dataspace#2");
	start = (hsize_t)(rank * EACH);
	H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, NULL, &each, NULL);
	expect("0 hdf5 H5Sselect_hyperslab(space_id=dataspace#1, op=H5S_SELECT_SET, start=[%d], "
	       "stride=NULL, count=[8], block=NULL) = 0",
	       rank * EACH);
}

/* A copy of the property list transfers in the same way. */
static void transfer(H5FD_mpio_xfer_t mode, const char *name)
{
	hid_t plist = H5Pcreate(H5P_DATASET_XFER), copy;
	int data[EACH] = {rank};

	expect("0 hdf5 H5Pcreate(cls_id=H5P_DATASET_XFER) = property list#1");
	H5Pset_dxpl_mpio(plist, mode);
	expect("0 hdf5 H5Pset_dxpl_mpio(dxpl_id=property list#1, xfer_mode=%s) = 0", name);
	copy = H5Pcopy(plist);
	expect("0 hdf5 H5Pcopy(plist_id=property list#1) = property list#2");
	H5Dwrite(dataset, H5T_NATIVE_INT, memory_space, file_space, plist, data);
	expect("0 hdf5 H5Dwrite(dset_id=%s, mem_type_id=H5T_NATIVE_INT, mem_space_id=dataspace#2, "
	       "file_space_id=dataspace#1, dxpl_id=property list#1, bytes=32, mode=%s) = 0",
	       in_file("dataset", "/x"), name);
	H5Pclose(plist);
	expect("0 hdf5 H5Pclose(plist_id=property list#1) = 0");
	H5Dread(dataset, H5T_NATIVE_INT, memory_space, file_space, copy, data);
	expect("0 hdf5 H5Dread(dset_id=%s, mem_type_id=H5T_NATIVE_INT, mem_space_id=dataspace#2, "
	       "file_space_id=dataspace#1, dxpl_id=property list#2, bytes=32, mode=%s) = 0",
	       in_file("dataset", "/x"), name);
	H5Pclose(copy);
	expect("0 hdf5 H5Pclose(plist_id=property list#2) = 0");
}

int main(int argc, char **argv)
{
	mpi_begin(&argc, &argv);
	create();
	transfer(H5FD_MPIO_COLLECTIVE, "COLLECTIVE");
	transfer(H5FD_MPIO_INDEPENDENT, "INDEPENDENT");
	H5Dclose(dataset);
	expect("0 hdf5 H5Dclose(dset_id=%s) = 0", in_file("dataset", "/x"));
	H5Sclose(memory_space);
	expect("0 hdf5 H5Sclose(space_id=dataspace#2) = 0");
	H5Sclose(file_space);
	expect("0 hdf5 H5Sclose(space_id=dataspace#1) = 0");
	H5Fclose(file);
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
	return mpi_end();
}
