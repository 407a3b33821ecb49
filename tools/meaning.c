/* SPDX-License-Identifier: MIT */
/* meaning.c - see meaning.h */
#include "meaning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"

#define NO_ARG 0xffu
#define ARGS_MAX 64u

struct meaning_function {
	bool of_mpi;
	bool frees;     /* requests, completed or not */
	bool follows;   /* an argument is a request or a message */
	bool has_comm;  /* an argument is a communicator */
	bool has_place; /* else a window or file, which is of one */
	uint8_t source; /* the rank argument that a status may resolve, or NO_ARG */
	uint8_t status; /* argument, or NO_ARG */
	bool status_list;
	uint8_t rank_count;
	uint8_t ranks[MEANING_PEERS];
};

struct meaning {
	const struct reader *trace;
	struct reader_requests *requests;
	struct meaning_function *functions; /* by id */
	struct reader_process *sources;
	size_t capacity;
	struct buffer followed; /* names with commas */
	char comm[MEANING_NAME_ROOM];
};

static void look_at_argument(struct meaning_function *function, unsigned at,
			     const struct reader_parameter *parameter)
{
	if (strcmp(parameter->kind, "rank") == 0 && parameter->class_ == READER_INT) {
		if (strcmp(parameter->name, "source") == 0)
			function->source = (uint8_t)at;
		if (function->rank_count < MEANING_PEERS)
			function->ranks[function->rank_count++] = (uint8_t)at;
	} else if (strcmp(parameter->kind, "mpi_status") == 0 && function->status == NO_ARG) {
		function->status = (uint8_t)at;
		function->status_list = strncmp(parameter->name, "array_of_", 9) == 0;
	} else if (strcmp(parameter->kind, "comm") == 0) {
		function->has_comm = true;
	} else if (strcmp(parameter->kind, "win") == 0 ||
		   strcmp(parameter->kind, "mpi_file") == 0) {
		function->has_place = true;
	} else if (strcmp(parameter->kind, "request") == 0 ||
		   strcmp(parameter->kind, "requests") == 0 ||
		   strcmp(parameter->kind, "message") == 0) {
		function->follows = true;
	}
}

static struct meaning_function look_at(const struct reader_function_info *info)
{
	struct meaning_function function = {.source = NO_ARG, .status = NO_ARG};

	function.of_mpi = strcmp(info->layer, "mpi") == 0 || strcmp(info->layer, "mpiio") == 0;
	function.frees = strcmp(info->name, "MPI_Request_free") == 0;
	for (unsigned at = 0; function.of_mpi && at < info->arg_count && at < ARGS_MAX; at++)
		look_at_argument(&function, at, &info->args[at]);
	return function;
}

struct meaning *meaning_new(const struct reader *trace)
{
	unsigned count = reader_function_count(trace);
	struct meaning *meaning = calloc(1, sizeof(*meaning));

	if (!meaning)
		return NULL;
	meaning->trace = trace;
	meaning->requests = reader_requests_new(trace);
	meaning->functions = calloc(count + 1, sizeof(*meaning->functions));
	if (!meaning->requests || !meaning->functions) {
		meaning_free(meaning);
		return NULL;
	}
	for (unsigned id = 0; id < count; id++) {
		const struct reader_function_info *info = reader_function_by_id(trace, id);

		meaning->functions[id] = look_at(info);
		if (!meaning->functions[id].follows)
			continue;
		buffer_add_text(&meaning->followed, meaning->followed.size > 0 ? "," : "");
		buffer_add_text(&meaning->followed, info->name);
	}
	buffer_add(&meaning->followed, "", 1);
	return meaning;
}

void meaning_free(struct meaning *meaning)
{
	if (!meaning)
		return;
	reader_requests_free(meaning->requests);
	free(meaning->functions);
	free(meaning->sources);
	buffer_release(&meaning->followed);
	free(meaning);
}

bool meaning_follows(const struct meaning *meaning, uint16_t func_id)
{
	return meaning->functions[func_id].follows;
}

bool meaning_is_of_arguments(const struct meaning *meaning, uint16_t func_id)
{
	const struct meaning_function *function = &meaning->functions[func_id];

	/* what has no communicator completes requests, or goes on with them */
	return !function->follows || (function->has_comm && !function->has_place);
}

const char *meaning_followed(const struct meaning *meaning)
{
	return (const char *)meaning->followed.bytes;
}

int meaning_take(struct meaning *meaning, const struct recorder_record *record)
{
	return reader_requests_take(meaning->requests, record);
}

int meaning_restart(struct meaning *meaning)
{
	struct reader_requests *requests = reader_requests_new(meaning->trace);

	if (!requests)
		return -ENOMEM;
	reader_requests_free(meaning->requests);
	meaning->requests = requests;
	return 0;
}

bool meaning_has(const struct meaning *meaning, uint16_t func_id)
{
	return meaning->functions[func_id].of_mpi;
}

/* From anybody: the status says from whom it was. */
static struct reader_process peer_of(const struct meaning *meaning,
				     const struct meaning_function *function,
				     const struct recorder_record *record, unsigned arg)
{
	struct reader_process peer = reader_peer_process(meaning->trace, record, arg);

	if (peer.rank < 0 && arg == function->source && function->status != NO_ARG)
		peer = reader_status_process(meaning->requests, record, function->status, 0);
	return peer;
}

static void add_peers(const struct meaning *meaning, const struct meaning_function *function,
		      const struct recorder_record *record, struct meaning_call *call)
{
	for (unsigned i = 0; i < function->rank_count; i++) {
		struct reader_process peer = peer_of(meaning, function, record, function->ranks[i]);

		if (peer.rank >= 0)
			call->peers[call->peer_count++] =
				(struct meaning_peer){function->ranks[i], peer};
	}
}

static int make_room(struct meaning *meaning, size_t count)
{
	struct reader_process *sources;

	if (count <= meaning->capacity)
		return 0;
	sources = realloc(meaning->sources, count * sizeof(*sources));
	if (!sources)
		return -ENOMEM;
	meaning->sources = sources;
	meaning->capacity = count;
	return 0;
}

static int add_statuses(struct meaning *meaning, const struct meaning_function *function,
			const struct recorder_record *record, struct meaning_call *call)
{
	const struct recorder_arg *arg;
	bool known = false;

	if (function->source != NO_ARG || function->status == NO_ARG ||
	    function->status >= record->arg_count)
		return 0;
	arg = &record->args[function->status];
	if (arg->state != RECORDER_ARG_PRESENT)
		return 0;
	call->status_arg = function->status;
	call->status_count = arg->count / 4;
	call->status_list = function->status_list;
	if (make_room(meaning, call->status_count))
		return -ENOMEM;
	for (unsigned at = 0; at < call->status_count; at++) {
		meaning->sources[at] =
			reader_status_process(meaning->requests, record, function->status, at);
		known |= meaning->sources[at].rank >= 0;
	}
	call->sources = known ? meaning->sources : NULL;
	return 0;
}

static const char *comm_name(struct meaning *meaning, const struct recorder_record *record)
{
	uint32_t id = reader_record_comm(meaning->trace, record);
	struct reader_comm comm;

	if (!id)
		return NULL;
	if (reader_comm(meaning->trace, record->stream, id, &comm) == 0 && *comm.name)
		snprintf(meaning->comm, sizeof(meaning->comm), "%s", comm.name);
	else
		snprintf(meaning->comm, sizeof(meaning->comm), "comm#%u", id);
	return meaning->comm;
}

int meaning_of(struct meaning *meaning, const struct recorder_record *record,
	       struct meaning_call *call)
{
	int error = meaning_take(meaning, record);

	return error ? error : meaning_of_taken(meaning, record, call);
}

int meaning_of_taken(struct meaning *meaning, const struct recorder_record *record,
		     struct meaning_call *call)
{
	const struct meaning_function *function = &meaning->functions[record->func_id];

	*call = (struct meaning_call){.traffic = {-1, -1},
				      .verb = function->frees ? "frees" : "completes"};
	add_peers(meaning, function, record, call);
	reader_requests_traffic(meaning->requests, record, &call->traffic);
	if (function->has_place && !function->has_comm)
		call->comm = comm_name(meaning, record);
	return add_statuses(meaning, function, record, call);
}

bool meaning_completed(const struct meaning *meaning, unsigned at, int64_t *number,
		       struct reader_request *request)
{
	return reader_completed(meaning->requests, at, number, request) == 0;
}
