/* SPDX-License-Identifier: MIT */
/* mpi_traffic.h - what the name of a function of MPI says of the way in which bytes go. */
#ifndef RECORDER_READ_MPI_TRAFFIC_H
#define RECORDER_READ_MPI_TRAFFIC_H

#include <stdbool.h>

struct function;

/* Whether it writes to a file what lies in buffers of the process, or begins to. */
bool mpi_writes_file(const struct function *function);

#endif
