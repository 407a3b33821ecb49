/* SPDX-License-Identifier: MIT */
/* mpi_predefined.c - the table of MPI's own handles */
#include "wrap/mpi_predefined.h"

#include <stddef.h>

#include "wrap/mpi_library.h"

#define STANDARD_HANDLES(PREDEFINED)                                                               \
	PREDEFINED(COMM, MPI_COMM_NULL, "ompi_mpi_comm_null")                                      \
	PREDEFINED(COMM, MPI_COMM_WORLD, "ompi_mpi_comm_world")                                    \
	PREDEFINED(COMM, MPI_COMM_SELF, "ompi_mpi_comm_self")                                      \
	PREDEFINED(GROUP, MPI_GROUP_NULL, "ompi_mpi_group_null")                                   \
	PREDEFINED(GROUP, MPI_GROUP_EMPTY, "ompi_mpi_group_empty")                                 \
	PREDEFINED(DATATYPE, MPI_DATATYPE_NULL, "ompi_mpi_datatype_null")                          \
	PREDEFINED(DATATYPE, MPI_BYTE, "ompi_mpi_byte")                                            \
	PREDEFINED(DATATYPE, MPI_PACKED, "ompi_mpi_packed")                                        \
	PREDEFINED(DATATYPE, MPI_CHAR, "ompi_mpi_char")                                            \
	PREDEFINED(DATATYPE, MPI_SHORT, "ompi_mpi_short")                                          \
	PREDEFINED(DATATYPE, MPI_INT, "ompi_mpi_int")                                              \
	PREDEFINED(DATATYPE, MPI_LONG, "ompi_mpi_long")                                            \
	PREDEFINED(DATATYPE, MPI_FLOAT, "ompi_mpi_float")                                          \
	PREDEFINED(DATATYPE, MPI_DOUBLE, "ompi_mpi_double")                                        \
	PREDEFINED(DATATYPE, MPI_LONG_DOUBLE, "ompi_mpi_long_double")                              \
	PREDEFINED(DATATYPE, MPI_UNSIGNED_CHAR, "ompi_mpi_unsigned_char")                          \
	PREDEFINED(DATATYPE, MPI_SIGNED_CHAR, "ompi_mpi_signed_char")                              \
	PREDEFINED(DATATYPE, MPI_UNSIGNED_SHORT, "ompi_mpi_unsigned_short")                        \
	PREDEFINED(DATATYPE, MPI_UNSIGNED_LONG, "ompi_mpi_unsigned_long")                          \
	PREDEFINED(DATATYPE, MPI_UNSIGNED, "ompi_mpi_unsigned")                                    \
	PREDEFINED(DATATYPE, MPI_FLOAT_INT, "ompi_mpi_float_int")                                  \
	PREDEFINED(DATATYPE, MPI_DOUBLE_INT, "ompi_mpi_double_int")                                \
	PREDEFINED(DATATYPE, MPI_LONG_DOUBLE_INT, "ompi_mpi_longdbl_int")                          \
	PREDEFINED(DATATYPE, MPI_LONG_INT, "ompi_mpi_long_int")                                    \
	PREDEFINED(DATATYPE, MPI_SHORT_INT, "ompi_mpi_short_int")                                  \
	PREDEFINED(DATATYPE, MPI_2INT, "ompi_mpi_2int")                                            \
	PREDEFINED(DATATYPE, MPI_WCHAR, "ompi_mpi_wchar")                                          \
	PREDEFINED(DATATYPE, MPI_LONG_LONG_INT, "ompi_mpi_long_long_int")                          \
	PREDEFINED(DATATYPE, MPI_UNSIGNED_LONG_LONG, "ompi_mpi_unsigned_long_long")                \
	PREDEFINED(DATATYPE, MPI_CHARACTER, "ompi_mpi_character")                                  \
	PREDEFINED(DATATYPE, MPI_LOGICAL, "ompi_mpi_logical")                                      \
	PREDEFINED(DATATYPE, MPI_INTEGER, "ompi_mpi_integer")                                      \
	PREDEFINED(DATATYPE, MPI_INTEGER1, "ompi_mpi_integer1")                                    \
	PREDEFINED(DATATYPE, MPI_INTEGER2, "ompi_mpi_integer2")                                    \
	PREDEFINED(DATATYPE, MPI_INTEGER4, "ompi_mpi_integer4")                                    \
	PREDEFINED(DATATYPE, MPI_INTEGER8, "ompi_mpi_integer8")                                    \
	PREDEFINED(DATATYPE, MPI_REAL, "ompi_mpi_real")                                            \
	PREDEFINED(DATATYPE, MPI_REAL4, "ompi_mpi_real4")                                          \
	PREDEFINED(DATATYPE, MPI_REAL8, "ompi_mpi_real8")                                          \
	PREDEFINED(DATATYPE, MPI_DOUBLE_PRECISION, "ompi_mpi_dblprec")                             \
	PREDEFINED(DATATYPE, MPI_COMPLEX, "ompi_mpi_cplex")                                        \
	PREDEFINED(DATATYPE, MPI_COMPLEX8, "ompi_mpi_complex8")                                    \
	PREDEFINED(DATATYPE, MPI_COMPLEX16, "ompi_mpi_complex16")                                  \
	PREDEFINED(DATATYPE, MPI_DOUBLE_COMPLEX, "ompi_mpi_dblcplex")                              \
	PREDEFINED(DATATYPE, MPI_2REAL, "ompi_mpi_2real")                                          \
	PREDEFINED(DATATYPE, MPI_2DOUBLE_PRECISION, "ompi_mpi_2dblprec")                           \
	PREDEFINED(DATATYPE, MPI_2INTEGER, "ompi_mpi_2integer")                                    \
	PREDEFINED(DATATYPE, MPI_INT8_T, "ompi_mpi_int8_t")                                        \
	PREDEFINED(DATATYPE, MPI_UINT8_T, "ompi_mpi_uint8_t")                                      \
	PREDEFINED(DATATYPE, MPI_INT16_T, "ompi_mpi_int16_t")                                      \
	PREDEFINED(DATATYPE, MPI_UINT16_T, "ompi_mpi_uint16_t")                                    \
	PREDEFINED(DATATYPE, MPI_INT32_T, "ompi_mpi_int32_t")                                      \
	PREDEFINED(DATATYPE, MPI_UINT32_T, "ompi_mpi_uint32_t")                                    \
	PREDEFINED(DATATYPE, MPI_INT64_T, "ompi_mpi_int64_t")                                      \
	PREDEFINED(DATATYPE, MPI_UINT64_T, "ompi_mpi_uint64_t")                                    \
	PREDEFINED(DATATYPE, MPI_AINT, "ompi_mpi_aint")                                            \
	PREDEFINED(DATATYPE, MPI_OFFSET, "ompi_mpi_offset")                                        \
	PREDEFINED(DATATYPE, MPI_C_BOOL, "ompi_mpi_c_bool")                                        \
	PREDEFINED(DATATYPE, MPI_C_COMPLEX, "ompi_mpi_c_float_complex")                            \
	PREDEFINED(DATATYPE, MPI_C_DOUBLE_COMPLEX, "ompi_mpi_c_double_complex")                    \
	PREDEFINED(DATATYPE, MPI_C_LONG_DOUBLE_COMPLEX, "ompi_mpi_c_long_double_complex")          \
	PREDEFINED(DATATYPE, MPI_CXX_BOOL, "ompi_mpi_cxx_bool")                                    \
	PREDEFINED(DATATYPE, MPI_CXX_FLOAT_COMPLEX, "ompi_mpi_cxx_cplex")                          \
	PREDEFINED(DATATYPE, MPI_CXX_DOUBLE_COMPLEX, "ompi_mpi_cxx_dblcplex")                      \
	PREDEFINED(DATATYPE, MPI_CXX_LONG_DOUBLE_COMPLEX, "ompi_mpi_cxx_ldblcplex")                \
	PREDEFINED(DATATYPE, MPI_COUNT, "ompi_mpi_count")                                          \
	PREDEFINED(OP, MPI_OP_NULL, "ompi_mpi_op_null")                                            \
	PREDEFINED(OP, MPI_MAX, "ompi_mpi_op_max")                                                 \
	PREDEFINED(OP, MPI_MIN, "ompi_mpi_op_min")                                                 \
	PREDEFINED(OP, MPI_SUM, "ompi_mpi_op_sum")                                                 \
	PREDEFINED(OP, MPI_PROD, "ompi_mpi_op_prod")                                               \
	PREDEFINED(OP, MPI_LAND, "ompi_mpi_op_land")                                               \
	PREDEFINED(OP, MPI_BAND, "ompi_mpi_op_band")                                               \
	PREDEFINED(OP, MPI_LOR, "ompi_mpi_op_lor")                                                 \
	PREDEFINED(OP, MPI_BOR, "ompi_mpi_op_bor")                                                 \
	PREDEFINED(OP, MPI_LXOR, "ompi_mpi_op_lxor")                                               \
	PREDEFINED(OP, MPI_BXOR, "ompi_mpi_op_bxor")                                               \
	PREDEFINED(OP, MPI_MAXLOC, "ompi_mpi_op_maxloc")                                           \
	PREDEFINED(OP, MPI_MINLOC, "ompi_mpi_op_minloc")                                           \
	PREDEFINED(OP, MPI_REPLACE, "ompi_mpi_op_replace")                                         \
	PREDEFINED(OP, MPI_NO_OP, "ompi_mpi_op_no_op")                                             \
	PREDEFINED(WIN, MPI_WIN_NULL, "ompi_mpi_win_null")                                         \
	PREDEFINED(INFO, MPI_INFO_NULL, "ompi_mpi_info_null")                                      \
	PREDEFINED(INFO, MPI_INFO_ENV, "ompi_mpi_info_env")                                        \
	PREDEFINED(ERRHANDLER, MPI_ERRHANDLER_NULL, "ompi_mpi_errhandler_null")                    \
	PREDEFINED(ERRHANDLER, MPI_ERRORS_ARE_FATAL, "ompi_mpi_errors_are_fatal")                  \
	PREDEFINED(ERRHANDLER, MPI_ERRORS_RETURN, "ompi_mpi_errors_return")                        \
	PREDEFINED(MESSAGE, MPI_MESSAGE_NULL, "ompi_message_null")                                 \
	PREDEFINED(MESSAGE, MPI_MESSAGE_NO_PROC, "ompi_message_no_proc")                           \
	PREDEFINED(FILE, MPI_FILE_NULL, "ompi_mpi_file_null")                                      \
	PREDEFINED(REQUEST, MPI_REQUEST_NULL, "ompi_request_null")

#if MPI_VERSION >= 4
#define MPI4_HANDLES(PREDEFINED) PREDEFINED(SESSION, MPI_SESSION_NULL, "ompi_mpi_instance_null")
#else
#define MPI4_HANDLES(PREDEFINED)
#endif

/* Handles of Open MPI alone: optional Fortran types, and what MPI-3.0 removed. */
#ifdef OPEN_MPI
#define OTHER_HANDLES(PREDEFINED)                                                                  \
	PREDEFINED(DATATYPE, MPI_UB, "ompi_mpi_ub")                                                \
	PREDEFINED(DATATYPE, MPI_LB, "ompi_mpi_lb")                                                \
	PREDEFINED(DATATYPE, MPI_2COMPLEX, "ompi_mpi_2cplex")                                      \
	PREDEFINED(DATATYPE, MPI_2DOUBLE_COMPLEX, "ompi_mpi_2dblcplex")                            \
	PREDEFINED(DATATYPE, MPI_LOGICAL1, "ompi_mpi_logical1")                                    \
	PREDEFINED(DATATYPE, MPI_LOGICAL2, "ompi_mpi_logical2")                                    \
	PREDEFINED(DATATYPE, MPI_LOGICAL4, "ompi_mpi_logical4")                                    \
	PREDEFINED(DATATYPE, MPI_LOGICAL8, "ompi_mpi_logical8")                                    \
	PREDEFINED(DATATYPE, MPI_INTEGER16, "ompi_mpi_integer16")                                  \
	PREDEFINED(DATATYPE, MPI_REAL16, "ompi_mpi_real16")                                        \
	PREDEFINED(DATATYPE, MPI_COMPLEX32, "ompi_mpi_complex32")
#define HANDLE(handle, symbol) symbol, 0
#else
#define OTHER_HANDLES(PREDEFINED)
#define HANDLE(handle, symbol) "", (uintptr_t)(handle)
#endif

#define NAME_SIZE 36u

/* With names, not addresses of names: those would be changed at the load of each process. */
static const struct row {
	uint8_t object; /* enum mpi_object */
	char name[NAME_SIZE];
	char symbol[NAME_SIZE]; /* the data that the handle is the address of */
	uintptr_t handle;       /* 0: to be looked up */
} rows[] = {
#define PREDEFINED(object, name, symbol) {MPI_OBJECT_##object, #name, HANDLE(name, symbol)},
	STANDARD_HANDLES(PREDEFINED) MPI4_HANDLES(PREDEFINED) OTHER_HANDLES(PREDEFINED)
#undef PREDEFINED
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

void mpi_predefined_each(void (*visit)(const struct mpi_predefined *predefined, uint32_t number))
{
	uint32_t numbers[MPI_OBJECTS] = {0};

	for (size_t at = 0; at < ROWS; at++) {
		struct mpi_predefined predefined = {rows[at].object, rows[at].name,
						    rows[at].handle};
		uint32_t number = numbers[rows[at].object]++;

		if (*rows[at].symbol)
			predefined.handle = (uintptr_t)mpi_library_data(rows[at].symbol);
		if (predefined.handle)
			visit(&predefined, number);
	}
}

const char *mpi_predefined_name(enum mpi_object object, uint32_t number)
{
	for (size_t at = 0; at < ROWS; at++) {
		if (rows[at].object == object && number-- == 0)
			return rows[at].name;
	}
	return NULL;
}
