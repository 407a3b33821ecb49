/* SPDX-License-Identifier: MIT */
/*
 * tell TRACE - every call of MPI in a trace with what libreader knows of it, for check.py: JSON, one object a line.
 *
 *	{"rank": 3, "level": 0, "call": "MPI_Recv", "result": 0, "args": {"source": ["rank", -1, -1], ...}, "received": 24}
 */
#include <inttypes.h>
#include <recorder/reader.h>
#include <stdbool.h>
#include <string.h>

static struct reader *trace;
static struct reader_requests *requests;

static void put_comm(unsigned stream, uint32_t id)
{
	struct reader_comm comm;
	int32_t world;

	if (reader_comm(trace, stream, id, &comm)) {
		printf("[\"comm\", \"\"]");
		return;
	}
	printf("[\"comm\", \"%016" PRIx64 "\", [", comm.identity);
	for (int32_t at = 0; (world = reader_comm_member(trace, stream, id, at)) >= 0; at++)
		printf("%s%d", at ? ", " : "", world);
	printf("], [");
	for (int32_t at = 0;
	     comm.remote_size > 0 && (world = reader_comm_world_rank(trace, stream, id, at)) >= 0;
	     at++)
		printf("%s%d", at ? ", " : "", world);
	printf("]]");
}

static void put_type(unsigned stream, uint32_t id)
{
	struct reader_datatype type;

	if (reader_datatype(trace, stream, id, &type))
		printf("[\"datatype\", %u, -1]", id);
	else
		printf("[\"datatype\", %u, %" PRId64 "]", id, type.size);
}

static void put_win(unsigned stream, uint32_t id)
{
	struct reader_win win = {0};

	reader_win(trace, stream, id, &win);
	printf("[\"win\", %u, %d, ", id, win.unit);
	put_comm(stream, win.comm);
	printf("]");
}

static void put_file(unsigned stream, int64_t number)
{
	struct reader_mpi_file file = {.path = ""};

	reader_mpi_file(trace, stream, (uint32_t)number, &file);
	printf("[\"file\", %" PRId64 ", \"%s\", ", number, file.path);
	put_comm(stream, file.comm);
	printf("]");
}

static void put_statuses(const struct recorder_record *record, unsigned index)
{
	const struct recorder_arg *arg = &record->args[index];

	printf("[\"status\"");
	for (unsigned at = 0; at < arg->count / 4; at++) {
		const int64_t *words = arg->elements + 4 * (size_t)at;

		printf(", [%" PRId64 ", %d, %" PRId64 ", %" PRId64 ", %" PRId64 "]", words[0],
		       reader_status_peer(requests, record, index, at), words[1], words[2],
		       words[3]);
	}
	printf("]");
}

static void put_array(const struct recorder_record *record, const char *kind,
		      const struct recorder_arg *arg)
{
	bool types = strcmp(kind, "datatypes") == 0;

	printf("[\"%s\"", kind);
	for (uint32_t at = 0; at < arg->count; at++) {
		printf(", ");
		if (types)
			put_type(record->stream, (uint32_t)arg->elements[at]);
		else
			printf("%" PRId64, arg->elements[at]);
	}
	printf("]");
}

static void put_arg(const struct recorder_record *record, unsigned index,
		    const struct reader_parameter *parameter)
{
	const struct recorder_arg *arg = &record->args[index];
	const char *kind = parameter->kind;

	if (arg->state != RECORDER_ARG_PRESENT)
		printf("null");
	else if (strcmp(kind, "rank") == 0)
		printf("[\"rank\", %" PRId64 ", %d]", arg->i64, reader_peer(trace, record, index));
	else if (strcmp(kind, "comm") == 0)
		put_comm(record->stream, (uint32_t)arg->i64);
	else if (strcmp(kind, "datatype") == 0)
		put_type(record->stream, (uint32_t)arg->i64);
	else if (strcmp(kind, "win") == 0)
		put_win(record->stream, (uint32_t)arg->i64);
	else if (strcmp(kind, "mpi_file") == 0)
		put_file(record->stream, arg->i64);
	else if (strcmp(kind, "mpi_status") == 0)
		put_statuses(record, index);
	else if (parameter->class_ == READER_ARRAY)
		put_array(record, kind, arg);
	else if (parameter->class_ == READER_STRING)
		printf("\"\"");
	else
		printf("%" PRId64, arg->i64);
}

static void put_call(const struct recorder_record *record)
{
	const struct reader_function_info *function = reader_function(trace, record);
	struct reader_traffic traffic;

	printf("{\"rank\": %d, \"level\": %u, \"repeat\": %u, \"call\": \"%s\", \"result\": "
	       "%" PRId64 ", \"args\": {",
	       record->rank, record->level, record->repeat, function->name, record->ret);
	for (unsigned at = 0; at < record->arg_count; at++) {
		printf("%s\"%s\": ", at ? ", " : "", function->args[at].name);
		put_arg(record, at, &function->args[at]);
	}
	printf("}");
	if (reader_requests_traffic(requests, record, &traffic) == 0)
		printf(", \"sent\": %" PRId64 ", \"received\": %" PRId64, traffic.sent,
		       traffic.received);
	printf("}\n");
}

int main(int argc, char **argv)
{
	struct reader_filter filter = {.sz = sizeof(filter), .layers = "mpi,mpiio", .in_flight = 1};
	const struct recorder_record *record;
	struct reader_cursor *cursor;
	int status;

	trace = argc == 2 ? reader_open(argv[1], NULL) : NULL;
	requests = trace ? reader_requests_new(trace) : NULL;
	cursor = requests ? reader_cursor_new(trace, &filter) : NULL;
	if (!cursor) {
		fprintf(stderr, "tell: %s\n", reader_error(trace));
		return 2;
	}
	while ((record = reader_next(cursor))) {
		if (reader_requests_take(requests, record))
			return 2;
		put_call(record);
	}
	status = reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	reader_requests_free(requests);
	reader_close(trace);
	return status ? 2 : 0;
}
