/* SPDX-License-Identifier: MIT */
/* mpi_constants.h - the values of MPI's constants in the MPI that layer mpi is built for. */
#ifndef RECORDER_WRAP_MPI_CONSTANTS_H
#define RECORDER_WRAP_MPI_CONSTANTS_H

#include "record/machine.h"

/* As machine_each_kind(), of the kinds of MPI; the reference is Open MPI's value. */
void mpi_constants_each_kind(void (*visit)(void *data, const char *kind,
					   const struct machine_symbol *symbols),
			     void *data);

#endif
