/* SPDX-License-Identifier: MIT */
/*
 * mpi_attributes.c - attributes in MPICH's Fortran, whose functions call MPII_X, which no header declares.
 *
 * ROMIO, which is part of MPICH's C library, calls the same functions for itself: those calls are passed on. What comes from the library of
 * Fortran is the program's. MPI_X of MPI-1 and MPI_Comm_x there differ in the type that they say an attribute has.
 */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"
#include "wrap/mpi_f08.h"

#ifdef MPICH_VERSION

#define TYPE_INT 3 /* an attribute is a default integer: MPI-1's */

static inline bool enter(struct call *call, unsigned function, unsigned arg_count, uintptr_t site)
{
	return mpi_f08_calls(site) && call_enter(call, function, arg_count, site);
}

/* The keys that MPI defines are one more in Fortran than in C. */
static void arg_key(struct call *call, int key)
{
	switch (key - 1) {
	case MPI_TAG_UB:
	case MPI_HOST:
	case MPI_IO:
	case MPI_WTIME_IS_GLOBAL:
	case MPI_UNIVERSE_SIZE:
	case MPI_LASTUSEDCODE:
	case MPI_APPNUM:
	case MPI_WIN_BASE:
	case MPI_WIN_SIZE:
	case MPI_WIN_DISP_UNIT:
	case MPI_WIN_CREATE_FLAVOR:
	case MPI_WIN_MODEL:
		key--;
	}
	arg_int(call, 1, key);
}

static int leave(struct call *call, int result)
{
	call_stop(call);
	result_mpi_error(call, result);
	call_leave(call);
	return result;
}

static int leave_with_flag(struct call *call, int result, const int *flag)
{
	call_stop(call);
	result_mpi_error(call, result);
	if (result == MPI_SUCCESS)
		arg_int_at(call, 2, flag);
	call_leave(call);
	return result;
}

WRAPPER int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int type)
{
	__typeof__(MPII_Comm_get_attr) *next = function_next(SYM_MPII_Comm_get_attr);
	unsigned function = type == TYPE_INT ? FN_MPI_Attr_get : FN_MPI_Comm_get_attr;
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (!enter(&call, function, 3, CALL_SITE))
		return next(comm, keyval, value, flag, type);
	arg_mpi_comm(&call, 0, comm);
	arg_key(&call, keyval);
	arg_int(&call, 2, 0);
	call_start(&call);
	return leave_with_flag(&call, next(comm, keyval, value, flag, type), flag);
}

WRAPPER int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type)
{
	__typeof__(MPII_Comm_set_attr) *next = function_next(SYM_MPII_Comm_set_attr);
	unsigned function = type == TYPE_INT ? FN_MPI_Attr_put : FN_MPI_Comm_set_attr;
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (!enter(&call, function, 2, CALL_SITE))
		return next(comm, keyval, value, type);
	arg_mpi_comm(&call, 0, comm);
	arg_key(&call, keyval);
	call_start(&call);
	return leave(&call, next(comm, keyval, value, type));
}

WRAPPER int MPII_Type_get_attr(MPI_Datatype datatype, int keyval, void *value, int *flag, int type)
{
	__typeof__(MPII_Type_get_attr) *next = function_next(SYM_MPII_Type_get_attr);
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (!enter(&call, FN_MPI_Type_get_attr, 3, CALL_SITE))
		return next(datatype, keyval, value, flag, type);
	arg_mpi_datatype(&call, 0, datatype);
	arg_key(&call, keyval);
	arg_int(&call, 2, 0);
	call_start(&call);
	return leave_with_flag(&call, next(datatype, keyval, value, flag, type), flag);
}

WRAPPER int MPII_Type_set_attr(MPI_Datatype datatype, int keyval, void *value, int type)
{
	__typeof__(MPII_Type_set_attr) *next = function_next(SYM_MPII_Type_set_attr);
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (!enter(&call, FN_MPI_Type_set_attr, 2, CALL_SITE))
		return next(datatype, keyval, value, type);
	arg_mpi_datatype(&call, 0, datatype);
	arg_key(&call, keyval);
	call_start(&call);
	return leave(&call, next(datatype, keyval, value, type));
}

WRAPPER int MPII_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag, int type)
{
	__typeof__(MPII_Win_get_attr) *next = function_next(SYM_MPII_Win_get_attr);
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (!enter(&call, FN_MPI_Win_get_attr, 3, CALL_SITE))
		return next(win, keyval, value, flag, type);
	arg_mpi_win(&call, 0, win);
	arg_key(&call, keyval);
	arg_int(&call, 2, 0);
	call_start(&call);
	return leave_with_flag(&call, next(win, keyval, value, flag, type), flag);
}

WRAPPER int MPII_Win_set_attr(MPI_Win win, int keyval, void *value, int type)
{
	__typeof__(MPII_Win_set_attr) *next = function_next(SYM_MPII_Win_set_attr);
	struct call call;

	if (!next)
		return MPI_ERR_OTHER;
	if (!enter(&call, FN_MPI_Win_set_attr, 2, CALL_SITE))
		return next(win, keyval, value, type);
	arg_mpi_win(&call, 0, win);
	arg_key(&call, keyval);
	call_start(&call);
	return leave(&call, next(win, keyval, value, type));
}
#endif
