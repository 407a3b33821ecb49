/* SPDX-License-Identifier: MIT */
/* Two processes start two more, and all four talk: two worlds in one trace. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Comm parent, both, all;
	int errors[2], value = 5;

	MPI_Init(&argc, &argv);
	MPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL)
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both,
			       errors);
	else
		both = parent;
	MPI_Intercomm_merge(both, parent != MPI_COMM_NULL, &all);
	MPI_Bcast(&value, 1, MPI_INT, 0, all);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&both);
	MPI_Finalize();
	return 0;
}
