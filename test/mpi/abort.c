/* SPDX-License-Identifier: MIT */
/* Of two barriers one is made while recording is paused; then rank 1 ends the job while the others wait for it. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, value;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Pcontrol(0);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Pcontrol(1);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		usleep(300000); /* the others have left the barrier */
		MPI_Abort(MPI_COMM_WORLD, 3);
	}
	MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
