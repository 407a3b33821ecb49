/* SPDX-License-Identifier: MIT */
/*
 * mpi_names.c - calls after which an object is defined again or known once more: MPI_Comm_set_name and its like,
 * MPI_Type_get_contents.
 */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"

WRAPPER int MPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
	__typeof__(MPI_Comm_set_name) *next = function_next(SYM_MPI_Comm_set_name);
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	recorded = call_enter(&call, FN_MPI_Comm_set_name, 2, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_mpi_comm(&call, 0, comm);
		arg_string(&call, 1, comm_name);
		call_start(&call);
	}
	result = next(comm, comm_name);
	if (recorded)
		call_stop(&call);
	if (result == MPI_SUCCESS)
		mpi_comm_renamed(comm);
	if (recorded) {
		result_mpi_error(&call, result);
		call_leave(&call);
	}
	return result;
}

WRAPPER int MPI_Type_set_name(MPI_Datatype type, const char *type_name)
{
	__typeof__(MPI_Type_set_name) *next = function_next(SYM_MPI_Type_set_name);
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	recorded = call_enter(&call, FN_MPI_Type_set_name, 2, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_mpi_datatype(&call, 0, type);
		arg_string(&call, 1, type_name);
		call_start(&call);
	}
	result = next(type, type_name);
	if (recorded)
		call_stop(&call);
	if (result == MPI_SUCCESS)
		mpi_handle_renamed(MPI_OBJECT_DATATYPE, (uintptr_t)type, type_name);
	if (recorded) {
		result_mpi_error(&call, result);
		call_leave(&call);
	}
	return result;
}

WRAPPER int MPI_Win_set_name(MPI_Win win, const char *win_name)
{
	__typeof__(MPI_Win_set_name) *next = function_next(SYM_MPI_Win_set_name);
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	recorded = call_enter(&call, FN_MPI_Win_set_name, 2, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_mpi_win(&call, 0, win);
		arg_string(&call, 1, win_name);
		call_start(&call);
	}
	result = next(win, win_name);
	if (recorded)
		call_stop(&call);
	if (result == MPI_SUCCESS)
		mpi_handle_renamed(MPI_OBJECT_WIN, (uintptr_t)win, win_name);
	if (recorded) {
		result_mpi_error(&call, result);
		call_leave(&call);
	}
	return result;
}

/* The program now holds the types that this one is made of, and will free those that are not predefined. */
static void contents_held(MPI_Datatype type, int most, const MPI_Datatype types[])
{
	int integers, addresses, count = 0, combiner;
	const struct mpi_library *mpi = mpi_running();
	struct mpi_query query;

	if (!mpi || !types)
		return;
	mpi_query_begin(&query);
	mpi->Type_get_envelope(type, &integers, &addresses, &count, &combiner);
	mpi_query_end(&query);
	for (int at = 0; at < count && at < most; at++)
		mpi_handle_shared(MPI_OBJECT_DATATYPE, (uintptr_t)types[at]);
}

WRAPPER int MPI_Type_get_contents(MPI_Datatype mtype, int max_integers, int max_addresses,
				  int max_datatypes, int array_of_integers[],
				  MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[])
{
	__typeof__(MPI_Type_get_contents) *next = function_next(SYM_MPI_Type_get_contents);
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	recorded = call_enter(&call, FN_MPI_Type_get_contents, 4, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_mpi_datatype(&call, 0, mtype);
		arg_int(&call, 1, max_integers);
		arg_int(&call, 2, max_addresses);
		arg_int(&call, 3, max_datatypes);
		call_start(&call);
	}
	result = next(mtype, max_integers, max_addresses, max_datatypes, array_of_integers,
		      array_of_addresses, array_of_datatypes);
	if (recorded)
		call_stop(&call);
	if (result == MPI_SUCCESS)
		contents_held(mtype, max_datatypes, array_of_datatypes);
	if (recorded) {
		result_mpi_error(&call, result);
		call_leave(&call);
	}
	return result;
}
