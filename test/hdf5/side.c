/* SPDX-License-Identifier: MIT */
/* side.c - a module that uses the HDF5 it is linked with, as Python's modules do: for test/hdf5/both.c. */
#include <hdf5.h>

hid_t side_open(const char *path);
int side_write(hid_t file, const char *name, int count);
void side_close(hid_t file);

hid_t side_open(const char *path)
{
	return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

int side_write(hid_t file, const char *name, int count)
{
	hsize_t dims = (hsize_t)count;
	int data[64] = {0};
	hid_t space = H5Screate_simple(1, &dims, NULL);
	hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
				   H5P_DEFAULT);
	int result = H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);

	H5Dclose(dataset);
	H5Sclose(space);
	return result;
}

void side_close(hid_t file)
{
	H5Fclose(file);
}
