/* SPDX-License-Identifier: MIT */
/*
 * program_mpi.h - which MPI a command is of, told before it runs.
 */
#ifndef RECORDER_TOOLS_PROGRAM_MPI_H
#define RECORDER_TOOLS_PROGRAM_MPI_H

#include <limits.h>

/*
 * "openmpi", "mpich" or NULL: the MPI that the first program among the words of the command needs, directly or by other
 * libraries, as its dynamic linker would load them; that program's path is left in `program`. Else "" is left there,
 * and it is the MPI whose launcher is in the command or has started this process.
 */
const char *program_mpi(char *const argv[], char program[PATH_MAX]);

#endif
