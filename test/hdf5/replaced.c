/* SPDX-License-Identifier: MIT */
/* replaced.c - many datasets in data.h5, and then as many in another file that has come to its name. */
#include <hdf5.h>
#include <stdio.h>

#define DATASETS 200

static int fill(const char *group)
{
	hid_t file = H5Fcreate("data.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t at = H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate(H5S_SCALAR);
	char name[16];

	for (int i = 0; i < DATASETS; i++) {
		snprintf(name, sizeof(name), "%d", i);
		H5Dclose(H5Dcreate2(at, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
				    H5P_DEFAULT));
	}
	H5Sclose(space);
	H5Gclose(at);
	return H5Fclose(file) < 0;
}

int main(void)
{
	return fill("old") || rename("data.h5", "old.h5") || fill("new");
}
