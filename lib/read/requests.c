/* SPDX-License-Identifier: MIT */
/*
 * requests.c - requests of MPI, from the call that makes them to the one that completes them.
 *
 * Numbers count from 1 in each process and never come again; those outstanding are in a hash table.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/trace.h"

#define FIRST_BUCKETS 256u

/* Messages (MPI_Mprobe) are kept among the requests, by numbers that no request has. */
#define NUMBER_OF_MESSAGE(message) (INT64_MIN + (message))

struct entry {
	int64_t number;
	struct reader_request request;
	uint32_t stream;
	bool stays;         /* persistent: completing it does not end it */
	bool done, ends;    /* completed by the record taken last; with it the request is gone */
	struct entry *next; /* in its bucket, or in the list of unused ones */
};

struct reader_requests {
	const struct reader *trace;
	struct entry **buckets;
	uint32_t bucket_count, count;
	struct entry *unused;
	struct entry **done;
	size_t done_count, done_capacity;
};

static uint32_t bucket_of(uint32_t bucket_count, uint32_t stream, int64_t number)
{
	/* streams number their requests alike: each has its own places for them */
	uint64_t mixed = ((uint64_t)number ^ stream * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u;

	return (uint32_t)(mixed >> 32) & (bucket_count - 1);
}

struct reader_requests *reader_requests_new(const struct reader *trace)
{
	struct reader_requests *requests = calloc(1, sizeof(*requests));

	if (!requests)
		return NULL;
	requests->trace = trace;
	requests->bucket_count = FIRST_BUCKETS;
	requests->buckets = calloc(FIRST_BUCKETS, sizeof(struct entry *));
	if (requests->buckets)
		return requests;
	free(requests);
	return NULL;
}

static void free_list(struct entry *list)
{
	while (list) {
		struct entry *entry = list;

		list = entry->next;
		free(entry);
	}
}

void reader_requests_free(struct reader_requests *requests)
{
	if (!requests)
		return;
	for (uint32_t at = 0; at < requests->bucket_count; at++)
		free_list(requests->buckets[at]);
	free_list(requests->unused);
	free(requests->buckets);
	free(requests->done);
	free(requests);
}

static struct entry *find(const struct reader_requests *requests, uint32_t stream, int64_t number)
{
	struct entry *entry = requests->buckets[bucket_of(requests->bucket_count, stream, number)];

	while (entry && (entry->number != number || entry->stream != stream))
		entry = entry->next;
	return entry;
}

static int grow(struct reader_requests *requests)
{
	uint32_t count = requests->bucket_count * 2;
	struct entry **buckets = calloc(count, sizeof(struct entry *));

	if (!buckets)
		return -ENOMEM;
	for (uint32_t at = 0; at < requests->bucket_count; at++)
		while (requests->buckets[at]) {
			struct entry *entry = requests->buckets[at];
			uint32_t to = bucket_of(count, entry->stream, entry->number);

			requests->buckets[at] = entry->next;
			entry->next = buckets[to];
			buckets[to] = entry;
		}
	free(requests->buckets);
	requests->buckets = buckets;
	requests->bucket_count = count;
	return 0;
}

/* Ranks are of this communicator: the call's own, or for a receive by message that of the probe. */
static uint32_t comm_of(const struct reader_requests *requests,
			const struct recorder_record *record)
{
	const struct function *function = requests->trace->functions.items[record->func_id];
	const struct entry *message = NULL;
	uint64_t taken = function->messages_taken;

	for (unsigned at = 0; taken && at < record->arg_count && !message; at++, taken >>= 1)
		if ((taken & 1) && record->args[at].i64 > 0)
			message = find(requests, record->stream,
				       NUMBER_OF_MESSAGE(record->args[at].i64));
	return message ? message->request.comm : reader_record_comm(requests->trace, record);
}

/* An entry that was used before, or a new one; NULL: no memory. */
static struct entry *take_unused(struct reader_requests *requests)
{
	struct entry *entry = requests->unused;

	if (!entry)
		return malloc(sizeof(*entry));
	requests->unused = entry->next;
	return entry;
}

static struct entry *add_entry(struct reader_requests *requests, uint32_t stream, int64_t number)
{
	struct entry *entry, **bucket;

	if (requests->count >= requests->bucket_count && grow(requests))
		return NULL;
	entry = take_unused(requests);
	if (!entry)
		return NULL;
	bucket = &requests->buckets[bucket_of(requests->bucket_count, stream, number)];
	*entry = (struct entry){.number = number, .stream = stream, .next = *bucket};
	*bucket = entry;
	requests->count++;
	return entry;
}

static int add(struct reader_requests *requests, const struct recorder_record *record,
	       int64_t number, bool stays)
{
	struct entry *entry = find(requests, record->stream, number);

	if (!entry)
		entry = add_entry(requests, record->stream, number);
	if (!entry)
		return -ENOMEM;
	entry->stays = stays;
	entry->request = (struct reader_request){
		.func_id = record->func_id,
		.comm = comm_of(requests, record),
		.thread = record->thread,
		.sequence = record->sequence,
		.tstart = record->tstart,
	};
	return 0;
}

static void drop(struct reader_requests *requests, struct entry *entry)
{
	struct entry **place =
		&requests->buckets[bucket_of(requests->bucket_count, entry->stream, entry->number)];

	while (*place != entry)
		place = &(*place)->next;
	*place = entry->next;
	entry->next = requests->unused;
	requests->unused = entry;
	requests->count--;
}

/* What the record before completed is not asked for any more. */
static void drop_done(struct reader_requests *requests)
{
	while (requests->done_count > 0) {
		struct entry *entry = requests->done[--requests->done_count];

		entry->done = false;
		if (entry->ends)
			drop(requests, entry);
	}
}

static int complete(struct reader_requests *requests, uint32_t stream, int64_t number, bool freed)
{
	struct entry *entry = find(requests, stream, number);

	if (!entry || entry->done)
		return 0;
	if (requests->done_count == requests->done_capacity) {
		size_t capacity = requests->done_capacity ? requests->done_capacity * 2 : 64;
		struct entry **done = realloc(requests->done, capacity * sizeof(*done));

		if (!done)
			return -ENOMEM;
		requests->done = done;
		requests->done_capacity = capacity;
	}
	entry->done = true;
	entry->ends = freed || !entry->stays;
	requests->done[requests->done_count++] = entry;
	return 0;
}

/* A call that completes: those of a test do if its flag says so. */
static bool completes(const struct recorder_record *record, const struct function *function)
{
	int8_t flag = function->mpi.parameters[MPI_PARAMETER_flag];

	if (function->mpi.completion != MPI_COMPLETES_BY_FLAG)
		return function->mpi.completion == MPI_COMPLETES;
	return flag < 0 || flag >= record->arg_count || record->args[flag].i64 != 0;
}

static int complete_all(struct reader_requests *requests, const struct recorder_record *record,
			const struct recorder_arg *numbers)
{
	int error = 0;

	for (uint32_t at = 0; at < numbers->count && !error; at++)
		error = complete(requests, record->stream, numbers->elements[at], false);
	return error;
}

static int take_message(struct reader_requests *requests, const struct recorder_record *record,
			const struct function *function, unsigned index)
{
	int64_t number = NUMBER_OF_MESSAGE(record->args[index].i64);

	return function->outputs >> index & 1 ? add(requests, record, number, false)
					      : complete(requests, record->stream, number, false);
}

static int take_arg(struct reader_requests *requests, const struct recorder_record *record,
		    const struct function *function, unsigned index)
{
	const struct recorder_arg *arg = &record->args[index];

	if (arg->state != RECORDER_ARG_PRESENT)
		return 0;
	if (function->kinds[index] == KIND_requests)
		return completes(record, function) ? complete_all(requests, record, arg) : 0;
	if (function->kinds[index] == KIND_message && arg->i64 > 0)
		return take_message(requests, record, function, index);
	if (function->kinds[index] != KIND_request || arg->i64 <= 0)
		return 0;
	if (completes(record, function))
		return complete(requests, record->stream, arg->i64, false);
	if (function->mpi.completion == MPI_FREES)
		return complete(requests, record->stream, arg->i64, true);
	/* what is neither is made by the call, or only looked at by it */
	if ((function->outputs >> index & 1) && function->mpi.completion != MPI_COMPLETES_BY_FLAG)
		return add(requests, record, arg->i64, function->mpi.persistent);
	return 0;
}

int reader_requests_take(struct reader_requests *requests, const struct recorder_record *record)
{
	const struct function *function;
	uint64_t left;
	int error = 0;

	drop_done(requests);
	if (record->func_id >= requests->trace->functions.count ||
	    (record->flags & RECORDER_IN_FLIGHT))
		return 0;
	function = requests->trace->functions.items[record->func_id];
	left = function->requests;
	for (unsigned at = 0; left && at < record->arg_count && !error; at++, left >>= 1)
		if (left & 1)
			error = take_arg(requests, record, function, at);
	return error;
}

int reader_request(const struct reader_requests *requests, unsigned stream, int64_t number,
		   struct reader_request *request)
{
	const struct entry *entry = find(requests, stream, number);

	if (!entry)
		return -ENOENT;
	*request = entry->request;
	return 0;
}

int reader_completed(const struct reader_requests *requests, unsigned at, int64_t *number,
		     struct reader_request *request)
{
	if (at >= requests->done_count)
		return -ENOENT;
	*number = requests->done[at]->number;
	if (*number < 0)
		*number -= NUMBER_OF_MESSAGE(0);
	*request = requests->done[at]->request;
	return 0;
}

/* The number of the request that status `at` is of; 0 none. */
static int64_t request_of_status(const struct function *function,
				 const struct recorder_record *record, unsigned at)
{
	for (unsigned i = 0; i < record->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		if (arg->state != RECORDER_ARG_PRESENT)
			continue;
		if (function->kinds[i] == KIND_request)
			return arg->i64;
		if (function->kinds[i] == KIND_requests)
			return at < arg->count ? arg->elements[at] : 0;
	}
	return 0;
}

struct reader_process reader_status_process(const struct reader_requests *requests,
					    const struct recorder_record *record, unsigned index,
					    unsigned at)
{
	const struct reader_process nobody = {-1, -1};
	const struct reader *trace = requests->trace;
	const struct recorder_arg *arg;
	const struct function *function;
	struct reader_request request;
	uint32_t comm;

	if (record->func_id >= trace->functions.count || index >= record->arg_count)
		return nobody;
	function = trace->functions.items[record->func_id];
	arg = &record->args[index];
	if (index >= function->info.arg_count || function->kinds[index] != KIND_mpi_status ||
	    arg->state != RECORDER_ARG_PRESENT || at >= arg->count / 4 ||
	    arg->elements[4 * (size_t)at] < 0 || arg->elements[4 * (size_t)at] > INT32_MAX)
		return nobody;
	comm = comm_of(requests, record);
	if (!comm && reader_request(requests, record->stream,
				    request_of_status(function, record, at), &request) == 0)
		comm = request.comm;
	return reader_comm_process(trace, record->stream, comm,
				   (int32_t)arg->elements[4 * (size_t)at]);
}

int32_t reader_status_peer(const struct reader_requests *requests,
			   const struct recorder_record *record, unsigned index, unsigned at)
{
	struct reader_process source = reader_status_process(requests, record, index, at);

	return source.world == record->world ? source.rank : -1;
}

/* Bytes in the statuses of requests that wrote to files: they left this process's buffers. */
static int64_t written(const struct reader_requests *requests, const struct function *function,
		       const struct recorder_record *record)
{
	const struct recorder_arg *arg =
		function->status_arg >= 0 && function->status_arg < record->arg_count
			? &record->args[function->status_arg]
			: NULL;
	struct reader_request request;
	int64_t sum = 0;

	if (!arg || arg->state != RECORDER_ARG_PRESENT)
		return 0;
	for (unsigned at = 0; at < arg->count / 4; at++) {
		int64_t bytes = arg->elements[4 * (size_t)at + 2];

		if (bytes <= 0 || reader_request(requests, record->stream,
						 request_of_status(function, record, at), &request))
			continue;
		if (requests->trace->functions.items[request.func_id]->mpi.direction ==
			    MPI_TO_FILE &&
		    __builtin_add_overflow(sum, bytes, &sum))
			return 0;
	}
	return sum;
}

int reader_requests_traffic(const struct reader_requests *requests,
			    const struct recorder_record *record, struct reader_traffic *traffic)
{
	int error = reader_traffic(requests->trace, record, traffic);
	const struct function *function;

	if (error || traffic->received <= 0)
		return error;
	function = requests->trace->functions.items[record->func_id];
	if (completes(record, function))
		traffic->received -= written(requests, function, record);
	return 0;
}
