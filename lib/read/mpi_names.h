/* SPDX-License-Identifier: MIT */
/*
 * mpi_names.h - what the names of a function of MPI and of its parameters mean for bytes and requests. They are those of the standard, and a trace says no more
 * than these; they are looked at once, when the function becomes known, and not for each of its calls.
 */
#ifndef RECORDER_READ_MPI_NAMES_H
#define RECORDER_READ_MPI_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

/* How many times what the arguments say goes one way. */
enum mpi_times {
	TIMES_NEVER,
	TIMES_ONCE,
	TIMES_MEMBERS,      /* for each member (of the remote group, if there is one) */
	TIMES_ROOT,         /* once at the root */
	TIMES_ROOT_MEMBERS, /* for each member at the root */
	TIMES_OTHERS,       /* once everywhere but at the root */
	TIMES_LEAVES,       /* once everywhere, the root too */
	TIMES_BEHIND,       /* once, but not on rank 0 */
	TIMES_SOURCES,
	TIMES_DESTINATIONS,
	TIMES_TOLD,        /* what the status says */
	TIMES_OWN,         /* this process's element of recvcounts */
	TIMES_ALL_OF_THEM, /* the sum of recvcounts, or recvcount for each member */
};

enum mpi_direction { MPI_NO_TRANSFER, MPI_FROM_FILE, MPI_TO_FILE };

/* Parameters that are asked for by name. */
#define MPI_PARAMETERS(PARAMETER)                                                                  \
	PARAMETER(sendbuf)                                                                         \
	PARAMETER(recvbuf)                                                                         \
	PARAMETER(sendcount)                                                                       \
	PARAMETER(sendcounts)                                                                      \
	PARAMETER(recvcount)                                                                       \
	PARAMETER(recvcounts)                                                                      \
	PARAMETER(origin_count)                                                                    \
	PARAMETER(result_count)                                                                    \
	PARAMETER(count)                                                                           \
	PARAMETER(sendtype)                                                                        \
	PARAMETER(sendtypes)                                                                       \
	PARAMETER(recvtype)                                                                        \
	PARAMETER(recvtypes)                                                                       \
	PARAMETER(origin_datatype)                                                                 \
	PARAMETER(result_datatype)                                                                 \
	PARAMETER(datatype)                                                                        \
	PARAMETER(type)                                                                            \
	PARAMETER(target_disp)                                                                     \
	PARAMETER(root)                                                                            \
	PARAMETER(op)                                                                              \
	PARAMETER(flag)

enum mpi_parameter {
#define PARAMETER(name) MPI_PARAMETER_##name,
	MPI_PARAMETERS(PARAMETER)
#undef PARAMETER
		MPI_PARAMETER_COUNT
};

/* What a call does with the requests among its arguments. */
enum mpi_completion {
	MPI_COMPLETES_NOTHING, /* but what it gives out it has made */
	MPI_COMPLETES,
	MPI_COMPLETES_BY_FLAG, /* if there is a flag, and it is set */
	MPI_FREES,
};

struct mpi_names {
	bool moves;             /* it is one of those for which the next two are known */
	uint8_t sent, received; /* enum mpi_times */
	bool waits;             /* it only begins what another call completes */
	uint8_t direction;      /* enum mpi_direction: of a transfer of a file, */
	bool begins_file;       /* which another call completes, */
	bool first_half;        /* and of which this is a half that moves nothing yet */
	uint8_t completion;     /* enum mpi_completion */
	bool persistent;        /* completing what it makes does not end that */
	bool says_own_rank;     /* MPI_Comm_rank */
	int8_t parameters[MPI_PARAMETER_COUNT]; /* the first of such a name, or -1 */
};

void mpi_names_find(struct mpi_names *names, const struct reader_function_info *function);

#endif
