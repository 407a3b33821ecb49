/* SPDX-License-Identifier: MIT */
/* wrappers_mpi.c - wrappers of MPI in C and Fortran, and polls: one process, which sends to nobody. */
#include <mpi.h>
#include <stdlib.h>

#include "measure.h"
#include "wrapped.h"

static int value;
static MPI_Request waiting;

static void run_comm_rank(void *function, unsigned calls)
{
	int (*call)(MPI_Comm, int *) = function;

	for (unsigned i = 0; i < calls; i++)
		call(MPI_COMM_WORLD, &value);
}

static void run_send(void *function, unsigned calls)
{
	int (*call)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = function;

	for (unsigned i = 0; i < calls; i++)
		call(&value, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
}

static void run_recv(void *function, unsigned calls)
{
	int (*call)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = function;
	MPI_Status status;

	for (unsigned i = 0; i < calls; i++)
		call(&value, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status);
}

static void run_allreduce(void *function, unsigned calls)
{
	int (*call)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) = function;
	int sum;

	for (unsigned i = 0; i < calls; i++)
		call(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

#ifdef FORTRAN_FUNCTIONS
typedef void send_procedure(const void *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
			    const MPI_Fint *, const MPI_Fint *, MPI_Fint *);
send_procedure mpi_send_, pmpi_send_;

static void run_fortran_send(void *function, unsigned calls)
{
	send_procedure *call = function;
	MPI_Fint count = 1, type = MPI_Type_c2f(MPI_INT), nobody = MPI_PROC_NULL, tag = 7, error;
	MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);

	for (unsigned i = 0; i < calls; i++)
		call(&value, &count, &type, &nobody, &tag, &comm, &error);
}
#endif

static const struct wrapped list[] = {
	{"MPI_Comm_rank", run_comm_rank, (void *)MPI_Comm_rank, (void *)PMPI_Comm_rank},
	{"MPI_Send", run_send, (void *)MPI_Send, (void *)PMPI_Send},
	{"MPI_Recv", run_recv, (void *)MPI_Recv, (void *)PMPI_Recv},
	{"MPI_Allreduce", run_allreduce, (void *)MPI_Allreduce, (void *)PMPI_Allreduce},
#ifdef FORTRAN_FUNCTIONS
	{"mpi_send", run_fortran_send, (void *)mpi_send_, (void *)pmpi_send_},
#endif
};

static void run_iprobe(void *function, unsigned calls)
{
	int (*call)(int, int, MPI_Comm, int *, MPI_Status *) = function, flag;
	MPI_Status status;

	for (unsigned i = 0; i < calls; i++)
		call(0, 7, MPI_COMM_WORLD, &flag, &status);
}

static void run_test(void *function, unsigned calls)
{
	int (*call)(MPI_Request *, int *, MPI_Status *) = function, flag;
	MPI_Status status;

	for (unsigned i = 0; i < calls; i++)
		call(&waiting, &flag, &status);
}

static void run_testany(void *function, unsigned calls)
{
	int (*call)(int, MPI_Request *, int *, int *, MPI_Status *) = function, index, flag;
	MPI_Status status;

	for (unsigned i = 0; i < calls; i++)
		call(1, &waiting, &index, &flag, &status);
}

static const struct wrapped polls[] = {
	{"MPI_Iprobe", run_iprobe, (void *)MPI_Iprobe, (void *)PMPI_Iprobe},
	{"MPI_Test", run_test, (void *)MPI_Test, (void *)PMPI_Test},
	{"MPI_Testany", run_testany, (void *)MPI_Testany, (void *)PMPI_Testany},
};

/* wrappers_mpi [POLLS]: only so many polls. */
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	if (argc == 2) {
		run_iprobe((void *)MPI_Iprobe, (unsigned)strtoul(argv[1], NULL, 10));
	} else {
		wrapped_measure(list, sizeof(list) / sizeof(list[0]));
		MPI_Irecv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &waiting);
		wrapped_measure(polls, sizeof(polls) / sizeof(polls[0]));
		MPI_Cancel(&waiting);
		MPI_Wait(&waiting, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
