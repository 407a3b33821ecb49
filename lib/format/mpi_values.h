/* SPDX-License-Identifier: MIT */
/*
 * mpi_values.h - names of the constants of MPI. Their values are those of no standard: each MPI chooses its own.
 *
 * One list a kind, one row a name: SYMBOL(name, its value in Open MPI). A reader takes the value; the layer mpi compares it with the
 * constant of the mpi.h that it was built with, and what differs is told by the trace (doc/format.md section 8, `symbols.KIND`).
 * What MPI-4.0 added is told by every trace of an MPI that has it.
 */
#ifndef RECORDER_FORMAT_MPI_VALUES_H
#define RECORDER_FORMAT_MPI_VALUES_H

#define MPI_ERROR_SYMBOLS(SYMBOL)                                                                  \
	SYMBOL(MPI_SUCCESS, 0)                                                                     \
	SYMBOL(MPI_ERR_BUFFER, 1)                                                                  \
	SYMBOL(MPI_ERR_COUNT, 2)                                                                   \
	SYMBOL(MPI_ERR_TYPE, 3)                                                                    \
	SYMBOL(MPI_ERR_TAG, 4)                                                                     \
	SYMBOL(MPI_ERR_COMM, 5)                                                                    \
	SYMBOL(MPI_ERR_RANK, 6)                                                                    \
	SYMBOL(MPI_ERR_REQUEST, 7)                                                                 \
	SYMBOL(MPI_ERR_ROOT, 8)                                                                    \
	SYMBOL(MPI_ERR_GROUP, 9)                                                                   \
	SYMBOL(MPI_ERR_OP, 10)                                                                     \
	SYMBOL(MPI_ERR_TOPOLOGY, 11)                                                               \
	SYMBOL(MPI_ERR_DIMS, 12)                                                                   \
	SYMBOL(MPI_ERR_ARG, 13)                                                                    \
	SYMBOL(MPI_ERR_UNKNOWN, 14)                                                                \
	SYMBOL(MPI_ERR_TRUNCATE, 15)                                                               \
	SYMBOL(MPI_ERR_OTHER, 16)                                                                  \
	SYMBOL(MPI_ERR_INTERN, 17)                                                                 \
	SYMBOL(MPI_ERR_IN_STATUS, 18)                                                              \
	SYMBOL(MPI_ERR_PENDING, 19)                                                                \
	SYMBOL(MPI_ERR_ACCESS, 20)                                                                 \
	SYMBOL(MPI_ERR_AMODE, 21)                                                                  \
	SYMBOL(MPI_ERR_ASSERT, 22)                                                                 \
	SYMBOL(MPI_ERR_BAD_FILE, 23)                                                               \
	SYMBOL(MPI_ERR_BASE, 24)                                                                   \
	SYMBOL(MPI_ERR_CONVERSION, 25)                                                             \
	SYMBOL(MPI_ERR_DISP, 26)                                                                   \
	SYMBOL(MPI_ERR_DUP_DATAREP, 27)                                                            \
	SYMBOL(MPI_ERR_FILE_EXISTS, 28)                                                            \
	SYMBOL(MPI_ERR_FILE_IN_USE, 29)                                                            \
	SYMBOL(MPI_ERR_FILE, 30)                                                                   \
	SYMBOL(MPI_ERR_INFO_KEY, 31)                                                               \
	SYMBOL(MPI_ERR_INFO_NOKEY, 32)                                                             \
	SYMBOL(MPI_ERR_INFO_VALUE, 33)                                                             \
	SYMBOL(MPI_ERR_INFO, 34)                                                                   \
	SYMBOL(MPI_ERR_IO, 35)                                                                     \
	SYMBOL(MPI_ERR_KEYVAL, 36)                                                                 \
	SYMBOL(MPI_ERR_LOCKTYPE, 37)                                                               \
	SYMBOL(MPI_ERR_NAME, 38)                                                                   \
	SYMBOL(MPI_ERR_NO_MEM, 39)                                                                 \
	SYMBOL(MPI_ERR_NOT_SAME, 40)                                                               \
	SYMBOL(MPI_ERR_NO_SPACE, 41)                                                               \
	SYMBOL(MPI_ERR_NO_SUCH_FILE, 42)                                                           \
	SYMBOL(MPI_ERR_PORT, 43)                                                                   \
	SYMBOL(MPI_ERR_QUOTA, 44)                                                                  \
	SYMBOL(MPI_ERR_READ_ONLY, 45)                                                              \
	SYMBOL(MPI_ERR_RMA_CONFLICT, 46)                                                           \
	SYMBOL(MPI_ERR_RMA_SYNC, 47)                                                               \
	SYMBOL(MPI_ERR_SERVICE, 48)                                                                \
	SYMBOL(MPI_ERR_SIZE, 49)                                                                   \
	SYMBOL(MPI_ERR_SPAWN, 50)                                                                  \
	SYMBOL(MPI_ERR_UNSUPPORTED_DATAREP, 51)                                                    \
	SYMBOL(MPI_ERR_UNSUPPORTED_OPERATION, 52)                                                  \
	SYMBOL(MPI_ERR_WIN, 53)                                                                    \
	SYMBOL(MPI_ERR_RMA_RANGE, 68)                                                              \
	SYMBOL(MPI_ERR_RMA_ATTACH, 69)                                                             \
	SYMBOL(MPI_ERR_RMA_FLAVOR, 70)                                                             \
	SYMBOL(MPI_ERR_RMA_SHARED, 71)

#define MPI_RANK_SYMBOLS(SYMBOL)                                                                   \
	SYMBOL(MPI_ANY_SOURCE, -1)                                                                 \
	SYMBOL(MPI_PROC_NULL, -2)                                                                  \
	SYMBOL(MPI_ROOT, -4)                                                                       \
	SYMBOL(MPI_UNDEFINED, -32766)

#define MPI_TAG_SYMBOLS(SYMBOL) SYMBOL(MPI_ANY_TAG, -1)

#define MPI_AMODE_SYMBOLS(SYMBOL)                                                                  \
	SYMBOL(MPI_MODE_CREATE, 1)                                                                 \
	SYMBOL(MPI_MODE_RDONLY, 2)                                                                 \
	SYMBOL(MPI_MODE_WRONLY, 4)                                                                 \
	SYMBOL(MPI_MODE_RDWR, 8)                                                                   \
	SYMBOL(MPI_MODE_DELETE_ON_CLOSE, 16)                                                       \
	SYMBOL(MPI_MODE_UNIQUE_OPEN, 32)                                                           \
	SYMBOL(MPI_MODE_EXCL, 64)                                                                  \
	SYMBOL(MPI_MODE_APPEND, 128)                                                               \
	SYMBOL(MPI_MODE_SEQUENTIAL, 256)

#define MPI_THREAD_LEVEL_SYMBOLS(SYMBOL)                                                           \
	SYMBOL(MPI_THREAD_SINGLE, 0)                                                               \
	SYMBOL(MPI_THREAD_FUNNELED, 1)                                                             \
	SYMBOL(MPI_THREAD_SERIALIZED, 2)                                                           \
	SYMBOL(MPI_THREAD_MULTIPLE, 3)

#define MPI_LOCK_TYPE_SYMBOLS(SYMBOL)                                                              \
	SYMBOL(MPI_LOCK_EXCLUSIVE, 1)                                                              \
	SYMBOL(MPI_LOCK_SHARED, 2)

#define MPI_WHENCE_SYMBOLS(SYMBOL)                                                                 \
	SYMBOL(MPI_SEEK_SET, 600)                                                                  \
	SYMBOL(MPI_SEEK_CUR, 602)                                                                  \
	SYMBOL(MPI_SEEK_END, 604)

#define MPI_ORDER_SYMBOLS(SYMBOL)                                                                  \
	SYMBOL(MPI_ORDER_C, 0)                                                                     \
	SYMBOL(MPI_ORDER_FORTRAN, 1)

#define MPI_ASSERT_SYMBOLS(SYMBOL)                                                                 \
	SYMBOL(MPI_MODE_NOCHECK, 1)                                                                \
	SYMBOL(MPI_MODE_NOPRECEDE, 2)                                                              \
	SYMBOL(MPI_MODE_NOPUT, 4)                                                                  \
	SYMBOL(MPI_MODE_NOSTORE, 8)                                                                \
	SYMBOL(MPI_MODE_NOSUCCEED, 16)

#define MPI_COMPARISON_SYMBOLS(SYMBOL)                                                             \
	SYMBOL(MPI_IDENT, 0)                                                                       \
	SYMBOL(MPI_CONGRUENT, 1)                                                                   \
	SYMBOL(MPI_SIMILAR, 2)                                                                     \
	SYMBOL(MPI_UNEQUAL, 3)

#define MPI_SPLIT_TYPE_SYMBOLS(SYMBOL)                                                             \
	SYMBOL(MPI_COMM_TYPE_SHARED, 0)                                                            \
	SYMBOL(MPI_UNDEFINED, -32766)

#define MPI_COMBINER_SYMBOLS(SYMBOL)                                                               \
	SYMBOL(MPI_COMBINER_NAMED, 0)                                                              \
	SYMBOL(MPI_COMBINER_DUP, 1)                                                                \
	SYMBOL(MPI_COMBINER_CONTIGUOUS, 2)                                                         \
	SYMBOL(MPI_COMBINER_VECTOR, 3)                                                             \
	SYMBOL(MPI_COMBINER_HVECTOR, 5)                                                            \
	SYMBOL(MPI_COMBINER_INDEXED, 6)                                                            \
	SYMBOL(MPI_COMBINER_HINDEXED, 8)                                                           \
	SYMBOL(MPI_COMBINER_INDEXED_BLOCK, 9)                                                      \
	SYMBOL(MPI_COMBINER_STRUCT, 11)                                                            \
	SYMBOL(MPI_COMBINER_SUBARRAY, 12)                                                          \
	SYMBOL(MPI_COMBINER_DARRAY, 13)                                                            \
	SYMBOL(MPI_COMBINER_F90_REAL, 14)                                                          \
	SYMBOL(MPI_COMBINER_F90_COMPLEX, 15)                                                       \
	SYMBOL(MPI_COMBINER_F90_INTEGER, 16)                                                       \
	SYMBOL(MPI_COMBINER_RESIZED, 17)                                                           \
	SYMBOL(MPI_COMBINER_HINDEXED_BLOCK, 18)

#define MPI_TOPOLOGY_SYMBOLS(SYMBOL)                                                               \
	SYMBOL(MPI_CART, 1)                                                                        \
	SYMBOL(MPI_GRAPH, 2)                                                                       \
	SYMBOL(MPI_DIST_GRAPH, 3)                                                                  \
	SYMBOL(MPI_UNDEFINED, -32766)

#define MPI_TYPECLASS_SYMBOLS(SYMBOL)                                                              \
	SYMBOL(MPI_TYPECLASS_INTEGER, 1)                                                           \
	SYMBOL(MPI_TYPECLASS_REAL, 2)                                                              \
	SYMBOL(MPI_TYPECLASS_COMPLEX, 3)

#define MPI_KEYVAL_SYMBOLS(SYMBOL)                                                                 \
	SYMBOL(MPI_KEYVAL_INVALID, -1)                                                             \
	SYMBOL(MPI_TAG_UB, 0)                                                                      \
	SYMBOL(MPI_HOST, 1)                                                                        \
	SYMBOL(MPI_IO, 2)                                                                          \
	SYMBOL(MPI_WTIME_IS_GLOBAL, 3)                                                             \
	SYMBOL(MPI_APPNUM, 4)                                                                      \
	SYMBOL(MPI_LASTUSEDCODE, 5)                                                                \
	SYMBOL(MPI_UNIVERSE_SIZE, 6)                                                               \
	SYMBOL(MPI_WIN_BASE, 7)                                                                    \
	SYMBOL(MPI_WIN_SIZE, 8)                                                                    \
	SYMBOL(MPI_WIN_DISP_UNIT, 9)                                                               \
	SYMBOL(MPI_WIN_CREATE_FLAVOR, 10)                                                          \
	SYMBOL(MPI_WIN_MODEL, 11)

#define MPI_UNDEFINED_SYMBOL(SYMBOL) SYMBOL(MPI_UNDEFINED, -32766)

/* What MPI-4.0 added, NAME(name). */
#define MPI4_ERROR_NAMES(NAME)                                                                     \
	NAME(MPI_ERR_PROC_ABORTED)                                                                 \
	NAME(MPI_ERR_SESSION)                                                                      \
	NAME(MPI_ERR_VALUE_TOO_LARGE)

#define MPI4_SPLIT_TYPE_NAMES(NAME)                                                                \
	NAME(MPI_COMM_TYPE_HW_GUIDED)                                                              \
	NAME(MPI_COMM_TYPE_HW_UNGUIDED)

#define MPI4_NOTHING(NAME)

/* Each list, with the word of its kind and what MPI-4.0 added to it. */
#define MPI_VALUES(KIND)                                                                           \
	KIND(mpi_error, MPI_ERROR_SYMBOLS, MPI4_ERROR_NAMES)                                       \
	KIND(rank, MPI_RANK_SYMBOLS, MPI4_NOTHING)                                                 \
	KIND(tag, MPI_TAG_SYMBOLS, MPI4_NOTHING)                                                   \
	KIND(amode, MPI_AMODE_SYMBOLS, MPI4_NOTHING)                                               \
	KIND(thread_level, MPI_THREAD_LEVEL_SYMBOLS, MPI4_NOTHING)                                 \
	KIND(lock_type, MPI_LOCK_TYPE_SYMBOLS, MPI4_NOTHING)                                       \
	KIND(mpi_whence, MPI_WHENCE_SYMBOLS, MPI4_NOTHING)                                         \
	KIND(mpi_order, MPI_ORDER_SYMBOLS, MPI4_NOTHING)                                           \
	KIND(mpi_assert, MPI_ASSERT_SYMBOLS, MPI4_NOTHING)                                         \
	KIND(mpi_comparison, MPI_COMPARISON_SYMBOLS, MPI4_NOTHING)                                 \
	KIND(mpi_split_type, MPI_SPLIT_TYPE_SYMBOLS, MPI4_SPLIT_TYPE_NAMES)                        \
	KIND(mpi_combiner, MPI_COMBINER_SYMBOLS, MPI4_NOTHING)                                     \
	KIND(mpi_topology, MPI_TOPOLOGY_SYMBOLS, MPI4_NOTHING)                                     \
	KIND(mpi_typeclass, MPI_TYPECLASS_SYMBOLS, MPI4_NOTHING)                                   \
	KIND(keyval, MPI_KEYVAL_SYMBOLS, MPI4_NOTHING)                                             \
	KIND(color, MPI_UNDEFINED_SYMBOL, MPI4_NOTHING)                                            \
	KIND(index, MPI_UNDEFINED_SYMBOL, MPI4_NOTHING)                                            \
	KIND(mpi_count, MPI_UNDEFINED_SYMBOL, MPI4_NOTHING)

#endif
