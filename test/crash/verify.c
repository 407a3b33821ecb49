/* SPDX-License-Identifier: MIT */
/*
 * verify.c - compares the trace of a killed writer with what the writer kept of its progress.
 *
 * verify DIR PROGRESS: for each thread the trace must hold the writes 0, 1, 2 ... each once and in order, as many as had returned, or
 * one more. Prints one line a fault; exit 1 if there was one.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <recorder/reader.h>

#define THREADS_MAX 64

struct progress {
	uint64_t tid, done;
};

static struct progress progress[THREADS_MAX];
static uint64_t seen[THREADS_MAX];
static unsigned faults;

static void fault(const char *what, uint64_t tid, uint64_t wanted, uint64_t got)
{
	printf("thread %" PRIu64 ": %s: expected %" PRIu64 ", found %" PRIu64 "\n", tid, what,
	       wanted, got);
	faults++;
}

static int thread_number(uint32_t tid)
{
	for (int i = 0; i < THREADS_MAX; i++)
		if (progress[i].tid == tid)
			return i;
	return -1;
}

static void check_write(const struct recorder_record *record)
{
	int number = thread_number(record->tid);

	/* A thread killed before it had written down its number has nothing to compare. */
	if (number < 0)
		return;
	if (record->args[2].i64 != (int64_t)(seen[number] % 4096 * 8))
		fault("offset", record->tid, seen[number] % 4096 * 8,
		      (uint64_t)record->args[2].i64);
	if (record->ret != 8 || record->args[1].i64 != 8)
		fault("result", record->tid, 8, (uint64_t)record->ret);
	if (record->level != 0)
		fault("level", record->tid, 0, record->level);
	seen[number]++;
}

static int read_progress(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t got;

	if (!file)
		return -1;
	got = fread(progress, sizeof(progress[0]), THREADS_MAX, file);
	fclose(file);
	return got == THREADS_MAX ? 0 : -1;
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
		check_write(record);
	if (!cursor || reader_cursor_status(cursor)) {
		printf("cannot read: %s\n", reader_error(trace));
		faults++;
	}
	reader_cursor_free(cursor);
	for (unsigned i = 0; i < THREADS_MAX; i++)
		if (seen[i] != progress[i].done && seen[i] != progress[i].done + 1)
			fault("writes", progress[i].tid, progress[i].done, seen[i]);
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
	for (unsigned i = 0; i < THREADS_MAX; i++)
		total += progress[i].done;
	trace = reader_open(argv[1], NULL);
	if (!trace) {
		printf("cannot open: %s\n", reader_error(NULL));
		return total > 0;
	}
	check_trace(trace);
	reader_close(trace);
	printf("%" PRIu64 " writes, %u faults\n", total, faults);
	return faults > 0;
}
