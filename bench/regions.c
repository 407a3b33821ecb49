/* SPDX-License-Identifier: MIT */
/*
 * regions.c - what it costs a program to say what it is doing (recorder.h): beside the same function that says nothing.
 *
 * With librecorder.so preloaded, with its layer `user` off, and without it.
 */
#include <recorder/recorder.h>

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

/* One by one: who meets the end of a ring that others have filled pays for them. */
static void measure_one(const char *name, void (*function)(int))
{
	struct variant variants[] = {{run, (void *)nothing, 0, 0}, {run, (void *)function, 0, 0}};

	measure(variants, 2, &plan);
	report_added(name, &variants[1], &variants[0]);
}

int main(void)
{
	report("stamps", measure_stamps());
	measure_one("region", region);
	measure_one("number", with_number);
	measure_one("text", with_text);
	measure_one("counter", counter);
	return 0;
}
