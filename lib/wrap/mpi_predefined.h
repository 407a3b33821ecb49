/* SPDX-License-Identifier: MIT */
/*
 * mpi_predefined.h - the handles that MPI itself defines, and their names.
 *
 * One row a handle: PREDEFINED(object, MPI name, symbol in Open MPI). With other MPIs the
 * handle is a constant. The first row of an object is its null handle and has number 0, the others are numbered in order from 1:
 * the same numbers on all ranks.
 */
#ifndef RECORDER_WRAP_MPI_PREDEFINED_H
#define RECORDER_WRAP_MPI_PREDEFINED_H

#include <stdint.h>

enum mpi_object {
	MPI_OBJECT_COMM,
	MPI_OBJECT_GROUP,
	MPI_OBJECT_DATATYPE,
	MPI_OBJECT_OP,
	MPI_OBJECT_WIN,
	MPI_OBJECT_INFO,
	MPI_OBJECT_ERRHANDLER,
	MPI_OBJECT_SESSION,
	MPI_OBJECT_MESSAGE,
	MPI_OBJECT_FILE,
	MPI_OBJECT_REQUEST,
	MPI_OBJECTS
};

struct mpi_predefined {
	enum mpi_object object;
	const char *name;
	uintptr_t handle;
};

/* Calls visit() for each handle that this MPI has, in the order of the rows; `number` counts from 0 in each object. */
void mpi_predefined_each(void (*visit)(const struct mpi_predefined *predefined, uint32_t number));
/* The name of a predefined handle, NULL if there is no such number. */
const char *mpi_predefined_name(enum mpi_object object, uint32_t number);

#endif
