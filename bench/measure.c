/* SPDX-License-Identifier: MIT */
/* measure.c - rounds, slices, medians. */
#include "measure.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/clock_source.h"

#define CLOCK_TRIES 2001u

static const struct plan stamps_plan = {501, 1, 200};

/* Of clock.h, whose other half is in librecorder.so. */
bool clock_is_monotonic;

void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

void *allocate(unsigned long size)
{
	void *memory = calloc(1, size);

	if (!memory)
		die("calloc");
	return memory;
}

int cpu_number(unsigned number)
{
	cpu_set_t usable;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof(usable), &usable))
		die("sched_getaffinity");
	number %= (unsigned)CPU_COUNT(&usable);
	do
		cpu++;
	while (!CPU_ISSET(cpu, &usable) || number--);
	return cpu;
}

void stay_on(int cpu)
{
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	if (sched_setaffinity(0, sizeof(only), &only))
		die("sched_setaffinity");
}

int64_t cpu_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare_values(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double microseconds(struct timeval time)
{
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

double child_time(int pid)
{
	struct rusage usage;
	int status;

	if (wait4(pid, &status, 0, &usage) != pid || status != 0) {
		errno = ECHILD;
		die("a child");
	}
	return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

double median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), compare_values);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

void report(const char *name, double value)
{
	printf("%s %.9g\n", name, value);
}

void report_added(const char *name, const struct variant *with, const struct variant *without)
{
	printf("%s %.9g\n%s_all %.9g\n", name, with->ns - without->ns, name,
	       with->mean - without->mean);
}

static double mean(const double *values, unsigned count)
{
	double sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += values[i];
	return sum / count;
}

/* What the CPU clock adds to a slice. */
static double clock_cost(void)
{
	static __thread double costs[CLOCK_TRIES];

	for (unsigned i = 0; i < CLOCK_TRIES; i++) {
		int64_t before = cpu_now();

		costs[i] = (double)(cpu_now() - before);
	}
	return median(costs, CLOCK_TRIES);
}

static double run_slice(const struct variant *variant, unsigned calls)
{
	int64_t before = cpu_now();

	variant->run(variant->data, calls);
	return (double)(cpu_now() - before);
}

/* Adds the time of one round to each variant's value. */
static void run_round(struct variant *variants, unsigned count, const struct plan *plan,
		      unsigned round)
{
	for (unsigned slice = 0; slice < plan->slices; slice++)
		for (unsigned i = 0; i < count; i++) {
			struct variant *variant = &variants[(i + slice + round) % count];

			variant->ns += run_slice(variant, plan->calls);
		}
}

void measure(struct variant *variants, unsigned count, const struct plan *plan)
{
	double *values = allocate((unsigned long)count * plan->rounds * sizeof(*values));
	double clock = clock_cost();

	for (unsigned i = 0; i < count; i++)
		run_slice(&variants[i], plan->calls);
	for (unsigned round = 0; round < plan->rounds; round++) {
		for (unsigned i = 0; i < count; i++)
			variants[i].ns = 0;
		run_round(variants, count, plan, round);
		for (unsigned i = 0; i < count; i++)
			values[i * plan->rounds + round] =
				(variants[i].ns / plan->slices - clock) / plan->calls;
	}
	for (unsigned i = 0; i < count; i++) {
		variants[i].mean = mean(values + (unsigned long)i * plan->rounds, plan->rounds);
		variants[i].ns = median(values + (unsigned long)i * plan->rounds, plan->rounds);
	}
	free(values);
}

/* It is compiled in all the ways that bench/native.c is. */
#define UNTOUCHED __attribute__((no_instrument_function))

UNTOUCHED static void nothing(void)
{
}

UNTOUCHED uint64_t clock_monotonic_ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int64_t tell(clockid_t clock)
{
	struct timespec now = {0, 0};

	clock_gettime(clock, &now);
	return now.tv_nsec;
}

/* By system calls themselves: read(), fgets() and their like may be stubs that do nothing (stub.c). */
void measure_by_the_recorders_clock(void)
{
	char name[CLOCK_SOURCE_ROOM] = "";
	long source = syscall(SYS_openat, AT_FDCWD, CLOCK_SOURCE_FILE, O_RDONLY | O_CLOEXEC);

	if (source < 0 || syscall(SYS_read, source, name, sizeof(name) - 1) <= 0)
		die(CLOCK_SOURCE_FILE);
	clock_is_monotonic = !clock_source_is_counter(name, tell);
	syscall(SYS_close, source);
}

/* Not seen through by the compiler. */
static void (*volatile empty)(void) = nothing;

UNTOUCHED static void run_calls(void *data, unsigned calls)
{
	(void)data;
	for (unsigned i = 0; i < calls; i++)
		empty();
}

UNTOUCHED static void run_stamped_calls(void *data, unsigned calls)
{
	volatile uint64_t *stamps = data;

	for (unsigned i = 0; i < calls; i++) {
		stamps[0] = clock_ticks();
		empty();
		stamps[1] = clock_ticks();
	}
}

double measure_stamps(void)
{
	uint64_t stamps[2];
	struct variant variants[] = {{run_calls, NULL, 0, 0}, {run_stamped_calls, stamps, 0, 0}};

	measure_by_the_recorders_clock();
	measure(variants, 2, &stamps_plan);
	return variants[1].ns - variants[0].ns;
}
