/* SPDX-License-Identifier: MIT */
/* A program without MPI that looks whether it has one: it finds the recorder's symbols, and must see no MPI. */
#include <dlfcn.h>
#include <stdio.h>

__attribute__((weak)) int MPI_Init(int *argc, char ***argv);
__attribute__((weak)) int MPI_Initialized(int *flag);
__attribute__((weak)) int MPI_Finalized(int *flag);
__attribute__((weak)) double MPI_Wtime(void);
/* the same in Fortran */
__attribute__((weak)) void mpi_init_(int *ierror);
__attribute__((weak)) void mpi_initialized_(int *flag, int *ierror);
__attribute__((weak)) void mpi_comm_size_f08_(const int *comm, int *size, int *ierror);

static int look_in_fortran(void)
{
	int initialized = 7, error = 7, comm = 0, size = 7;

	if (!mpi_init_ || !mpi_initialized_ || !mpi_comm_size_f08_)
		return 0;
	mpi_initialized_(&initialized, &error);
	if (error != 0 || initialized != 0)
		return 6;
	mpi_init_(&error);
	if (error == 0)
		return 7;
	error = 0;
	mpi_comm_size_f08_(&comm, &size, &error);
	return error != 0 && size == 7 ? 0 : 8;
}

int main(int argc, char **argv)
{
	int initialized = 7, finalized = 7;

	if (dlsym(RTLD_DEFAULT, "MPI_Init") != (void *)MPI_Init)
		return 5;
	if (!MPI_Init || !MPI_Initialized || !MPI_Finalized || !MPI_Wtime)
		return 77;
	if (MPI_Initialized(&initialized) != 0 || initialized != 0)
		return 1;
	if (MPI_Finalized(&finalized) != 0 || finalized != 0)
		return 2;
	if (MPI_Init(&argc, &argv) == 0)
		return 3;
	if (MPI_Wtime() != 0.0)
		return 4;
	return look_in_fortran();
}
