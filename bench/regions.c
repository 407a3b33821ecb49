/* SPDX-License-Identifier: MIT */
/*
 * regions.c - what it costs a program to say what it is doing (recorder.h): beside the same function that says nothing.
 *
 * With librecorder.so preloaded, with its layer `user` off, and without it.
 */
#include <recorder/recorder.h>

#include <stddef.h>

#include "measure.h"

static const struct plan plan = {2001, 1, 100};

static __attribute__((noinline)) void nothing(int i)
{
	__asm__ volatile("" : : "r"(i));
}

static __attribute__((noinline)) void region(int i)
{
	RECORDER_REGION("region");

	__asm__ volatile("" : : "r"(i));
}

static __attribute__((noinline)) void with_number(int i)
{
	RECORDER_REGION("number");

	recorder_set_int("step", i);
}

static __attribute__((noinline)) void with_text(int i)
{
	RECORDER_REGION("text");

	recorder_set_string("phase", i % 2 ? "forward" : "backward");
}

static __attribute__((noinline)) void counter(int i)
{
	RECORDER_COUNTER("counter", i);
}

static void run(void *function, unsigned calls)
{
	void (*call)(int) = (void (*)(int))function;

	for (unsigned i = 0; i < calls; i++)
		call((int)i);
}

int main(void)
{
	static const char *const names[] = {NULL, "region", "number", "text", "counter"};
	struct variant variants[] = {{run, (void *)nothing, 0, 0},
				     {run, (void *)region, 0, 0},
				     {run, (void *)with_number, 0, 0},
				     {run, (void *)with_text, 0, 0},
				     {run, (void *)counter, 0, 0}};

	report("stamps", measure_stamps());
	measure(variants, 5, &plan);
	for (unsigned i = 1; i < 5; i++)
		report_added(names[i], &variants[i], &variants[0]);
	return 0;
}
