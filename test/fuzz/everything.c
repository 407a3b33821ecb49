/* SPDX-License-Identifier: MIT */
/* everything.c - see everything.h */
#include "everything.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#define IDS 4u /* ids of objects that are asked for, beside those that records have */

#define PROMISE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__,         \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Every byte that is handed out is looked at: a sanitizer sees what is not ours. */
static unsigned touch(const void *bytes, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += ((const uint8_t *)bytes)[i];
	return sum;
}

static volatile unsigned sink;

static void touch_text(const char *text)
{
	PROMISE(text);
	sink += touch(text, strlen(text));
}

static void hear(void *data, const char *text)
{
	unsigned *problems = data;

	touch_text(text);
	PROMISE(!strchr(text, '\n'));
	++*problems;
}

static void read_value(const struct reader_value *value)
{
	if (value->type == READER_BYTES) {
		sink += touch(value->bytes, value->size);
		PROMISE(value->bytes[value->size] == 0);
	}
}

static void read_metadata(const struct reader *trace, unsigned stream)
{
	struct reader_value value;
	const char *key;

	for (unsigned i = 0; (key = reader_meta_key(trace, stream, i)); i++) {
		PROMISE(reader_meta(trace, stream, key, &value) == 0);
		read_value(&value);
	}
	PROMISE(reader_meta(trace, stream, "no.such.key\n", &value) == -ENOENT);
}

static void read_stack(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_stack stack;
	struct reader_frame frame;

	if (reader_stack(trace, stream, id, &stack)) {
		PROMISE(reader_frame(trace, stream, id, 0, &frame) == -ENOENT);
		return;
	}
	for (unsigned i = 0; i < stack.count; i++) {
		PROMISE(reader_frame(trace, stream, id, i, &frame) == 0);
		sink += frame.module + frame.offset;
	}
	PROMISE(reader_frame(trace, stream, id, stack.count, &frame) == -ERANGE);
}

static void read_objects(const struct reader *trace, unsigned stream)
{
	struct reader_module module;
	struct reader_file file;
	struct reader_datatype type;
	struct reader_mpi_file opened;
	struct reader_comm comm;
	struct reader_win win;
	struct reader_mount mount;
	struct reader_object object;

	for (unsigned i = 0; i < reader_file_count(trace, stream); i++) {
		uint32_t id;

		PROMISE(reader_file_id(trace, stream, i, &id) == 0 &&
			reader_file(trace, stream, id, &file) == 0);
		if (reader_file_mount(trace, stream, id, &mount) == 0) {
			touch_text(mount.directory);
			touch_text(mount.type);
			touch_text(mount.source);
		}
	}
	for (uint32_t id = 0; id < IDS; id++) {
		if (reader_object(trace, stream, id, &object) == 0) {
			touch_text(object.kind);
			touch_text(object.name);
		}
		if (reader_file(trace, stream, id, &file) == 0)
			touch_text(file.path);
		if (reader_comm(trace, stream, id, &comm) == 0) {
			touch_text(comm.name);
			touch_text(comm.kind);
		}
		if (reader_module(trace, stream, id, &module) == 0) {
			touch_text(module.path);
			sink += touch(module.build_id, module.build_id_size);
		}
		read_stack(trace, stream, id);
		if (reader_datatype(trace, stream, id, &type) == 0)
			touch_text(type.name);
		if (reader_mpi_file(trace, stream, id, &opened) == 0)
			touch_text(opened.path);
		if (reader_win(trace, stream, id, &win) == 0) {
			touch_text(win.name);
			touch_text(win.flavor);
		}
		for (int32_t rank = -1; rank < 9; rank++) {
			reader_comm_world_rank(trace, stream, id, rank);
			reader_comm_member(trace, stream, id, rank);
			reader_comm_process(trace, stream, id, rank);
		}
		reader_comm_world_rank(trace, stream, id, INT32_MAX);
	}
}

static void read_stream(const struct reader *trace, unsigned index)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct reader_thread thread = {.sz = sizeof(thread)};
	const char *reason;
	uint64_t count;

	PROMISE(reader_stream(trace, index, &stream) == 0);
	touch_text(stream.name);
	touch_text(stream.argv);
	touch_text(stream.reason);
	touch_text(stream.rank_source);
	for (unsigned i = 0; i < reader_thread_count(trace, index); i++) {
		PROMISE(reader_thread(trace, index, i, &thread) == 0);
		PROMISE(reader_thread_of(trace, index, thread.index, &thread) == (int)i);
		touch_text(thread.name);
	}
	PROMISE(reader_thread(trace, index, reader_thread_count(trace, index), &thread) == -ERANGE);
	for (unsigned i = 0; reader_loss(trace, index, i, &reason, &count) == 0; i++)
		touch_text(reason);
	read_metadata(trace, index);
	read_objects(trace, index);
}

static void read_machines(const struct reader *trace)
{
	struct reader_machine machine = {.sz = sizeof(machine)};

	for (unsigned i = 0; !reader_machine(trace, i, &machine); i++) {
		touch_text(machine.host);
		touch_text(machine.boot_id);
		PROMISE(machine.kernel_error >= -1 && machine.slept >= 0);
	}
}

static void read_functions(const struct reader *trace)
{
	for (unsigned i = 0; i < reader_function_count(trace); i++) {
		const struct reader_function_info *function = reader_function_by_id(trace, i);

		PROMISE(function && function->id == i);
		touch_text(function->layer);
		touch_text(function->name);
		touch_text(function->result.kind);
		for (unsigned arg = 0; arg < function->arg_count; arg++) {
			touch_text(function->args[arg].name);
			touch_text(function->args[arg].kind);
		}
	}
	PROMISE(!reader_function_by_id(trace, reader_function_count(trace)));
}

static void read_argument(const struct reader *trace, const struct recorder_record *record,
			  unsigned index)
{
	const struct recorder_arg *arg = &record->args[index];
	enum reader_class class = reader_function(trace, record)->args[index].class_;
	char small[8], large[512];
	size_t size = reader_arg_text(trace, record, index, large, sizeof(large));

	PROMISE(reader_arg_text(trace, record, index, small, sizeof(small)) == size);
	PROMISE(strlen(large) == (size < sizeof(large) ? size : sizeof(large) - 1));
	if (arg->state != RECORDER_ARG_PRESENT)
		return;
	if (class == READER_STRING) {
		sink += touch(arg->bytes, arg->count);
		PROMISE(arg->bytes[arg->count] == 0 && arg->count <= arg->original);
	} else if (class == READER_ARRAY) {
		sink += touch(arg->elements, arg->count * sizeof(*arg->elements));
		PROMISE(arg->count <= arg->original);
	}
}

static struct reader_requests *requests;

static void read_record(const struct reader *trace, const struct recorder_record *record)
{
	struct reader_traffic traffic;
	struct reader_request request;
	const struct reader_function_info *function = reader_function(trace, record);
	struct reader_file file;
	char text[256];
	int64_t number;

	PROMISE(function && record->arg_count <= function->arg_count);
	PROMISE(reader_requests_take(requests, record) == 0);
	for (unsigned i = 0; i < record->arg_count; i++) {
		read_argument(trace, record, i);
		if (reader_arg_file(trace, record, i, &file) == 0)
			touch_text(file.path);
		reader_peer(trace, record, i);
		reader_status_peer(requests, record, i, 0);
		reader_status_peer(requests, record, i, 1u << 30);
		reader_request(requests, record->stream, record->args[i].i64, &request);
	}
	for (unsigned i = 0; reader_completed(requests, i, &number, &request) == 0; i++)
		PROMISE(reader_function_by_id(trace, request.func_id));
	PROMISE(reader_peer(trace, record, record->arg_count) == -1);
	reader_traffic(trace, record, &traffic);
	reader_requests_traffic(requests, record, &traffic);
	reader_record_comm(trace, record);
	PROMISE(reader_arg_text(trace, record, record->arg_count, text, sizeof(text)) == 0);
	reader_result_text(trace, record, text, sizeof(text));
	reader_bytes(trace, record);
	if (reader_record_file(trace, record, &file) == 0)
		touch_text(file.path);
}

/* Gives the number of records, without those in flight; what they say is read if `whole`. */
static uint64_t read_records(struct reader *trace, const struct reader_filter *filter, bool whole)
{
	struct reader_cursor *cursor = reader_cursor_new(trace, filter);
	const struct recorder_record *record;
	uint64_t count = 0;

	PROMISE(cursor);
	while ((record = reader_next(cursor))) {
		if (whole)
			read_record(trace, record);
		count += !(record->flags & RECORDER_IN_FLIGHT);
	}
	PROMISE(reader_cursor_status(cursor) == 0);
	reader_cursor_free(cursor);
	return count;
}

static void seek(struct reader *trace, int64_t time)
{
	struct reader_cursor *cursor = reader_cursor_new(trace, NULL);
	const struct recorder_record *record;

	PROMISE(cursor && reader_seek(cursor, time) == 0);
	record = reader_next(cursor);
	if (record)
		read_record(trace, record);
	reader_cursor_free(cursor);
}

static void read_all_records(struct reader *trace, int64_t middle)
{
	struct reader_filter ends = {.sz = sizeof(ends), .order = READER_BY_END, .in_flight = 1};
	struct reader_filter times = {.sz = sizeof(times), .order = READER_BY_TIME, .in_flight = 1};
	struct reader_filter some = {.sz = sizeof(some),
				     .ranks = "0,2-7",
				     .functions = "*write,-MPI_*",
				     .files = "/*",
				     .after = middle,
				     .min_duration = 1};
	struct reader_filter flight = {.sz = sizeof(flight), .in_flight = 2};
	uint64_t by_end;

	requests = reader_requests_new(trace);
	PROMISE(requests);
	by_end = read_records(trace, &ends, true);

	PROMISE(read_records(trace, &times, false) == by_end);
	PROMISE(read_records(trace, &some, false) <= by_end);
	PROMISE(read_records(trace, &flight, true) == 0);
	seek(trace, middle);
	seek(trace, INT64_MIN);
	reader_requests_free(requests);
}

struct everything read_everything(const char *dir)
{
	struct everything result = {0};
	unsigned heard = 0;
	struct reader_options options = {.sz = sizeof(options),
					 .problem = hear,
					 .problem_data = &heard};
	struct reader_info info = {.sz = sizeof(info)};
	struct reader *trace = reader_open(dir, &options);

	if (!trace) {
		result.error = errno;
		touch_text(reader_error(NULL));
		return result;
	}
	result.opened = 1;
	result.problems = reader_problem_count(trace);
	PROMISE(reader_info(trace, &info) == 0);
	touch_text(info.run_id);
	read_metadata(trace, READER_GLOBAL);
	read_machines(trace);
	read_functions(trace);
	for (unsigned i = 0; i < info.streams; i++)
		read_stream(trace, i);
	read_all_records(trace, info.duration / 2);
	PROMISE(reader_verify(trace) >= 0);
	reader_info(trace, &info);
	result.found = reader_problem_count(trace);
	PROMISE(heard >= result.found);
	for (unsigned i = 0; i < result.found; i++)
		touch_text(reader_problem(trace, i));
	result.stored = info.stored;
	result.in_flight = info.in_flight;
	result.unreadable = info.unreadable;
	result.lost = info.lost;
	reader_close(trace);
	return result;
}
