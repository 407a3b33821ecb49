/* SPDX-License-Identifier: MIT */
/* embedded.c - looks like a program that was linked with HDF5's archive. */
#include <fcntl.h>
#include <unistd.h>

int H5_init_library(void);

int H5_init_library(void)
{
	return close(open("/dev/null", O_RDONLY));
}

int main(void)
{
	return H5_init_library();
}
