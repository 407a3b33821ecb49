/* SPDX-License-Identifier: MIT */
/* mpi_probe.c - calls whose outcome is there only if a flag says so: MPI_Iprobe, MPI_Improbe, MPI_Info_get */
#include "wrap/wrapper.h"

#include "wrap/mpi_args.h"

WRAPPER int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
	__typeof__(MPI_Iprobe) *next = function_next(SYM_MPI_Iprobe);
	MPI_Status ignored;
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!call_enter(&call, FN_MPI_Iprobe, 5, CALL_SITE))
		return next(source, tag, comm, flag, status);
	args_absent(&call);
	arg_int(&call, 0, source);
	arg_int(&call, 1, tag);
	arg_mpi_comm(&call, 2, comm);
	status = mpi_status_or(status, &ignored);
	call_start(&call);
	result = next(source, tag, comm, flag, status);
	call_stop(&call);
	result_mpi_error(&call, result);
	if (result == MPI_SUCCESS) {
		arg_int(&call, 3, *flag);
		if (*flag)
			arg_mpi_status(&call, 4, result, status);
	}
	call_leave(&call);
	return result;
}

WRAPPER int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
			MPI_Status *status)
{
	__typeof__(MPI_Improbe) *next = function_next(SYM_MPI_Improbe);
	MPI_Status ignored;
	struct call call;
	bool recorded;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	recorded = call_enter(&call, FN_MPI_Improbe, 6, CALL_SITE);
	if (recorded) {
		args_absent(&call);
		arg_int(&call, 0, source);
		arg_int(&call, 1, tag);
		arg_mpi_comm(&call, 2, comm);
		status = mpi_status_or(status, &ignored);
		call_start(&call);
	}
	result = next(source, tag, comm, flag, message, status);
	if (recorded)
		call_stop(&call);
	if (result == MPI_SUCCESS && *flag) {
		uint32_t number = mpi_message_made(result, message);

		if (recorded) {
			arg_int(&call, 3, *flag);
			arg_int(&call, 4, number);
			arg_mpi_status(&call, 5, result, status);
		}
	}
	if (recorded) {
		result_mpi_error(&call, result);
		call_leave(&call);
	}
	return result;
}

WRAPPER int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
	__typeof__(MPI_Info_get) *next = function_next(SYM_MPI_Info_get);
	struct call call;
	int result;

	if (!next)
		return MPI_ERR_OTHER;
	if (!call_enter(&call, FN_MPI_Info_get, 5, CALL_SITE))
		return next(info, key, valuelen, value, flag);
	args_absent(&call);
	arg_mpi_info(&call, 0, info);
	arg_string(&call, 1, key);
	arg_int(&call, 2, valuelen);
	call_start(&call);
	result = next(info, key, valuelen, value, flag);
	call_stop(&call);
	result_mpi_error(&call, result);
	if (result == MPI_SUCCESS) {
		arg_int(&call, 4, *flag);
		if (*flag)
			arg_string(&call, 3, value);
	}
	call_leave(&call);
	return result;
}
