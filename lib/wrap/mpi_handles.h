/* SPDX-License-Identifier: MIT */
/*
 * mpi_handles.h - numbers for MPI objects: groups, datatypes, operators, windows, infos, error handlers,
 * messages. (Communicators, files and requests need more and have files of their own.)
 *
 * MPI's predefined objects have fixed numbers (mpi_predefined.h), the others are numbered as the program
 * makes them; what a number stands for is defined in the trace before a record that uses it.
 */
#ifndef RECORDER_WRAP_MPI_HANDLES_H
#define RECORDER_WRAP_MPI_HANDLES_H

#include "format/defs_mpi.h"
#include "record/call.h"
#include "wrap/mpi_library.h"
#include "wrap/mpi_predefined.h"
#include "wrap/mpi_table.h"

/* A value of these tables: the number, flags, and how many times the program holds the handle. */
#define MPI_HANDLE_DEFINED (1ull << 32)
#define MPI_HANDLE_PREDEFINED (1ull << 33)
#define MPI_HANDLE_HELD (1ull << 34)

extern struct mpi_table mpi_handle_tables[MPI_OBJECTS];

uint32_t mpi_handle_number_slow(enum mpi_object object, uintptr_t handle);

/* The number of an object that MPI knows; one that was made where we do not see it gets one now. */
static inline uint32_t mpi_handle_number(enum mpi_object object, uintptr_t handle)
{
	uint64_t value = mpi_table_find(&mpi_handle_tables[object], handle);

	if (__builtin_expect(value != MPI_TABLE_NONE && (value & MPI_HANDLE_DEFINED) != 0, 1))
		return (uint32_t)value;
	return mpi_handle_number_slow(object, handle);
}

uint32_t mpi_handle_seen_slow(struct call *call, enum mpi_object object, uintptr_t handle);

/* The same of one that the program hands to a call, before it: MPI is not asked about it unless the call succeeds. */
static inline uint32_t mpi_handle_seen(struct call *call, enum mpi_object object, uintptr_t handle)
{
	uint32_t number = mpi_table_recent(&mpi_handle_tables[object], handle);

	return __builtin_expect(number != MPI_RECENT_NONE, 1)
		       ? number
		       : mpi_handle_seen_slow(call, object, handle);
}

/* Its number alone: MPI is never asked about it, unless it is one of its own. */
uint32_t mpi_handle_plain(enum mpi_object object, uintptr_t handle);

/* The program has got this handle from a call, and will free it. Returns its number. */
uint32_t mpi_handle_made(enum mpi_object object, uintptr_t handle);
/* The same of a handle that the program may have from elsewhere, too, and will then free twice. */
uint32_t mpi_handle_shared(enum mpi_object object, uintptr_t handle);
/* The program is about to free it. Returns its number. */
uint32_t mpi_handle_ended(enum mpi_object object, uintptr_t handle);
/* An object got another name: it is defined again. (Communicators: mpi_comm_renamed().) */
void mpi_datatype_renamed(MPI_Datatype type);
void mpi_win_renamed(MPI_Win win);
/* How many types this one is made of. */
int64_t mpi_contents_count(MPI_Datatype type);
/* The program has got the types that this one is made of, and will free those that are not predefined. */
void mpi_contents_held(MPI_Datatype type, int64_t most, const MPI_Datatype types[]);

/* A window, of which this process exposes `size` bytes at `unit` bytes a displacement. */
uint32_t mpi_win_made(int result, const MPI_Win *made, enum win_flavor flavor, MPI_Comm comm,
		      MPI_Aint size, MPI_Aint unit);

/* The number of what a call pays no heed to: that of the null handle. */
uint32_t mpi_handle_unseen(enum mpi_object object);

/* Gives number 0 its name, for objects that define themselves. */
void mpi_handle_null_defined(enum mpi_object object);

/* Makes the predefined handles known, once there is an MPI to ask for them. */
void mpi_handles_load(void);

#endif
