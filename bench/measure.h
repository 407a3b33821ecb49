/* SPDX-License-Identifier: MIT */
/*
 * measure.h - how everything in bench/ is measured.
 *
 * Variants of one loop (without and with the recorder) run in the same thread of the same process, in short slices whose order
 * rotates, each timed by the CPU clock of the thread. What one slice suffers (interrupts, a neighbour's load, a busy cache), the others
 * suffer as well. A round is a number of slices of each variant; the result is the median of the rounds.
 *
 * The unit is 2T: what two readings of the counter around a call add to the call.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>

struct variant {
	void (*run)(void *data, unsigned calls);
	void *data;
	/* out: CPU time of a call, median of the rounds, without what the CPU clock itself costs. Of slices that are short beside a ring: without what is done when one is full */
	double ns;
	double mean; /* of all rounds: with it */
};

struct plan {
	unsigned rounds;
	unsigned slices; /* of each variant, in a round */
	unsigned calls;  /* in a slice */
};

/* CPU time of the calling thread, in ns. */
int64_t cpu_now(void);

/* Runs the variants after one slice of each that does not count. */
void measure(struct variant *variants, unsigned count, const struct plan *plan);

/* From then on clock_ticks() is what the recorder stamps its records with on this machine. */
void measure_by_the_recorders_clock(void);

/* 2T around a call of an empty function, in ns. */
double measure_stamps(void);

double median(double *values, unsigned count);

/* Waits for a child, which must end with status 0; its CPU time in microseconds. */
double child_time(int pid);

/* Prints "NAME VALUE", which bench/run reads. */
void report(const char *name, double value);
/* What a variant adds to another one, and as "NAME_all" what it adds with all that is done now and then. */
void report_added(const char *name, const struct variant *with, const struct variant *without);

void *allocate(unsigned long size);

/* One of the CPUs that the calling thread may use, counted round and round; has it use no other. */
int cpu_number(unsigned number);
void stay_on(int cpu);

/* Says on stderr what failed, with errno, and exits with 1. */
void die(const char *what) __attribute__((noreturn));

#endif
