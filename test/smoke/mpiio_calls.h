/* SPDX-License-Identifier: MIT */
/*
 * mpiio_calls.h - what the calls of mpiio.calls are made on, beside the objects of mpi_calls.h. Both ranks work on the same files.
 */
#ifndef RECORDER_TEST_SMOKE_MPIIO_CALLS_H
#define RECORDER_TEST_SMOKE_MPIIO_CALLS_H

#include "mpi_calls.h"

/* Files are numbered as they are opened. */
static int smoke_files;

static struct smoke_file_handle {
	MPI_File file;
	int number;
	char path[1100];
} smoke_open_file;

static inline void smoke_file_opened(MPI_File file, const char *name)
{
	char folder[1024];

	must(getcwd(folder, sizeof(folder)) != NULL, "getcwd");
	smoke_open_file.file = file;
	smoke_open_file.number = ++smoke_files;
	snprintf(smoke_open_file.path, sizeof(smoke_open_file.path), "%s/%s", folder, name);
}

static inline const char *smoke_mpi_file_text(void)
{
	static char text[SMOKE_TEXT];

	snprintf(text, sizeof(text), "%d %s", smoke_open_file.number,
		 smoke_quoted(smoke_open_file.path, strlen(smoke_open_file.path)));
	return text;
}

static MPI_File smoke_kept_file;
static int smoke_kept_number;

/* The file that most calls are on: long enough to be read anywhere. */
static inline MPI_File a_file(void)
{
	static bool made;

	if (!made) {
		MPI_File_open(MPI_COMM_WORLD, "kept", MPI_MODE_RDWR | MPI_MODE_CREATE,
			      MPI_INFO_NULL, &smoke_kept_file);
		smoke_file_opened(smoke_kept_file, "kept");
		smoke_kept_number = smoke_open_file.number;
	}
	made = true;
	PMPI_File_set_size(smoke_kept_file, 4000);
	PMPI_File_seek(smoke_kept_file, 0, MPI_SEEK_SET);
	PMPI_File_seek_shared(smoke_kept_file, 0, MPI_SEEK_SET);
	return smoke_kept_file;
}

static inline MPI_File a_patient_file(void)
{
	PMPI_File_set_errhandler(a_file(), MPI_ERRORS_RETURN);
	return smoke_kept_file;
}

static inline MPI_File *an_unused_file(void)
{
	static MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, "unused", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL,
		      &file);
	smoke_file_opened(file, "unused");
	return &file;
}

static inline char *made_by(bool me, int number)
{
	static char name[32];
	FILE *file;

	snprintf(name, sizeof(name), "closed.%d", number);
	file = me ? fopen(name, "w") : NULL;
	if (file)
		fclose(file);
	PMPI_Barrier(MPI_COMM_WORLD);
	return name;
}

/* A file that is there, for both ranks; one of each rank's own. */
static inline char *a_closed_file(void)
{
	return made_by(my_rank == 0, 2);
}

static inline char *my_closed_file(void)
{
	return made_by(true, my_rank);
}

/* ---- what a record must have ---- */

static inline const char *smoke_mpi_file_of(MPI_File file)
{
	if (file != smoke_open_file.file) {
		must(file == smoke_kept_file, "a file of the test");
		smoke_open_file.file = file;
		smoke_open_file.number = smoke_kept_number;
		strcpy(strrchr(smoke_open_file.path, '/'), "/kept");
	}
	return smoke_mpi_file_text();
}

static inline void smoke_mpi_file_value(unsigned at, const char *name, MPI_File file)
{
	smoke_arg(at, name, "%s", smoke_mpi_file_of(file));
}

static inline void smoke_mpi_file_ended(unsigned at, const char *name, const MPI_File *file)
{
	smoke_mpi_file_value(at, name, *file);
}

/* By the tested open, on a_closed_file(). */
static inline void smoke_mpi_file_made(unsigned at, const char *name, const MPI_File *file)
{
	smoke_file_opened(*file, "closed.2");
	smoke_mpi_file_value(at, name, *file);
}

static inline void smoke_end_mpi_file(MPI_File file)
{
	smoke_line(smoke_mpi_file_of(file));
}

/* As a file is seen from the begin. */
static inline void seen_as_bytes(MPI_File file)
{
	MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

/* The status of two ints that were read or written. */
static inline const char *moved(void)
{
	return "[-32766, -32766, 8, 0]";
}

/* A predefined datatype that a call gives back. */
static inline const char *shown_int(const MPI_Datatype *type)
{
	return smoke_handle_text("datatype", (uintptr_t)*type, *type == MPI_INT ? "MPI_INT" : NULL,
				 SMOKE_USE);
}

static inline int of_four_bytes(MPI_Datatype type, MPI_Aint *extent, void *state)
{
	(void)type, (void)state;
	*extent = 4;
	return MPI_SUCCESS;
}

static inline void of_file(MPI_File *file, int *error, ...)
{
	(void)file, (void)error;
}

#endif
