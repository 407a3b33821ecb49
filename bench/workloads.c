/* SPDX-License-Identifier: MIT */
/*
 * workloads.c - what recording adds to loops of real calls; encoding, compression and writing included.
 *
 * workloads NAME DIR CALLS ROUNDS [THREADS]: to be run with librecorder.so preloaded. A round makes CALLS calls that are recorded and, in
 * turns with them, as many of libc's own functions behind the recorder's back, on files in DIR.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "functions.h"
#include "measure.h"

#define BLOCK_SIZE 4096u
#define BLOCKS 16384u
#define TRANSFER_SIZE 1024u
#define NAMES 1000u
#define NAME_SIZE 256u
#define CALLS_PER_NAME 5u
#define CALLS_PER_SAMPLE 5u
#define SAMPLE_SIZE 8192u /* at most */
#define CALLS_PER_TURN 4u
#define AGAIN 100u /* blocks */
#define PAGES 1000u
#define LOG_HEADER 24u
#define CYCLE 3000u
#define THREADS 4u /* at once, unless it is said */
#define THREADS_MAX 64u
#define PASSES 5u

/* A loop with its functions: the program's, which are the recorder's, libc's, or these between stamps. */
struct work {
	const struct functions *functions;
	int file;
	uint64_t position; /* where the last slice ended, in the loop's own terms */
	char path[NAME_SIZE];
	char (*names)[2][NAME_SIZE];
	/* of run_pages() */
	int log;
	uint64_t turns;
	char log_path[NAME_SIZE];
};

struct workload {
	const char *name;
	void (*run)(void *data, unsigned calls);
	unsigned calls; /* in a slice */
};

static const struct functions recorded = {pwrite, pread, write, read,   lseek, open,
					  close,  stat,  fstat, rename, unlink};

/* ---- loops ---- */

/* Small writes, each behind the one before. */
static void run_writes(void *data, unsigned calls)
{
	static const char bytes[8];
	struct work *work = data;
	off_t start = (off_t)(work->position++ % 64 * calls * sizeof(bytes));

	for (unsigned i = 0; i < calls; i++)
		work->functions->pwrite(work->file, bytes, sizeof(bytes),
					start + (off_t)(i * sizeof(bytes)));
}

static uint64_t next_random(struct work *work)
{
	work->position = work->position * 6364136223846793005u + 1442695040888963407u;
	return work->position >> 40;
}

/* Small writes at the same places in the same order, again and again. */
static void run_cycle(void *data, unsigned calls)
{
	static const char bytes[8];
	static off_t places[CYCLE];
	struct work *work = data;
	struct work order = {.position = 1};

	for (unsigned i = 0; i < CYCLE && !places[CYCLE - 1]; i++)
		places[i] = (off_t)(next_random(&order) % BLOCKS * sizeof(bytes) + sizeof(bytes));
	for (unsigned i = 0; i < calls; i++)
		work->functions->pwrite(work->file, bytes, sizeof(bytes),
					places[work->position++ % CYCLE]);
}

/* Files in no order, all of each, as samples of a training are read: one byte more than there is is asked for, and then once more. */
static void run_samples(void *data, unsigned calls)
{
	static char bytes[SAMPLE_SIZE + 1];
	struct work *work = data;
	const struct functions *functions = work->functions;

	for (unsigned i = 0; i < calls / CALLS_PER_SAMPLE; i++) {
		struct stat status = {.st_size = 0};
		int file = functions->open(work->names[next_random(work) % NAMES][0], O_RDONLY);

		functions->fstat(file, &status);
		functions->read(file, bytes, (size_t)status.st_size + 1);
		functions->read(file, bytes, 1);
		functions->close(file);
	}
}

/* Blocks in no order. */
static void run_random(void *data, unsigned calls)
{
	static const char bytes[BLOCK_SIZE];
	struct work *work = data;

	for (unsigned i = 0; i < calls; i++)
		work->functions->pwrite(work->file, bytes, sizeof(bytes),
					(off_t)(next_random(work) % BLOCKS * BLOCK_SIZE));
}

/* A segment of transfers, each with its seek, written and then read. */
static void run_nested(void *data, unsigned calls)
{
	char bytes[TRANSFER_SIZE] = "";
	struct work *work = data;
	const struct functions *functions = work->functions;
	off_t start = (off_t)(work->position++ % 64 * calls / 4 * TRANSFER_SIZE);

	for (unsigned i = 0; i < calls / 4; i++) {
		functions->lseek(work->file, start + (off_t)i * TRANSFER_SIZE, SEEK_SET);
		functions->write(work->file, bytes, sizeof(bytes));
	}
	for (unsigned i = 0; i < calls / 4; i++) {
		functions->lseek(work->file, start + (off_t)i * TRANSFER_SIZE, SEEK_SET);
		functions->read(work->file, bytes, sizeof(bytes));
	}
}

/* A few blocks, each with its seek, again and again. */
static void run_blocks(void *data, unsigned calls)
{
	static const char bytes[TRANSFER_SIZE];
	struct work *work = data;

	for (unsigned i = 0; i < calls / 2; i++) {
		work->functions->lseek(work->file,
				       (off_t)(work->position++ % AGAIN) * TRANSFER_SIZE, SEEK_SET);
		work->functions->write(work->file, bytes, sizeof(bytes));
	}
}

/* As a data base does: a page is changed, in no order, and goes to a log before it goes to its place. The log begins anew after a while. */
static void run_pages(void *data, unsigned calls)
{
	static char page[BLOCK_SIZE];
	struct work *work = data;
	const struct functions *functions = work->functions;

	for (unsigned i = 0; i < calls / CALLS_PER_TURN; i++) {
		off_t place = (off_t)(next_random(work) % PAGES * BLOCK_SIZE);
		off_t end = (off_t)(work->turns++ % PAGES * (LOG_HEADER + BLOCK_SIZE));

		functions->pread(work->file, page, sizeof(page), place);
		functions->pwrite(work->log, page, LOG_HEADER, end);
		functions->pwrite(work->log, page, sizeof(page), end + LOG_HEADER);
		functions->pwrite(work->file, page, sizeof(page), place);
	}
}

/* Files made, looked at, renamed and removed. */
static void run_metadata(void *data, unsigned calls)
{
	struct work *work = data;
	const struct functions *functions = work->functions;
	struct stat status;

	for (unsigned i = 0; i < calls / CALLS_PER_NAME; i++) {
		const char *name = work->names[work->position % NAMES][0];
		const char *renamed = work->names[work->position++ % NAMES][1];

		functions->close(functions->open(name, O_WRONLY | O_CREAT, 0600));
		functions->stat(name, &status);
		functions->rename(name, renamed);
		functions->unlink(renamed);
	}
}

static void run_fstat(void *data, unsigned calls)
{
	struct work *work = data;
	struct stat status;

	for (unsigned i = 0; i < calls; i++)
		work->functions->fstat(work->file, &status);
}

static const struct workload workloads[] = {
	{"writes", run_writes, 2000}, {"random", run_random, 1000},
	{"nested", run_nested, 2000}, {"metadata", run_metadata, 500},
	{"cycle", run_cycle, 2000},   {"samples", run_samples, 500},
	{"blocks", run_blocks, 2000}, {"pages", run_pages, 1000},
};

/* ---- their files ---- */

static void make_names(struct work *work)
{
	work->names = allocate(NAMES * sizeof(*work->names));
	for (unsigned i = 0; i < NAMES; i++) {
		snprintf(work->names[i][0], NAME_SIZE, "%.200s.%u", work->path, i);
		snprintf(work->names[i][1], NAME_SIZE, "%.200s.%u.renamed", work->path, i);
	}
}

/* All of a file's pages are there before anything is measured. */
static void fill_file(int file)
{
	static const char bytes[BLOCK_SIZE];

	for (unsigned i = 0; i < BLOCKS; i++)
		if (bare.pwrite(file, bytes, sizeof(bytes), (off_t)i * BLOCK_SIZE) < 0)
			die("pwrite");
}

/* Samples of different sizes. */
static void make_samples(const struct work *work)
{
	static const char bytes[SAMPLE_SIZE];

	for (unsigned i = 0; i < NAMES; i++) {
		int file = bare.open(work->names[i][0], O_WRONLY | O_CREAT | O_TRUNC, 0600);

		if (bare.write(file, bytes, i * 7919 % SAMPLE_SIZE) < 0 || bare.close(file))
			die(work->names[i][0]);
	}
}

static void remove_samples(const struct work *work)
{
	for (unsigned i = 0; i < NAMES; i++)
		bare.unlink(work->names[i][0]);
}

static void open_log(struct work *work)
{
	snprintf(work->log_path, sizeof(work->log_path), "%.200s.log", work->path);
	work->log = open(work->log_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (work->log < 0)
		die(work->log_path);
}

static void close_log(const struct work *work)
{
	close(work->log);
	unlink(work->log_path);
}

static void work_begin(struct work *work, const struct functions *functions, const char *dir,
		       unsigned number)
{
	work->functions = functions;
	work->position = work->turns = 0;
	snprintf(work->path, sizeof(work->path), "%.150s/work.%u.%d", dir, number,
		 functions == &recorded  ? 1
		 : functions == &stamped ? 2
					 : 0);
	/* by the program's open() for both: libc's own would leave the recorder an old idea of the descriptor */
	work->file = open(work->path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (work->file < 0)
		die(work->path);
	make_names(work);
}

static void work_end(struct work *work)
{
	close(work->file);
	unlink(work->path);
	free(work->names);
}

/* ---- one thread ---- */

struct result {
	double bare, added;
};

static struct plan plan_of(const struct workload *workload, unsigned calls, unsigned rounds)
{
	unsigned slices = calls / workload->calls;

	return (struct plan){rounds, slices ? slices : 1, workload->calls};
}

static void prepare(const struct workload *workload, struct work *work)
{
	if (workload->run == run_random)
		fill_file(work->file);
	if (workload->run == run_samples)
		make_samples(work);
	if (workload->run == run_pages)
		open_log(work);
}

static void clean(const struct workload *workload, struct work *work)
{
	if (workload->run == run_samples)
		remove_samples(work);
	if (workload->run == run_pages)
		close_log(work);
	work_end(work);
}

/* With libc's functions and others in turns. */
static struct result run_both(const struct workload *workload, const struct plan *plan,
			      const struct functions *functions, const char *dir, unsigned number)
{
	struct work works[2];
	struct variant variants[2] = {{workload->run, &works[0], 0, 0},
				      {workload->run, &works[1], 0, 0}};

	work_begin(&works[0], &bare, dir, number);
	work_begin(&works[1], functions, dir, number);
	for (unsigned i = 0; i < 2; i++)
		prepare(workload, &works[i]);
	measure(variants, 2, plan);
	for (unsigned i = 0; i < 2; i++)
		clean(workload, &works[i]);
	return (struct result){variants[0].ns, variants[1].ns - variants[0].ns};
}

/* What the one fstat(2) that the recorder makes at an open costs, per recorded call. */
static double fstat_share(const char *dir)
{
	const struct plan plan = {101, 1, 200};
	struct work work;
	struct variant variant = {run_fstat, &work, 0, 0};

	work_begin(&work, &bare, dir, 0);
	measure(&variant, 1, &plan);
	work_end(&work);
	return variant.ns / CALLS_PER_NAME;
}

/* ---- several threads ---- */

struct worker {
	pthread_t thread;
	pthread_barrier_t *start;
	const struct plan *plan;
	const char *dir;
	unsigned number;
	double added;
};

static void *run_worker(void *data)
{
	struct worker *worker = data;

	pthread_barrier_wait(worker->start);
	worker->added =
		run_both(&workloads[0], worker->plan, &recorded, worker->dir, worker->number).added;
	return NULL;
}

/* What a record costs, mean of `count` threads at once. */
static double run_workers(unsigned count, const struct plan *plan, const char *dir)
{
	struct worker workers[THREADS_MAX];
	pthread_barrier_t start;
	double sum = 0;

	pthread_barrier_init(&start, NULL, count);
	for (unsigned i = 0; i < count; i++) {
		workers[i] = (struct worker){0, &start, plan, dir, i, 0};
		errno = pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]);
		if (errno)
			die("pthread_create");
	}
	for (unsigned i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[i].added;
	}
	pthread_barrier_destroy(&start);
	return sum / count;
}

static void run_threads(const char *dir, unsigned calls, unsigned rounds, unsigned threads)
{
	struct plan plan = plan_of(&workloads[0], calls, rounds);
	double one[PASSES], all[PASSES];

	for (unsigned i = 0; i < PASSES; i++) {
		one[i] = run_workers(1, &plan, dir);
		all[i] = run_workers(threads, &plan, dir);
	}
	report("added_1", median(one, PASSES));
	report("added_all", median(all, PASSES));
}

static void run_workload(const struct workload *workload, const char *dir, unsigned calls,
			 unsigned rounds)
{
	struct plan plan = plan_of(workload, calls, rounds);
	struct result result = run_both(workload, &plan, &recorded, dir, 0);

	report("bare", result.bare);
	report("added", result.added);
	/* by themselves, as a third loop beside these two takes caches from both */
	report("stamped", run_both(workload, &plan, &stamped, dir, 0).added);
	if (workload->run == run_metadata)
		report("fstat", fstat_share(dir));
}

int main(int argc, char **argv)
{
	unsigned calls, rounds, threads;

	if (argc < 5 || argc > 6)
		return 2;
	calls = (unsigned)strtoul(argv[3], NULL, 10);
	rounds = (unsigned)strtoul(argv[4], NULL, 10);
	threads = argc == 6 ? (unsigned)strtoul(argv[5], NULL, 10) : THREADS;
	if (threads == 0 || threads > THREADS_MAX)
		return 2;
	functions_find();
	report("stamps", measure_stamps());
	if (!strcmp(argv[1], "threads")) {
		run_threads(argv[2], calls, rounds, threads);
		return 0;
	}
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(argv[1], workloads[i].name)) {
			run_workload(&workloads[i], argv[2], calls, rounds);
			return 0;
		}
	return 2;
}
