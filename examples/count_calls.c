/* SPDX-License-Identifier: MIT */
/*
 * Counts the calls of each function in a trace: what a program on top of libreader looks like.
 *
 *	cc -o count_calls count_calls.c $(pkg-config --cflags --libs recorder-reader)
 *	./count_calls recorder-app-1
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

static void say_problem(void *data, const char *text)
{
	(void)data;
	fprintf(stderr, "count_calls: %s\n", text);
}

/* Adds every record to the count of its function; 0 or what the cursor failed with. */
static int count(struct reader *trace, uint64_t *counts)
{
	struct reader_cursor *cursor = reader_cursor_new(trace, NULL);
	const struct recorder_record *record;
	int status;

	if (!cursor)
		return -errno;
	/* one record may stand for a run of calls that are all the same */
	while ((record = reader_next(cursor)))
		counts[record->func_id] += record->repeat;
	status = reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	return status;
}

int main(int argc, char **argv)
{
	struct reader_options options = {.sz = sizeof(options), .problem = say_problem};
	struct reader *trace;
	uint64_t *counts;
	int status;

	if (argc != 2) {
		fprintf(stderr, "usage: count_calls DIR\n");
		return 2;
	}
	trace = reader_open(argv[1], &options);
	if (!trace) {
		fprintf(stderr, "count_calls: %s\n", reader_error(NULL));
		return 1;
	}
	counts = calloc(reader_function_count(trace), sizeof(*counts));
	status = counts ? count(trace, counts) : -ENOMEM;
	for (unsigned id = 0; !status && id < reader_function_count(trace); id++) {
		const struct reader_function_info *function = reader_function_by_id(trace, id);

		if (counts[id])
			printf("%8" PRIu64 " %s %s\n", counts[id], function->layer, function->name);
	}
	if (status)
		fprintf(stderr, "count_calls: %s\n", reader_error(trace));
	free(counts);
	reader_close(trace);
	return status != 0;
}
