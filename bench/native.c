/* SPDX-License-Identifier: MIT */
/*
 * native.c - what tracing a function by name adds to a call of it, beside a neighbour that is not named, and beside the program without the recorder.
 *
 * Built in four ways: as it is, with -finstrument-functions, with -pg -mfentry, with -fpatchable-function-entry. `target` is what is named.
 */
#include "measure.h"

#define UNTOUCHED __attribute__((no_instrument_function))

static const struct plan plan = {2001, 1, 100};

void target(int i);
void with_number(int i);
void neighbour(int i);
void run(void *function, unsigned calls);
int main(void);

__attribute__((noinline)) void target(int i)
{
	__asm__ volatile("nop; nop; nop; nop; nop" : : "r"(i));
}

__attribute__((noinline)) void with_number(int i)
{
	__asm__ volatile("nop; nop; nop; nop; nop" : : "r"(i));
}

__attribute__((noinline)) void neighbour(int i)
{
	__asm__ volatile("nop; nop; nop; nop; nop" : : "r"(i));
}

UNTOUCHED __attribute__((noinline)) static void nothing(int i)
{
	__asm__ volatile("nop; nop; nop; nop; nop" : : "r"(i));
}

UNTOUCHED void run(void *function, unsigned calls)
{
	void (*call)(int) = (void (*)(int))function;

	for (unsigned i = 0; i < calls; i++)
		call((int)i);
}

/* One by one: who meets the end of a ring that others have filled pays for them. */
UNTOUCHED static void measure_one(const char *name, void (*function)(int))
{
	struct variant variants[] = {{run, (void *)nothing, 0, 0}, {run, (void *)function, 0, 0}};

	measure(variants, 2, &plan);
	report_added(name, &variants[1], &variants[0]);
}

UNTOUCHED int main(void)
{
	report("stamps", measure_stamps());
	measure_one("target", target);
	measure_one("number", with_number);
	measure_one("neighbour", neighbour);
	return 0;
}
