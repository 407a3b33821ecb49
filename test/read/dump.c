/* SPDX-License-Identifier: MIT */
/*
 * dump.c - everything that libreader gives of a trace, for comparison with the second reader.
 *
 *	dump records DIR     one JSON object a record, by time, with calls in flight
 *	dump ends DIR        the same in the order of ends, stream by stream
 *	dump files DIR       one JSON object a file
 *	dump totals DIR      verifies the trace, then what it has in all
 *
 * Exit status 1 if the trace has problems, which go to stderr.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <recorder/reader.h>

static void tell(void *data, const char *text)
{
	(void)data;
	fprintf(stderr, "dump: %s\n", text);
}

static void put_value(enum reader_class class, const struct recorder_arg *arg)
{
	uint64_t bits;

	if (arg->state != RECORDER_ARG_PRESENT) {
		printf("\"%s\"", arg->state == RECORDER_ARG_ABSENT  ? "NULL"
				 : arg->state == RECORDER_ARG_UNSET ? "unset"
								    : "unreadable");
		return;
	}
	switch (class) {
	case READER_INT:
		printf("%" PRId64, arg->i64);
		break;
	case READER_PAIR:
		printf("{\"value\": %" PRId64 ", \"id\": %u}", arg->i64, arg->id);
		break;
	case READER_DOUBLE:
		memcpy(&bits, &arg->f64, sizeof(bits));
		printf("{\"bits\": %" PRIu64 "}", bits);
		break;
	case READER_STRING:
		printf("{\"hex\": \"");
		for (uint32_t i = 0; i < arg->count; i++)
			printf("%02x", (unsigned char)arg->bytes[i]);
		printf("\", \"original\": %u}", arg->original + (arg->bytes[arg->count] != 0));
		break;
	case READER_ARRAY:
		printf("{\"elements\": [");
		for (uint32_t i = 0; i < arg->count; i++)
			printf("%s%" PRId64, i ? ", " : "", arg->elements[i]);
		printf("], \"original\": %u, \"sum\": %" PRId64 "}", arg->original, arg->sum);
		break;
	}
}

static void put_record(const struct reader *trace, const struct recorder_record *record)
{
	const struct reader_function_info *function = reader_function(trace, record);
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct recorder_arg result = {.i64 = record->ret, .id = record->ret_id};

	memcpy(&result.f64, &record->ret, sizeof(result.f64));
	reader_stream(trace, record->stream, &stream);
	printf("{\"stream\": \"%s\", \"world\": %d, \"rank\": %d, \"thread\": %u, \"sequence\": "
	       "%" PRIu64 ", \"tstart\": %" PRId64 ", \"tend\": %" PRId64
	       ", \"level\": %u, \"layer\": \"%s\", "
	       "\"function\": \"%s\", \"args\": [",
	       stream.name, record->world, record->rank, record->thread, record->sequence,
	       record->tstart, record->tend, record->level, function->layer, function->name);
	for (unsigned i = 0; i < record->arg_count; i++) {
		printf("%s", i ? ", " : "");
		put_value(function->args[i].class_, &record->args[i]);
	}
	printf("], \"result\": ");
	put_value(function->result.class_, &result);
	printf(", \"errno\": %d, \"site\": [%u, %" PRIu64 "], \"flags\": %u, \"repeat\": %u, "
	       "\"stack\": %u, \"busy\": %" PRId64
	       ", \"phase\": %d, \"summed\": %s, \"in_flight\": %s}\n",
	       record->err, record->module, record->callsite,
	       record->flags & (RECORDER_LEFT | RECORDER_NORETURN | RECORDER_IN_SIGNAL),
	       record->repeat, record->stack, record->busy,
	       !!(record->flags & RECORDER_AFTER_MAIN) - !!(record->flags & RECORDER_BEFORE_MAIN),
	       record->flags & RECORDER_TIMES_SUMMED ? "true" : "false",
	       record->flags & RECORDER_IN_FLIGHT ? "true" : "false");
}

/* Texts are made too, so that every rule is run on every value. */
static void try_texts(const struct reader *trace, const struct recorder_record *record)
{
	struct reader_file file;
	char small[8], large[8192];

	for (unsigned i = 0; i <= record->arg_count; i++) {
		size_t size = reader_arg_text(trace, record, i, large, sizeof(large));

		if (reader_arg_text(trace, record, i, small, sizeof(small)) != size)
			fprintf(stderr, "dump: a text has two lengths\n");
	}
	reader_result_text(trace, record, large, sizeof(large));
	reader_record_file(trace, record, &file);
	reader_bytes(trace, record);
}

static int put_records(struct reader *trace, enum reader_order order)
{
	struct reader_filter filter = {.sz = sizeof(filter), .order = order, .in_flight = 1};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	const struct recorder_record *record;
	int status;

	if (!cursor) {
		fprintf(stderr, "dump: %s\n", reader_error(trace));
		return 2;
	}
	while ((record = reader_next(cursor))) {
		put_record(trace, record);
		try_texts(trace, record);
	}
	status = reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	return status ? 2 : 0;
}

static int put_totals(struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};

	reader_verify(trace);
	reader_info(trace, &info);
	printf("{\"stored\": %" PRIu64 ", \"records\": %" PRIu64 ", \"in_flight\": %" PRIu64
	       ", \"lost\": %" PRIu64 ", \"unreadable\": %" PRIu64 ", \"complete\": %s, "
	       "\"streams\": %u, \"duration\": %" PRId64 "}\n",
	       info.stored, info.records, info.in_flight, info.lost, info.unreadable,
	       info.complete ? "true" : "false", info.streams, info.duration);
	return 0;
}

static void put_hex(const void *bytes, size_t size)
{
	putchar('"');
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const unsigned char *)bytes)[i]);
	putchar('"');
}

static void put_file(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_stream info = {.sz = sizeof(info)};
	struct reader_mount mount;
	struct reader_file file;

	if (reader_stream(trace, stream, &info) || reader_file(trace, stream, id, &file))
		return;
	printf("{\"stream\": \"%s\", \"id\": %u, \"path\": ", info.name, id);
	put_hex(file.path, strlen(file.path));
	printf(", \"type\": %u, \"device\": %" PRIu64 ", \"inode\": %" PRIu64 ", \"size\": %" PRIu64
	       ", \"fs_magic\": %" PRIu64 ", \"block_size\": %u, \"mount\": %u, \"striping\": ",
	       file.type, file.device, file.inode, file.size, file.fs_magic, file.block_size,
	       file.mount);
	put_hex(file.striping, file.striping_size);
	if (reader_file_mount(trace, stream, id, &mount))
		printf(", \"mounted\": []}\n");
	else
		printf(", \"mounted\": [\"%s\", \"%s\", \"%s\"]}\n", mount.directory, mount.type,
		       mount.source);
}

static int put_files(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	uint32_t id;

	reader_info(trace, &info);
	for (unsigned i = 0; i < info.streams; i++)
		for (unsigned k = 0; !reader_file_id(trace, i, k, &id); k++)
			put_file(trace, i, id);
	return 0;
}

int main(int argc, char **argv)
{
	struct reader_options options = {.sz = sizeof(options), .problem = tell};
	struct reader *trace;
	unsigned problems;
	int status = 2;

	if (argc != 3) {
		fprintf(stderr, "usage: dump records|ends|files|totals DIR\n");
		return 2;
	}
	trace = reader_open(argv[2], &options);
	if (!trace) {
		fprintf(stderr, "dump: %s\n", reader_error(NULL));
		return 1;
	}
	if (strcmp(argv[1], "totals") == 0)
		status = put_totals(trace);
	else if (strcmp(argv[1], "files") == 0)
		status = put_files(trace);
	else
		status = put_records(trace,
				     strcmp(argv[1], "ends") == 0 ? READER_BY_END : READER_BY_TIME);
	problems = reader_problem_count(trace);
	reader_close(trace);
	return status ? status : problems > 0;
}
