/* SPDX-License-Identifier: MIT */
/* mpi_files.c - MPI_File handles */
#include "wrap/mpi_files.h"

#include <string.h>

#include "format/defs_mpi.h"
#include "record/arena.h"
#include "record/files.h"
#include "wrap/mpi_args.h"

#define PATH_STORED 4096u

static _Atomic uint32_t last_number;

/* Those of MPI_MODE_SEQUENTIAL, which have no position that MPI would tell. */
static struct mpi_table sequential;

static uint32_t number_new(void)
{
	return atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
}

/* Without the name of a file-system driver that MPI-IO takes in front of a path: "ufs:/scratch/f". */
static const char *without_driver(const char *path)
{
	size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789");

	return length > 1 && path[length] == ':' ? path + length + 1 : path;
}

static void define(const struct def_mpifile *def)
{
	uint8_t payload[PATH_STORED + 64];

	arena_put(DEF_MPIFILE, payload, def_mpifile_pack(payload, sizeof(payload), def));
}

uint64_t mpi_file_pair_slow(MPI_File file)
{
	struct mpi_table *table = &mpi_handle_tables[MPI_OBJECT_FILE];
	uint64_t value;

	if (!file)
		return MPI_FILE_PAIR_NULL;
	mpi_handles_load();
	value = mpi_table_find(table, (uintptr_t)file);
	if (value == MPI_TABLE_NONE) {
		/* opened where we do not see it */
		value = pair_make((int32_t)number_new(), 0);
		mpi_table_set(table, (uintptr_t)file, value);
	}
	return value;
}

uint64_t mpi_file_opened(int result, const MPI_File *made, MPI_Comm comm, const char *path,
			 int amode)
{
	struct def_mpifile def = {.amode = (uint32_t)amode};
	struct mpi_query query;
	uint64_t value;

	if (result != MPI_SUCCESS || !made || !path)
		return MPI_FILE_PAIR_NULL;
	mpi_handles_load();
	path = without_driver(path);
	mpi_query_begin(&query);
	def.id = number_new();
	def.comm = mpi_comm_number(comm);
	def.file = file_of_path(path);
	mpi_query_end(&query);
	def.path = text_of(path);
	if (def.path.length > PATH_STORED)
		def.path.length = PATH_STORED;
	define(&def);
	value = pair_make((int32_t)def.id, def.file);
	mpi_table_set(&mpi_handle_tables[MPI_OBJECT_FILE], (uintptr_t)*made, value);
	if (amode & MPI_MODE_SEQUENTIAL)
		mpi_table_set(&sequential, (uintptr_t)*made, 1);
	return value;
}

uint64_t mpi_file_closing(const MPI_File *file)
{
	uint64_t value = file ? mpi_file_pair(*file) : MPI_FILE_PAIR_NULL;

	if (value != MPI_FILE_PAIR_NULL) {
		mpi_table_remove(&mpi_handle_tables[MPI_OBJECT_FILE], (uintptr_t)*file);
		mpi_table_remove(&sequential, (uintptr_t)*file);
	}
	return value;
}

/* ---- where a transfer begins ---- */

/* Only a file that was opened in our sight is surely one. */
static bool may_be_asked(MPI_File file)
{
	uint64_t value = mpi_table_find(&mpi_handle_tables[MPI_OBJECT_FILE], (uintptr_t)file);

	return value != MPI_TABLE_NONE && value != MPI_FILE_PAIR_NULL && pair_id(value) != 0 &&
	       mpi_table_find(&sequential, (uintptr_t)file) == MPI_TABLE_NONE;
}

/* Both questions are answered by this process alone. The shared pointer is not: others move it at any time. */
void arg_position(struct call *call, unsigned index, enum position position, MPI_File file,
		  MPI_Offset offset)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_query query;
	MPI_Offset byte = -1;

	arg_int(call, index, -1);
	if (!mpi || position == POSITION_SHARED || offset < 0 || !may_be_asked(file))
		return;
	mpi_query_begin(&query);
	if (position == POSITION_EXPLICIT || mpi->File_get_position(file, &offset) == MPI_SUCCESS) {
		if (mpi->File_get_byte_offset(file, offset, &byte) == MPI_SUCCESS)
			arg_int(call, index, byte);
	}
	mpi_query_end(&query);
}
