/* SPDX-License-Identifier: MIT */
/* mpi_init.h - what the recorder does when MPI begins and ends. */
#ifndef RECORDER_WRAP_MPI_INIT_H
#define RECORDER_WRAP_MPI_INIT_H

/* After MPI_Init: if it succeeded, who this process is, and the communicators that it has from the start. */
void mpi_begun(int result);
/* Before MPI_Finalize: from here on MPI must not be asked. It is not the end of the program, nor of its I/O. */
void mpi_ending(void);

#endif
