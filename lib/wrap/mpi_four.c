/* SPDX-License-Identifier: MIT */
/* mpi_four.c - calls of MPI-4.0 that need more than a line of the catalogue */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"

#if MPI_VERSION >= 4

/* ---- texts of which the program says how much it has room for, if any ---- */

WRAPPER int MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len,
				     char *pset_name)
{
	__typeof__(MPI_Session_get_nth_pset) *next = function_next(SYM_MPI_Session_get_nth_pset);
	struct call call;
	int result, room;

	if (!next)
		return MPI_ERR_OTHER;
	if (!call_enter(&call, FN_MPI_Session_get_nth_pset, 5, CALL_SITE))
		return next(session, info, n, pset_len, pset_name);
	args_absent(&call, 5);
	arg_mpi_session(&call, 0, session);
	arg_mpi_info(&call, 1, info);
	arg_int(&call, 2, n);
	room = pset_len ? *pset_len : 0;
	call_start(&call);
	result = next(session, info, n, pset_len, pset_name);
	call_stop(&call);
	result_mpi_error(&call, result);
	if (result == MPI_SUCCESS) {
		arg_int_at(&call, 3, pset_len);
		if (room > 0)
			arg_string(&call, 4, pset_name);
	}
	call_leave(&call);
	return result;
}

WRAPPER int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
	__typeof__(MPI_Info_get_string) *next = function_next(SYM_MPI_Info_get_string);
	struct call call;
	int result, room;

	if (!next)
		return MPI_ERR_OTHER;
	if (!call_enter(&call, FN_MPI_Info_get_string, 5, CALL_SITE))
		return next(info, key, buflen, value, flag);
	args_absent(&call, 5);
	arg_mpi_info(&call, 0, info);
	arg_string(&call, 1, key);
	room = buflen ? *buflen : 0;
	call_start(&call);
	result = next(info, key, buflen, value, flag);
	call_stop(&call);
	result_mpi_error(&call, result);
	if (result == MPI_SUCCESS) {
		arg_int_at(&call, 2, buflen);
		arg_int_at(&call, 4, flag);
		if (*flag && room > 0)
			arg_string(&call, 3, value);
	}
	call_leave(&call);
	return result;
}

/* ---- partitions ---- */

WRAPPER int MPI_Pready_list(int length, PARTITIONS_CONST int array_of_partitions[],
			    MPI_Request request)
{
	__typeof__(MPI_Pready_list) *next = function_next(SYM_MPI_Pready_list);
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!call_enter(&call, FN_MPI_Pready_list, 3, CALL_SITE))
		return next(length, array_of_partitions, request);
	arg_int(&call, 0, length);
	arg_ints(&call, 1, array_of_partitions, length);
	arg_mpi_request(&call, 2, &request);
	call_start(&call);
	result = next(length, array_of_partitions, request);
	call_stop(&call);
	result_mpi_error(&call, result);
	call_leave(&call);
	return result;
}

#endif
