/* SPDX-License-Identifier: MIT */
/*
 * verify.c - compares the trace of killed writers with what they kept of their progress (progress.h).
 *
 * verify DIR PROGRESS: for each thread the trace must hold the writes 0, 1, 2 ... each once and in order, as many as had returned, or
 * one more. Prints one line a fault; exit 1 if there was one.
 */
#include "progress.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include <recorder/reader.h>

/* A thread of PROGRESS. */
struct writer {
	uint64_t thread, done;
	uint64_t seen; /* writes of it in the trace */
};

static struct writer *writers; /* by thread */
static size_t writer_count;
static unsigned faults;

static void fault(const char *what, uint64_t thread, uint64_t wanted, uint64_t got)
{
	printf("process %u thread %u: %s: expected %" PRIu64 ", found %" PRIu64 "\n",
	       (unsigned)(thread >> 32), (unsigned)thread, what, wanted, got);
	faults++;
}

static int by_thread(const void *a, const void *b)
{
	const struct writer *x = a, *y = b;

	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void check_write(const struct reader *trace, const struct recorder_record *record)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct writer key, *writer;

	if (reader_stream(trace, record->stream, &stream))
		return;
	key.thread = progress_thread(stream.pid, record->tid);
	writer = bsearch(&key, writers, writer_count, sizeof(key), by_thread);
	/* A thread killed before it had written down its number has nothing to compare. */
	if (!writer)
		return;
	if (record->args[2].i64 != progress_offset(writer->seen))
		fault("offset", key.thread, (uint64_t)progress_offset(writer->seen),
		      (uint64_t)record->args[2].i64);
	if (record->ret != WRITE_SIZE || record->args[1].i64 != WRITE_SIZE)
		fault("result", key.thread, WRITE_SIZE, (uint64_t)record->ret);
	if (record->level != 0)
		fault("level", key.thread, 0, record->level);
	writer->seen++;
}

static int read_progress(const char *path)
{
	struct progress *progress;
	struct stat status;
	size_t count;

	if (stat(path, &status) || !(count = (size_t)status.st_size / sizeof(*progress)))
		return -1;
	progress = progress_map(path, count);
	writers = calloc(count, sizeof(*writers));
	if (!progress || !writers)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (progress[i].thread)
			writers[writer_count++] =
				(struct writer){progress[i].thread, progress[i].done, 0};
	qsort(writers, writer_count, sizeof(*writers), by_thread);
	return 0;
}

static void check_trace(struct reader *trace)
{
	struct reader_filter filter = {.sz = sizeof(filter),
				       .order = READER_BY_END,
				       .functions = "pwrite"};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	struct reader_info info = {.sz = sizeof(info)};
	const struct recorder_record *record;

	while (cursor && (record = reader_next(cursor)))
		check_write(trace, record);
	if (!cursor || reader_cursor_status(cursor)) {
		printf("cannot read: %s\n", reader_error(trace));
		faults++;
	}
	reader_cursor_free(cursor);
	for (size_t i = 0; i < writer_count; i++)
		if (writers[i].seen != writers[i].done && writers[i].seen != writers[i].done + 1)
			fault("writes", writers[i].thread, writers[i].done, writers[i].seen);
	reader_info(trace, &info);
	if (info.lost || info.unreadable)
		fault("lost and unreadable", 0, 0, info.lost + info.unreadable);
	for (unsigned i = 0; i < reader_problem_count(trace); i++) {
		printf("problem: %s\n", reader_problem(trace, i));
		faults++;
	}
}

int main(int argc, char **argv)
{
	struct reader *trace;
	uint64_t total = 0;

	if (argc != 3 || read_progress(argv[2])) {
		fprintf(stderr, "usage: verify DIR PROGRESS\n");
		return 2;
	}
	for (size_t i = 0; i < writer_count; i++)
		total += writers[i].done;
	trace = reader_open(argv[1], NULL);
	if (!trace) {
		printf("cannot open: %s\n", reader_error(NULL));
		return total > 0;
	}
	check_trace(trace);
	reader_close(trace);
	printf("%" PRIu64 " writes of %zu threads, %u faults\n", total, writer_count, faults);
	return faults > 0;
}
