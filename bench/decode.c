/* SPDX-License-Identifier: MIT */
/*
 * decode.c - what reading a trace costs: every record, as a structure, through libreader.
 *
 * decode DIR ROUNDS: in the order of ends, which is that of the file, and in the order of time.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <recorder/reader.h>

#include "measure.h"

struct reading {
	double ns; /* CPU time of a record, opening the trace included */
	uint64_t records;
};

static struct reading read_all(const char *dir, enum reader_order order)
{
	const struct reader_filter filter = {.sz = sizeof(filter), .order = order};
	int64_t before = cpu_now();
	struct reader *trace = reader_open(dir, NULL);
	struct reader_cursor *cursor = trace ? reader_cursor_new(trace, &filter) : NULL;
	uint64_t records = 0;

	if (!cursor)
		die(reader_error(trace));
	while (reader_next(cursor))
		records++;
	if (reader_cursor_status(cursor))
		die(reader_error(trace));
	reader_cursor_free(cursor);
	reader_close(trace);
	if (!records) {
		errno = ENODATA;
		die(dir);
	}
	return (struct reading){(double)(cpu_now() - before) / (double)records, records};
}

static double peak_megabytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	double *by_end, *by_time;
	uint64_t records = 0;

	if (!rounds)
		return 2;
	by_end = allocate(rounds * sizeof(*by_end));
	by_time = allocate(rounds * sizeof(*by_time));
	for (unsigned i = 0; i < rounds; i++) {
		struct reading reading = read_all(argv[1], READER_BY_END);

		by_end[i] = reading.ns;
		by_time[i] = read_all(argv[1], READER_BY_TIME).ns;
		records = reading.records;
	}
	report("records", (double)records);
	report("by_end", median(by_end, rounds));
	report("by_time", median(by_time, rounds));
	report("megabytes", peak_megabytes());
	free(by_end);
	free(by_time);
	return 0;
}
