/* SPDX-License-Identifier: MIT */
/*
 * mpi_library.h - the MPI of the traced program.
 *
 * librecorder.so is linked to no MPI. What the wrappers call is found by function_next(); what the recorder asks for itself (the
 * members of a communicator, the size of a datatype) are PMPI functions, which no other tool counts, found here by name in the process.
 * The same goes for Open MPI's predefined handles, which are addresses of data: MPI_COMM_WORLD must not be
 * written in code of ours, it would be an undefined symbol of the preload.
 */
#ifndef RECORDER_WRAP_MPI_LIBRARY_H
#define RECORDER_WRAP_MPI_LIBRARY_H

/* The functions removed in MPI-3.0 too: old programs call them. Open MPI otherwise hides them. */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>

#include <stdbool.h>
#include <stdint.h>

#include "wrap/mpi_entry.h"
#include "wrap/mpi_query.h"

#ifdef MPICH_VERSION
/* In no header (mpi_attributes.c). */
int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int type);
int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type);
int MPII_Type_get_attr(MPI_Datatype datatype, int keyval, void *value, int *flag, int type);
int MPII_Type_set_attr(MPI_Datatype datatype, int keyval, void *value, int type);
int MPII_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag, int type);
int MPII_Win_set_attr(MPI_Win win, int keyval, void *value, int type);
/* mpi_f08 calls PMPI_X (mpi_f08.h). */
#define F08_CALLS_PMPI 1
#endif

/* Forgotten in the header of MPICH 4.0. */
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
#define PARTITIONS_CONST
#else
#define PARTITIONS_CONST const
#endif

#define MPI_LIBRARY_FUNCTIONS(FUNCTION)                                                            \
	FUNCTION(Cancel)                                                                           \
	FUNCTION(Cartdim_get)                                                                      \
	FUNCTION(Comm_create_group)                                                                \
	FUNCTION(Comm_free)                                                                        \
	FUNCTION(Comm_get_name)                                                                    \
	FUNCTION(Comm_get_parent)                                                                  \
	FUNCTION(Comm_group)                                                                       \
	FUNCTION(Comm_rank)                                                                        \
	FUNCTION(Comm_remote_group)                                                                \
	FUNCTION(Comm_set_errhandler)                                                              \
	FUNCTION(Comm_size)                                                                        \
	FUNCTION(Comm_test_inter)                                                                  \
	FUNCTION(Dist_graph_neighbors_count)                                                       \
	FUNCTION(Error_class)                                                                      \
	FUNCTION(File_get_byte_offset)                                                             \
	FUNCTION(File_get_position)                                                                \
	FUNCTION(Finalized)                                                                        \
	FUNCTION(Get_count)                                                                        \
	FUNCTION(Get_elements_x)                                                                   \
	FUNCTION(Get_library_version)                                                              \
	FUNCTION(Graph_neighbors_count)                                                            \
	FUNCTION(Group_free)                                                                       \
	FUNCTION(Group_incl)                                                                       \
	FUNCTION(Group_size)                                                                       \
	FUNCTION(Group_translate_ranks)                                                            \
	FUNCTION(Info_get)                                                                         \
	FUNCTION(Info_get_nkeys)                                                                   \
	FUNCTION(Info_get_nthkey)                                                                  \
	FUNCTION(Initialized)                                                                      \
	FUNCTION(Irecv)                                                                            \
	FUNCTION(Isend)                                                                            \
	FUNCTION(Request_free)                                                                     \
	FUNCTION(Test)                                                                             \
	FUNCTION(Test_cancelled)                                                                   \
	FUNCTION(Topo_test)                                                                        \
	FUNCTION(Type_get_extent_x)                                                                \
	FUNCTION(Type_get_name)                                                                    \
	FUNCTION(Type_size_x)                                                                      \
	FUNCTION(Win_get_name)

/*
 * Open MPI's Fortran functions call PMPI_X: they have wrappers of their own. Where Fortran calls MPI_X, that is recorded.
 */
#ifdef OPEN_MPI
#define FORTRAN_CALLS_PMPI 1
#define MPI_LIBRARY_FORTRAN(FUNCTION)                                                              \
	FUNCTION(Comm_f2c)                                                                         \
	FUNCTION(Errhandler_f2c)                                                                   \
	FUNCTION(File_f2c)                                                                         \
	FUNCTION(Group_f2c)                                                                        \
	FUNCTION(Info_f2c)                                                                         \
	FUNCTION(Message_f2c)                                                                      \
	FUNCTION(Op_f2c)                                                                           \
	FUNCTION(Request_f2c)                                                                      \
	FUNCTION(Status_f2c)                                                                       \
	FUNCTION(Type_f2c)                                                                         \
	FUNCTION(Win_f2c)
#else
#define MPI_LIBRARY_FORTRAN(FUNCTION)
#endif

/* What is compiled under the name MPI_X is the wrapper; that name itself is its entry (mpi_entry.h). */
#define MPI_ENTRY(name) extern __typeof__(name) name __asm__("wrap_" #name);
#define MPI_ENTRY_FORTRAN(name)
#define MPI_ENTRY_SPELLINGS(name, bare, longer, capital)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "entries_gen.h"
#pragma GCC diagnostic pop
#undef MPI_ENTRY
#undef MPI_ENTRY_FORTRAN
#undef MPI_ENTRY_SPELLINGS

#if MPI_VERSION >= 4
#define MPI4_LIBRARY_FUNCTIONS(FUNCTION)                                                           \
	FUNCTION(Comm_create_from_group)                                                           \
	FUNCTION(Group_from_session_pset)                                                          \
	FUNCTION(Group_rank)                                                                       \
	FUNCTION(Type_get_envelope_c)
#else
#define MPI4_LIBRARY_FUNCTIONS(FUNCTION) FUNCTION(Type_get_envelope)
#endif

/* PMPI_X as the member X. */
struct mpi_library {
#define FUNCTION(name) __typeof__(PMPI_##name) *name;
	MPI_LIBRARY_FUNCTIONS(FUNCTION)
	MPI4_LIBRARY_FUNCTIONS(FUNCTION) MPI_LIBRARY_FORTRAN(FUNCTION)
#undef FUNCTION
};

/*
 * Whether the MPI that this function is of, which is the first that was seen of it, is another one than this layer was built for: handles and
 * statuses are other things there. Calls are passed on untouched, and none of the bookkeeping looks at what they get and give.
 */
bool mpi_is_foreign(void *function);

static inline uint8_t mpi_way_now(void)
{
	return atomic_load_explicit(&mpi_way, memory_order_acquire);
}

/* NULL while no MPI is loaded, or one that lacks any of the functions, or a foreign one. */
const struct mpi_library *mpi_library(void);

/* The address of a data symbol of the MPI library; NULL if it has none. */
void *mpi_library_data(const char *symbol);

/* The library if MPI is initialized and not finalized, or a session is open, so that it may be asked; else NULL. */
const struct mpi_library *mpi_running(void);
/* Whether it is initialized, so that there is MPI_COMM_WORLD: in a program that has only sessions there is none. */
bool mpi_world_runs(void);
/* After MPI_Init, and before MPI_Finalize. */
void mpi_running_set(bool running);
/* After MPI_Session_init, 1, and before MPI_Session_finalize, -1. */
void mpi_sessions_add(int change);

#endif
