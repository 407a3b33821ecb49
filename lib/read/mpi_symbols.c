/* SPDX-License-Identifier: MIT */
/* mpi_symbols.c - names of Open MPI; see symbol_tables.h */
#include "read/symbol_tables.h"

#include <stddef.h>

#define END                                                                                        \
	{                                                                                          \
		0, NULL                                                                            \
	}

static const struct symbol mpi_errors[] = {
	{0, "MPI_SUCCESS"},
	{1, "MPI_ERR_BUFFER"},
	{2, "MPI_ERR_COUNT"},
	{3, "MPI_ERR_TYPE"},
	{4, "MPI_ERR_TAG"},
	{5, "MPI_ERR_COMM"},
	{6, "MPI_ERR_RANK"},
	{7, "MPI_ERR_REQUEST"},
	{8, "MPI_ERR_ROOT"},
	{9, "MPI_ERR_GROUP"},
	{10, "MPI_ERR_OP"},
	{11, "MPI_ERR_TOPOLOGY"},
	{12, "MPI_ERR_DIMS"},
	{13, "MPI_ERR_ARG"},
	{14, "MPI_ERR_UNKNOWN"},
	{15, "MPI_ERR_TRUNCATE"},
	{16, "MPI_ERR_OTHER"},
	{17, "MPI_ERR_INTERN"},
	{18, "MPI_ERR_IN_STATUS"},
	{19, "MPI_ERR_PENDING"},
	{20, "MPI_ERR_ACCESS"},
	{21, "MPI_ERR_AMODE"},
	{22, "MPI_ERR_ASSERT"},
	{23, "MPI_ERR_BAD_FILE"},
	{24, "MPI_ERR_BASE"},
	{25, "MPI_ERR_CONVERSION"},
	{26, "MPI_ERR_DISP"},
	{27, "MPI_ERR_DUP_DATAREP"},
	{28, "MPI_ERR_FILE_EXISTS"},
	{29, "MPI_ERR_FILE_IN_USE"},
	{30, "MPI_ERR_FILE"},
	{31, "MPI_ERR_INFO_KEY"},
	{32, "MPI_ERR_INFO_NOKEY"},
	{33, "MPI_ERR_INFO_VALUE"},
	{34, "MPI_ERR_INFO"},
	{35, "MPI_ERR_IO"},
	{36, "MPI_ERR_KEYVAL"},
	{37, "MPI_ERR_LOCKTYPE"},
	{38, "MPI_ERR_NAME"},
	{39, "MPI_ERR_NO_MEM"},
	{40, "MPI_ERR_NOT_SAME"},
	{41, "MPI_ERR_NO_SPACE"},
	{42, "MPI_ERR_NO_SUCH_FILE"},
	{43, "MPI_ERR_PORT"},
	{44, "MPI_ERR_QUOTA"},
	{45, "MPI_ERR_READ_ONLY"},
	{46, "MPI_ERR_RMA_CONFLICT"},
	{47, "MPI_ERR_RMA_SYNC"},
	{48, "MPI_ERR_SERVICE"},
	{49, "MPI_ERR_SIZE"},
	{50, "MPI_ERR_SPAWN"},
	{51, "MPI_ERR_UNSUPPORTED_DATAREP"},
	{52, "MPI_ERR_UNSUPPORTED_OPERATION"},
	{53, "MPI_ERR_WIN"},
	{68, "MPI_ERR_RMA_RANGE"},
	{69, "MPI_ERR_RMA_ATTACH"},
	{70, "MPI_ERR_RMA_FLAVOR"},
	{71, "MPI_ERR_RMA_SHARED"},
	END,
};

static const struct symbol mpi_ranks[] = {
	{-1, "MPI_ANY_SOURCE"},
	{-2, "MPI_PROC_NULL"},
	{-4, "MPI_ROOT"},
	{-32766, "MPI_UNDEFINED"},
	END,
};

static const struct symbol mpi_tags[] = {
	{-1, "MPI_ANY_TAG"},
	END,
};

static const struct symbol mpi_amodes[] = {
	{1, "MPI_MODE_CREATE"},
	{2, "MPI_MODE_RDONLY"},
	{4, "MPI_MODE_WRONLY"},
	{8, "MPI_MODE_RDWR"},
	{16, "MPI_MODE_DELETE_ON_CLOSE"},
	{32, "MPI_MODE_UNIQUE_OPEN"},
	{64, "MPI_MODE_EXCL"},
	{128, "MPI_MODE_APPEND"},
	{256, "MPI_MODE_SEQUENTIAL"},
	END,
};

static const struct symbol mpi_thread_levels[] = {
	{0, "MPI_THREAD_SINGLE"},
	{1, "MPI_THREAD_FUNNELED"},
	{2, "MPI_THREAD_SERIALIZED"},
	{3, "MPI_THREAD_MULTIPLE"},
	END,
};

static const struct symbol mpi_lock_types[] = {
	{1, "MPI_LOCK_EXCLUSIVE"},
	{2, "MPI_LOCK_SHARED"},
	END,
};

static const struct symbol mpi_whences[] = {
	{600, "MPI_SEEK_SET"},
	{602, "MPI_SEEK_CUR"},
	{604, "MPI_SEEK_END"},
	END,
};

static const struct symbol mpi_orders[] = {
	{0, "MPI_ORDER_C"},
	{1, "MPI_ORDER_FORTRAN"},
	END,
};

static const struct symbol mpi_asserts[] = {
	{1, "MPI_MODE_NOCHECK"}, {2, "MPI_MODE_NOPRECEDE"},  {4, "MPI_MODE_NOPUT"},
	{8, "MPI_MODE_NOSTORE"}, {16, "MPI_MODE_NOSUCCEED"}, END,
};

static const struct symbol mpi_comparisons[] = {
	{0, "MPI_IDENT"}, {1, "MPI_CONGRUENT"}, {2, "MPI_SIMILAR"}, {3, "MPI_UNEQUAL"}, END,
};

static const struct symbol mpi_split_types[] = {
	{0, "MPI_COMM_TYPE_SHARED"},
	{-32766, "MPI_UNDEFINED"},
	END,
};

static const struct symbol mpi_combiners[] = {
	{0, "MPI_COMBINER_NAMED"},
	{1, "MPI_COMBINER_DUP"},
	{2, "MPI_COMBINER_CONTIGUOUS"},
	{3, "MPI_COMBINER_VECTOR"},
	{5, "MPI_COMBINER_HVECTOR"},
	{6, "MPI_COMBINER_INDEXED"},
	{8, "MPI_COMBINER_HINDEXED"},
	{9, "MPI_COMBINER_INDEXED_BLOCK"},
	{11, "MPI_COMBINER_STRUCT"},
	{12, "MPI_COMBINER_SUBARRAY"},
	{13, "MPI_COMBINER_DARRAY"},
	{14, "MPI_COMBINER_F90_REAL"},
	{15, "MPI_COMBINER_F90_COMPLEX"},
	{16, "MPI_COMBINER_F90_INTEGER"},
	{17, "MPI_COMBINER_RESIZED"},
	{18, "MPI_COMBINER_HINDEXED_BLOCK"},
	END,
};

static const struct symbol mpi_topologies[] = {
	{1, "MPI_CART"}, {2, "MPI_GRAPH"}, {3, "MPI_DIST_GRAPH"}, {-32766, "MPI_UNDEFINED"}, END,
};

static const struct symbol mpi_typeclasses[] = {
	{1, "MPI_TYPECLASS_INTEGER"},
	{2, "MPI_TYPECLASS_REAL"},
	{3, "MPI_TYPECLASS_COMPLEX"},
	END,
};

static const struct symbol mpi_keyvals[] = {
	{-1, "MPI_KEYVAL_INVALID"},
	{0, "MPI_TAG_UB"},
	{1, "MPI_HOST"},
	{2, "MPI_IO"},
	{3, "MPI_WTIME_IS_GLOBAL"},
	{4, "MPI_APPNUM"},
	{5, "MPI_LASTUSEDCODE"},
	{6, "MPI_UNIVERSE_SIZE"},
	{7, "MPI_WIN_BASE"},
	{8, "MPI_WIN_SIZE"},
	{9, "MPI_WIN_DISP_UNIT"},
	{10, "MPI_WIN_CREATE_FLAVOR"},
	{11, "MPI_WIN_MODEL"},
	END,
};

static const struct symbol mpi_buffers[] = {
	{0, "buffer"},
	{1, "MPI_IN_PLACE"},
	END,
};

/* Of what MPI counts and numbers, where there is none. */
static const struct symbol mpi_undefined[] = {
	{-32766, "MPI_UNDEFINED"},
	END,
};

static const struct symbol *const tables[KIND_COUNT] = {
	[KIND_mpi_error] = mpi_errors,
	[KIND_rank] = mpi_ranks,
	[KIND_tag] = mpi_tags,
	[KIND_amode] = mpi_amodes,
	[KIND_thread_level] = mpi_thread_levels,
	[KIND_lock_type] = mpi_lock_types,
	[KIND_mpi_whence] = mpi_whences,
	[KIND_mpi_order] = mpi_orders,
	[KIND_mpi_assert] = mpi_asserts,
	[KIND_mpi_comparison] = mpi_comparisons,
	[KIND_mpi_split_type] = mpi_split_types,
	[KIND_mpi_combiner] = mpi_combiners,
	[KIND_mpi_topology] = mpi_topologies,
	[KIND_mpi_typeclass] = mpi_typeclasses,
	[KIND_keyval] = mpi_keyvals,
	[KIND_in_place] = mpi_buffers,
	[KIND_color] = mpi_undefined,
	[KIND_index] = mpi_undefined,
	[KIND_mpi_count] = mpi_undefined,
};

const struct symbol *mpi_symbols(enum kind kind)
{
	return tables[kind];
}
