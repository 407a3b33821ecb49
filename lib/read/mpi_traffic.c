/* SPDX-License-Identifier: MIT */
/*
 * mpi_traffic.c - bytes that a call of MPI takes from a process's buffers and puts into them.
 *
 * By the names of functions and parameters, which are those of the standard: a trace says of a function no more than these.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/mpi_traffic.h"
#include "read/symbols.h"
#include "read/trace.h"

#define NAME_ROOM 32

/* How many times what the arguments say goes this way. */
enum times {
	NEVER,
	ONCE,
	MEMBERS,      /* for each member (of the remote group, if there is one) */
	ROOT,         /* once at the root */
	ROOT_MEMBERS, /* for each member at the root */
	OTHERS,       /* once everywhere but at the root */
	LEAVES,       /* once everywhere, the root too */
	BEHIND,       /* once, but not on rank 0 */
	SOURCES,
	DESTINATIONS,
	TOLD,        /* what the status says */
	OWN,         /* this process's element of recvcounts */
	ALL_OF_THEM, /* the sum of recvcounts, or recvcount for each member */
};

/* Names without MPI_, an I for non-blocking and _c for large counts, in small letters. */
static const struct rule {
	const char *name;
	uint8_t sent, received; /* enum times */
} rules[] = {
	{"send", ONCE, NEVER},
	{"bsend", ONCE, NEVER},
	{"rsend", ONCE, NEVER},
	{"ssend", ONCE, NEVER},
	{"recv", NEVER, TOLD},
	{"mrecv", NEVER, TOLD},
	{"sendrecv", ONCE, TOLD},
	{"sendrecv_replace", ONCE, TOLD},
	{"wait", NEVER, TOLD},
	{"waitall", NEVER, TOLD},
	{"waitany", NEVER, TOLD},
	{"waitsome", NEVER, TOLD},
	{"test", NEVER, TOLD},
	{"testall", NEVER, TOLD},
	{"testany", NEVER, TOLD},
	{"testsome", NEVER, TOLD},
	{"bcast", ROOT, OTHERS},
	{"gather", LEAVES, ROOT_MEMBERS},
	{"gatherv", LEAVES, ROOT_MEMBERS},
	{"scatter", ROOT_MEMBERS, LEAVES},
	{"scatterv", ROOT_MEMBERS, LEAVES},
	{"allgather", ONCE, MEMBERS},
	{"allgatherv", ONCE, MEMBERS},
	{"alltoall", MEMBERS, MEMBERS},
	{"alltoallv", MEMBERS, MEMBERS},
	{"alltoallw", MEMBERS, MEMBERS},
	{"reduce", LEAVES, ROOT},
	{"allreduce", ONCE, ONCE},
	{"scan", ONCE, ONCE},
	{"exscan", ONCE, BEHIND},
	{"reduce_scatter", ALL_OF_THEM, OWN},
	{"reduce_scatter_block", ALL_OF_THEM, ONCE},
	{"neighbor_allgather", ONCE, SOURCES},
	{"neighbor_allgatherv", ONCE, SOURCES},
	{"neighbor_alltoall", DESTINATIONS, SOURCES},
	{"neighbor_alltoallv", DESTINATIONS, SOURCES},
	{"neighbor_alltoallw", DESTINATIONS, SOURCES},
	{"put", ONCE, NEVER},
	{"rput", ONCE, NEVER},
	{"accumulate", ONCE, NEVER},
	{"raccumulate", ONCE, NEVER},
	{"get", NEVER, ONCE},
	{"rget", NEVER, ONCE},
	{"get_accumulate", ONCE, ONCE},
	{"rget_accumulate", ONCE, ONCE},
	{"fetch_and_op", ONCE, ONCE},
	{"compare_and_swap", ONCE, ONCE},
};

enum direction { NO_TRANSFER, FROM_FILE, TO_FILE };

/* A call, and which way is counted. */
struct way {
	const struct stream *stream;
	const struct function *function;
	const struct recorder_record *record;
	const struct def_comm *comm;
	bool sent;
	bool waits; /* it only begins what another call completes */
};

static const struct recorder_arg *argument(const struct way *way, const char *name)
{
	const struct reader_function_info *info = &way->function->info;

	for (unsigned at = 0; at < info->arg_count && at < way->record->arg_count; at++)
		if (strcmp(info->args[at].name, name) == 0)
			return way->record->args[at].state == RECORDER_ARG_PRESENT
				       ? &way->record->args[at]
				       : NULL;
	return NULL;
}

static const struct recorder_arg *one_of(const struct way *way, const char *const names[])
{
	const struct recorder_arg *found = NULL;

	for (; *names && !found; names++)
		found = argument(way, *names);
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

static bool in_place(const struct way *way, const char *buffer)
{
	const struct recorder_arg *arg = argument(way, buffer);

	return arg && arg->i64 == 1;
}

/* In place, what is sent lies in the receive buffer, and the other way round. */
static bool uses_send_arguments(const struct way *way)
{
	return way->sent ? !in_place(way, "sendbuf") : in_place(way, "recvbuf");
}

static const struct recorder_arg *count_of(const struct way *way)
{
	static const char *const sent[] = {"sendcount", "sendcounts", "origin_count",
					   "recvcount", "recvcounts", "count",
					   NULL};
	static const char *const received[] = {"recvcount",    "recvcounts", "result_count",
					       "origin_count", "count",      NULL};

	return one_of(way, uses_send_arguments(way) ? sent : received);
}

static const struct recorder_arg *type_of(const struct way *way)
{
	static const char *const sent[] = {"sendtype", "sendtypes", "origin_datatype",
					   "datatype", "type",      NULL};
	static const char *const received[] = {
		"recvtype", "recvtypes", "result_datatype", "origin_datatype", "datatype",
		"type",     NULL};

	return one_of(way, uses_send_arguments(way) ? sent : received);
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
		return argument(way, "target_disp") && types ? type_size(way, types->i64) : -1;
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
	const struct recorder_arg *root = argument(way, "root");
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
	const struct recorder_arg *root = argument(way, "root");

	return root && way->comm && (way->comm->remote_size == 0 || root->i64 >= 0);
}

/* This process's part of what a reduction scatters. */
static int64_t own_part(const struct way *way)
{
	const struct recorder_arg *counts = argument(way, "recvcounts"), *type = type_of(way);

	if (!counts || !type || !way->comm || way->comm->rank < 0 ||
	    (uint32_t)way->comm->rank >= counts->count)
		return -1;
	return times(counts->elements[way->comm->rank], type_size(way, type->i64));
}

/* A root that works in place moves nothing of its own. */
static int64_t of_leaf(const struct way *way)
{
	bool reduces = argument(way, "op") != NULL;

	if (!is_leaf(way) || (!reduces && in_place(way, way->sent ? "sendbuf" : "recvbuf")))
		return 0;
	return by_counts(way, 1);
}

static int64_t bytes_of_way(const struct way *way, enum times how)
{
	switch (how) {
	case NEVER:
		return 0;
	case ONCE:
		return by_counts(way, 1);
	case MEMBERS:
		return by_counts(way, members_of(way->comm));
	case ROOT:
		return is_root(way) ? by_counts(way, 1) : 0;
	case ROOT_MEMBERS:
		return is_root(way) ? by_counts(way, members_of(way->comm)) : 0;
	case OTHERS:
		return is_leaf(way) && !is_root(way) ? by_counts(way, 1) : 0;
	case LEAVES:
		return of_leaf(way);
	case BEHIND:
		return way->comm && way->comm->rank == 0 ? 0 : by_counts(way, 1);
	case SOURCES:
		return by_counts(way, way->comm ? way->comm->indegree : -1);
	case DESTINATIONS:
		return by_counts(way, way->comm ? way->comm->outdegree : -1);
	case TOLD:
		return way->waits ? -1 : by_status(way);
	case OWN:
		return own_part(way);
	case ALL_OF_THEM:
		return by_counts(way, way->comm ? way->comm->size : -1);
	}
	return -1;
}

/* "MPI_Iallgatherv_c" as "allgatherv"; *waits: it is non-blocking. */
static void base_name(const char *name, char base[NAME_ROOM], bool *waits)
{
	size_t length = 0;

	name += strncmp(name, "MPI_", 4) == 0 ? 4 : 0;
	*waits = name[0] == 'I' && islower((unsigned char)name[1]);
	name += *waits;
	for (; *name && length < NAME_ROOM - 1; name++)
		base[length++] = (char)tolower((unsigned char)*name);
	base[length] = '\0';
	if (length > 2 && strcmp(base + length - 2, "_c") == 0)
		base[length - 2] = '\0';
}

static const struct rule *rule_of(const char *base)
{
	for (size_t at = 0; at < sizeof(rules) / sizeof(rules[0]); at++)
		if (strcmp(rules[at].name, base) == 0)
			return &rules[at];
	return NULL;
}

/* Which way a transfer of a file goes; *begun: the call only begins it, as MPI_File_iread does. */
static enum direction direction_of(const char *base, bool *begun)
{
	if (strncmp(base, "file_", 5) != 0)
		return NO_TRANSFER;
	*begun = base[5] == 'i';
	base += *begun ? 6 : 5;
	if (strncmp(base, "read", 4) == 0)
		return FROM_FILE;
	return strncmp(base, "write", 5) == 0 ? TO_FILE : NO_TRANSFER;
}

bool mpi_writes_file(const struct function *function)
{
	char base[NAME_ROOM];
	bool ignored;

	base_name(function->info.name, base, &ignored);
	return direction_of(base, &ignored) == TO_FILE;
}

/* Transfers of files: `_begin` moves nothing yet, and what is only begun is asked for, not moved. */
static int file_traffic(struct way *way, const char *base, struct reader_traffic *traffic)
{
	bool begun;
	enum direction direction = direction_of(base, &begun);
	size_t length = strlen(base);

	if (direction == NO_TRANSFER)
		return -ENOENT;
	if (length > 6 && strcmp(base + length - 6, "_begin") == 0)
		return -ENOENT;
	*traffic = (struct reader_traffic){0, 0};
	if (direction == FROM_FILE)
		traffic->received = begun ? -1 : by_status(way);
	else
		traffic->sent = begun ? by_counts(way, 1) : by_status(way);
	return 0;
}

int reader_traffic(const struct reader *trace, const struct recorder_record *record,
		   struct reader_traffic *traffic)
{
	struct way way = {.record = record};
	const struct rule *rule;
	char base[NAME_ROOM];

	if (record->stream >= trace->stream_count || record->func_id >= trace->functions.count)
		return -ENOENT;
	way.stream = trace->streams[record->stream];
	way.function = trace->functions.items[record->func_id];
	if (way.function->result_kind != KIND_mpi_error || record->ret != 0 ||
	    (record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_NORETURN)))
		return -ENOENT;
	base_name(way.function->info.name, base, &way.waits);
	rule = rule_of(base);
	way.sent = true;
	if (!rule)
		return file_traffic(&way, base, traffic);
	way.comm = idmap_get(&way.stream->defs.comms, reader_record_comm(trace, record));
	traffic->sent = bytes_of_way(&way, rule->sent);
	way.sent = false;
	traffic->received = bytes_of_way(&way, rule->received);
	return 0;
}
