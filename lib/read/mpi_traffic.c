/* SPDX-License-Identifier: MIT */
/*
 * mpi_traffic.c - bytes that a call of MPI takes from a process's buffers and puts into them.
 */
#include <errno.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/symbols.h"
#include "read/trace.h"

/* A call, and which way is counted. */
struct way {
	const struct stream *stream;
	const struct function *function;
	const struct recorder_record *record;
	const struct def_comm *comm;
	bool sent;
};

static const struct recorder_arg *argument(const struct way *way, enum mpi_parameter parameter)
{
	return function_arg(way->record, way->function->mpi.parameters[parameter]);
}

static const struct recorder_arg *one_of(const struct way *way, const uint8_t parameters[],
					 size_t count)
{
	const struct recorder_arg *found = NULL;

	for (size_t i = 0; i < count && !found; i++)
		found = argument(way, parameters[i]);
	return found;
}

static int64_t type_size(const struct way *way, int64_t type)
{
	const struct def_datatype *def = idmap_get(&way->stream->defs.datatypes, (uint32_t)type);

	return def ? def->size : -1;
}

static int64_t times(int64_t a, int64_t b)
{
	int64_t product;

	return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

static bool in_place(const struct way *way, enum mpi_parameter buffer)
{
	const struct recorder_arg *arg = argument(way, buffer);

	return arg && arg->i64 == 1;
}

/* In place, what is sent lies in the receive buffer, and the other way round. */
static bool uses_send_arguments(const struct way *way)
{
	return way->sent ? !in_place(way, MPI_PARAMETER_sendbuf)
			 : in_place(way, MPI_PARAMETER_recvbuf);
}

static const struct recorder_arg *count_of(const struct way *way)
{
	static const uint8_t sent[] = {MPI_PARAMETER_sendcount,    MPI_PARAMETER_sendcounts,
				       MPI_PARAMETER_origin_count, MPI_PARAMETER_recvcount,
				       MPI_PARAMETER_recvcounts,   MPI_PARAMETER_count};
	static const uint8_t received[] = {MPI_PARAMETER_recvcount, MPI_PARAMETER_recvcounts,
					   MPI_PARAMETER_result_count, MPI_PARAMETER_origin_count,
					   MPI_PARAMETER_count};

	return uses_send_arguments(way) ? one_of(way, sent, sizeof(sent))
					: one_of(way, received, sizeof(received));
}

static const struct recorder_arg *type_of(const struct way *way)
{
	static const uint8_t sent[] = {MPI_PARAMETER_sendtype, MPI_PARAMETER_sendtypes,
				       MPI_PARAMETER_origin_datatype, MPI_PARAMETER_datatype,
				       MPI_PARAMETER_type};
	static const uint8_t received[] = {
		MPI_PARAMETER_recvtype,        MPI_PARAMETER_recvtypes,
		MPI_PARAMETER_result_datatype, MPI_PARAMETER_origin_datatype,
		MPI_PARAMETER_datatype,        MPI_PARAMETER_type};

	return uses_send_arguments(way) ? one_of(way, sent, sizeof(sent))
					: one_of(way, received, sizeof(received));
}

static bool is_array(const struct recorder_arg *arg)
{
	return arg->elements != NULL;
}

static int64_t sum_of_types(const struct way *way, const struct recorder_arg *counts,
			    const struct recorder_arg *types)
{
	int64_t sum = 0;

	if (counts->count != counts->original || types->count != counts->count)
		return -1;
	for (uint32_t at = 0; at < counts->count; at++) {
		int64_t bytes = times(counts->elements[at], type_size(way, types->elements[at]));

		if (bytes < 0 || __builtin_add_overflow(sum, bytes, &sum))
			return -1;
	}
	return sum;
}

/* What the counts say; `members`: a single count stands for as many. Those of a vector are all of them. */
static int64_t by_counts(const struct way *way, int64_t members)
{
	const struct recorder_arg *counts = count_of(way), *types = type_of(way);

	if (!counts)
		return argument(way, MPI_PARAMETER_target_disp) && types
			       ? type_size(way, types->i64)
			       : -1;
	if (!types)
		return -1;
	if (!is_array(counts))
		return times(times(counts->i64, members), type_size(way, types->i64));
	if (is_array(types))
		return sum_of_types(way, counts, types);
	return times(counts->sum, type_size(way, types->i64));
}

/* Statuses of operations that received nothing do not say how much. */
static int64_t by_status(const struct way *way)
{
	int8_t index = way->function->status_arg;
	const struct recorder_arg *status;
	int64_t sum = 0;

	if (index == NO_ARG || index >= way->record->arg_count)
		return -1;
	status = &way->record->args[index];
	if (status->state != RECORDER_ARG_PRESENT)
		return 0;
	if (status->count != status->original || status->count % 4 != 0)
		return -1;
	for (uint32_t at = 0; at < status->count; at += 4) {
		int64_t bytes = status->elements[at + 2];

		if (bytes == STATUS_WORD_UNKNOWN)
			return -1;
		if (bytes > 0 && __builtin_add_overflow(sum, bytes, &sum))
			return -1;
	}
	return sum;
}

static int64_t members_of(const struct def_comm *comm)
{
	if (!comm)
		return -1;
	return comm->remote_size > 0 ? comm->remote_size : comm->size;
}

/* On intercommunicators the root says MPI_ROOT, a number that each MPI has its own. */
static bool is_root(const struct way *way)
{
	const struct recorder_arg *root = argument(way, MPI_PARAMETER_root);
	const char *name;

	if (!root || !way->comm)
		return false;
	if (way->comm->remote_size == 0)
		return root->i64 == way->comm->rank;
	name = symbol_name(symbols_of(way->stream->symbols, KIND_rank), root->i64);
	return name && strcmp(name, "MPI_ROOT") == 0;
}

/* Whether it is one of those that a root gathers from or scatters to. */
static bool is_leaf(const struct way *way)
{
	const struct recorder_arg *root = argument(way, MPI_PARAMETER_root);

	return root && way->comm && (way->comm->remote_size == 0 || root->i64 >= 0);
}

/* This process's part of what a reduction scatters. */
static int64_t own_part(const struct way *way)
{
	const struct recorder_arg *counts = argument(way, MPI_PARAMETER_recvcounts),
				  *type = type_of(way);

	if (!counts || !type || !way->comm || way->comm->rank < 0 ||
	    (uint32_t)way->comm->rank >= counts->count)
		return -1;
	return times(counts->elements[way->comm->rank], type_size(way, type->i64));
}

/* A root that works in place moves nothing of its own. */
static int64_t of_leaf(const struct way *way)
{
	bool reduces = argument(way, MPI_PARAMETER_op) != NULL;

	if (!is_leaf(way) ||
	    (!reduces && in_place(way, way->sent ? MPI_PARAMETER_sendbuf : MPI_PARAMETER_recvbuf)))
		return 0;
	return by_counts(way, 1);
}

static int64_t bytes_of_way(const struct way *way, enum mpi_times how)
{
	switch (how) {
	case TIMES_NEVER:
		return 0;
	case TIMES_ONCE:
		return by_counts(way, 1);
	case TIMES_MEMBERS:
		return by_counts(way, members_of(way->comm));
	case TIMES_ROOT:
		return is_root(way) ? by_counts(way, 1) : 0;
	case TIMES_ROOT_MEMBERS:
		return is_root(way) ? by_counts(way, members_of(way->comm)) : 0;
	case TIMES_OTHERS:
		return is_leaf(way) && !is_root(way) ? by_counts(way, 1) : 0;
	case TIMES_LEAVES:
		return of_leaf(way);
	case TIMES_BEHIND:
		return way->comm && way->comm->rank == 0 ? 0 : by_counts(way, 1);
	case TIMES_SOURCES:
		return by_counts(way, way->comm ? way->comm->indegree : -1);
	case TIMES_DESTINATIONS:
		return by_counts(way, way->comm ? way->comm->outdegree : -1);
	case TIMES_TOLD:
		return way->function->mpi.waits ? -1 : by_status(way);
	case TIMES_OWN:
		return own_part(way);
	case TIMES_ALL_OF_THEM:
		return by_counts(way, way->comm ? way->comm->size : -1);
	}
	return -1;
}

/* Transfers of files: `_begin` moves nothing yet, and what is only begun is asked for, not moved. */
static int file_traffic(struct way *way, struct reader_traffic *traffic)
{
	const struct mpi_names *names = &way->function->mpi;

	if (names->direction == MPI_NO_TRANSFER || names->first_half)
		return -ENOENT;
	*traffic = (struct reader_traffic){0, 0};
	if (names->direction == MPI_FROM_FILE)
		traffic->received = names->begins_file ? -1 : by_status(way);
	else
		traffic->sent = names->begins_file ? by_counts(way, 1) : by_status(way);
	return 0;
}

int reader_traffic(const struct reader *trace, const struct recorder_record *record,
		   struct reader_traffic *traffic)
{
	struct way way = {.record = record};
	const struct mpi_names *names;

	if (record->stream >= trace->stream_count || record->func_id >= trace->functions.count)
		return -ENOENT;
	way.stream = trace->streams[record->stream];
	way.function = trace->functions.items[record->func_id];
	names = &way.function->mpi;
	if (way.function->result_kind != KIND_mpi_error || record->ret != 0 ||
	    (record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_NORETURN)))
		return -ENOENT;
	way.sent = true;
	if (!names->moves)
		return file_traffic(&way, traffic);
	way.comm = idmap_get(&way.stream->defs.comms, reader_record_comm(trace, record));
	traffic->sent = bytes_of_way(&way, names->sent);
	way.sent = false;
	traffic->received = bytes_of_way(&way, names->received);
	return 0;
}
