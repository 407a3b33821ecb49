/* SPDX-License-Identifier: MIT */
/*
 * mpi_files.h - numbers for MPI_File handles, and the files they stand for.
 */
#ifndef RECORDER_WRAP_MPI_FILES_H
#define RECORDER_WRAP_MPI_FILES_H

#include "format/wire.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_library.h"

uint64_t mpi_file_pair_slow(MPI_File file);

/* MPI_FILE_NULL has no number. */
#define MPI_FILE_PAIR_NULL pair_make(-1, 0)

/* Number and file id of a handle. */
static inline uint64_t mpi_file_pair(MPI_File file)
{
	uint64_t value = mpi_table_find(&mpi_handle_tables[MPI_OBJECT_FILE], (uintptr_t)file);

	return __builtin_expect(value != MPI_TABLE_NONE, 1) ? value : mpi_file_pair_slow(file);
}

/* MPI_File_open() made the handle behind `made` if it succeeded. */
uint64_t mpi_file_opened(int result, const MPI_File *made, MPI_Comm comm, const char *path,
			 int amode);
/* MPI_File_close() is about to end it. */
uint64_t mpi_file_closing(const MPI_File *file);

#endif
