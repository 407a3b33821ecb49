/* SPDX-License-Identifier: MIT */
/* exact.c - programs that look at how numbers with a point are calculated: nothing but themselves raises an exception of these, or chooses how they round. */
#define _GNU_SOURCE
#include <fenv.h>
#include <sys/wait.h>
#include <time.h>

#include "hostile.h"

#define CALLS 200000u
#define PAUSE_NS 1000000 /* so long that what the recorder does from time to time is done */

static int work(void)
{
	int file = open("exact.data", O_CREAT | O_RDWR | O_TRUNC, 0600), status = -1;
	const struct timespec pause = {0, PAUSE_NS};
	pid_t child;

	for (unsigned i = 0; i < 10; i++) {
		puts_many(file, CALLS / 10);
		nanosleep(&pause, NULL);
	}
	child = fork();
	if (child == 0)
		_exit(write(file, "x", 1) != 1 || fetestexcept(FE_ALL_EXCEPT));
	waitpid(child, &status, 0);
	close(file);
	return status;
}

/* What was raised since the process began, and since then. */
static int raised(void)
{
	int before = fetestexcept(FE_ALL_EXCEPT), status;

	fesetround(FE_UPWARD);
	status = work();
	printf("raised before %#x, since %#x, child %d, rounds up: %d\n", (unsigned)before,
	       (unsigned)fetestexcept(FE_ALL_EXCEPT), status, fegetround() == FE_UPWARD);
	return 0;
}

/* A result that is not exact ends the program. */
static int trapped(void)
{
	feenableexcept(FE_ALL_EXCEPT);
	printf("child %d\n", work());
	return 0;
}

int main(int argc, char **argv)
{
	static const struct hostile_case cases[] = {{"raised", raised}, {"trapped", trapped}};
	int status = argc == 2 ? RUN_CASE(cases, argv[1]) : 2;

	report(REPORT);
	return status;
}
