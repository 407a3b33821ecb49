/* SPDX-License-Identifier: MIT */
/*
 * decode.c - what reading a trace costs: every record, as a structure, through libreader.
 *
 * decode DIR ROUNDS: in the order of ends, which is that of the file, and in the order of time; in shares of one thread and of two at once; by two processes at
 * once that have nothing to do with each other, which tells what of that is the machine.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A share of an open trace, the CPU that reads it, and the CPU time that reading it takes. */
struct share {
	struct reader *trace;
	unsigned part, parts;
	int cpu;
	double ns;
};

static void *read_share(void *data)
{
	struct share *share = data;
	const struct reader_filter filter = {.sz = sizeof(filter),
					     .order = READER_BY_END,
					     .part = share->part,
					     .parts = share->parts};
	struct reader_cursor *cursor;
	int64_t before;

	stay_on(share->cpu);
	before = cpu_now();
	cursor = reader_cursor_new(share->trace, &filter);
	if (!cursor)
		die(reader_error(share->trace));
	while (reader_next(cursor))
		;
	reader_cursor_free(cursor);
	share->ns = (double)(cpu_now() - before);
	return NULL;
}

static void read_at_once(struct share shares[2])
{
	pthread_t threads[2];

	for (unsigned i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, read_share, &shares[i]))
			die("pthread_create");
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* What one thread takes for everything on that CPU. */
static double read_alone(struct reader *trace, int cpu)
{
	struct share share = {.trace = trace, .parts = 1, .cpu = cpu};
	pthread_t thread;

	if (pthread_create(&thread, NULL, read_share, &share))
		die("pthread_create");
	pthread_join(thread, NULL);
	return share.ns;
}

/*
 * CPU time of two threads, and of the one that takes longer, as parts of what one alone takes: each beside one on its own CPU, before and after, as one CPU
 * of a virtual machine can be half as fast as the other for as long as a neighbour likes.
 */
static void read_shared(const char *dir, double *both, double *longer)
{
	struct reader *trace = reader_open(dir, NULL);
	struct share shares[] = {{trace, 0, 2, cpu_number(0), 0}, {trace, 1, 2, cpu_number(1), 0}};
	double alone[2], part[2];

	if (!trace)
		die(reader_error(NULL));
	for (unsigned i = 0; i < 2; i++)
		alone[i] = read_alone(trace, shares[i].cpu);
	read_at_once(shares);
	for (unsigned i = 0; i < 2; i++) {
		alone[i] = (alone[i] + read_alone(trace, shares[i].cpu)) / 2;
		part[i] = shares[i].ns / alone[i];
	}
	reader_close(trace);
	*both = part[0] + part[1];
	*longer = part[0] > part[1] ? part[0] : part[1];
}

/* A process that reads everything, whose CPU time of a record comes out of the descriptor. */
static int begin_process(const char *dir, pid_t *process)
{
	int ends[2];

	if (pipe(ends))
		die("pipe");
	*process = fork();
	if (*process < 0)
		die("fork");
	if (*process == 0) {
		double ns = read_all(dir, READER_BY_END).ns;

		_exit(write(ends[1], &ns, sizeof(ns)) != sizeof(ns));
	}
	close(ends[1]);
	return ends[0];
}

static double end_process(int end, pid_t process)
{
	double ns;
	int status;

	if (read(end, &ns, sizeof(ns)) != sizeof(ns) || waitpid(process, &status, 0) < 0 || status)
		die("a process that reads the trace");
	close(end);
	return ns;
}

/* What a record costs each of two processes at once, as a part of what it costs one alone. */
static double read_apart(const char *dir)
{
	pid_t processes[2];
	int ends[2];
	double alone, both = 0;

	ends[0] = begin_process(dir, &processes[0]);
	alone = end_process(ends[0], processes[0]);
	for (unsigned i = 0; i < 2; i++)
		ends[i] = begin_process(dir, &processes[i]);
	for (unsigned i = 0; i < 2; i++)
		both += end_process(ends[i], processes[i]);
	return both / 2 / alone;
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
	double *by_end, *by_time, *both, *longer, *apart;
	uint64_t records = 0;

	if (!rounds)
		return 2;
	by_end = allocate(rounds * sizeof(*by_end));
	by_time = allocate(rounds * sizeof(*by_time));
	both = allocate(rounds * sizeof(*both));
	longer = allocate(rounds * sizeof(*longer));
	apart = allocate(rounds * sizeof(*apart));
	for (unsigned i = 0; i < rounds; i++) {
		struct reading reading = read_all(argv[1], READER_BY_END);

		by_end[i] = reading.ns;
		by_time[i] = read_all(argv[1], READER_BY_TIME).ns;
		records = reading.records;
		read_shared(argv[1], &both[i], &longer[i]);
	}
	/* last, as a process that has forked gets its own memory again page by page */
	for (unsigned i = 0; i < rounds; i++)
		apart[i] = read_apart(argv[1]);
	report("records", (double)records);
	report("by_end", median(by_end, rounds));
	report("by_time", median(by_time, rounds));
	report("both", median(both, rounds));
	report("longer", median(longer, rounds));
	report("apart", median(apart, rounds));
	report("megabytes", peak_megabytes());
	free(by_end);
	free(by_time);
	free(both);
	free(longer);
	free(apart);
	return 0;
}
