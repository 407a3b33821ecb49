/* SPDX-License-Identifier: MIT */
/* A program without MPI that looks whether it has one: it finds the recorder's symbols, and must see no MPI. */
#include <dlfcn.h>
#include <stdio.h>

__attribute__((weak)) int MPI_Init(int *argc, char ***argv);
__attribute__((weak)) int MPI_Initialized(int *flag);
__attribute__((weak)) int MPI_Finalized(int *flag);
__attribute__((weak)) double MPI_Wtime(void);

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
	return MPI_Wtime() == 0.0 ? 0 : 4;
}
