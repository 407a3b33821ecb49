/* SPDX-License-Identifier: MIT */
/*
 * call.c - what recording one pwrite() costs, and forwarding one that is filtered out.
 *
 * call FILE: to be run with librecorder.so and libstub.so preloaded, in this order. Slices are shorter than a ring, and few
 * of them meet its end, so the median knows no sealing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "measure.h"
#include "record/clock.h"

typedef ssize_t pwrite_function(int, const void *, size_t, off_t);

static const struct plan plan = {3001, 1, 100};
static char buffer[8];
static int file;
static off_t offset;
static volatile uint64_t stamps[2]; /* stored, as a record would be */

static void run_calls(void *data, unsigned calls)
{
	pwrite_function *call = data;

	for (unsigned i = 0; i < calls; i++)
		call(file, buffer, sizeof(buffer), offset += (off_t)sizeof(buffer));
}

static void run_stamped_calls(void *data, unsigned calls)
{
	pwrite_function *call = data;

	for (unsigned i = 0; i < calls; i++) {
		stamps[0] = clock_ticks();
		call(file, buffer, sizeof(buffer), offset += (off_t)sizeof(buffer));
		stamps[1] = clock_ticks();
	}
}

static void *stub_pwrite(void)
{
	void *stub = dlopen("libstub.so", RTLD_LAZY | RTLD_NOLOAD);
	void *function = stub ? dlsym(stub, "pwrite") : NULL;

	if (!function) {
		errno = ENOENT;
		die("libstub.so");
	}
	return function;
}

int main(int argc, char **argv)
{
	void *stub = stub_pwrite();
	struct variant variants[] = {
		{run_calls, stub, 0, 0},
		{run_stamped_calls, stub, 0, 0},
		{run_calls, (void *)pwrite, 0, 0},
	};

	if (argc != 2)
		return 2;
	file = open(argv[1], O_WRONLY | O_CREAT, 0600);
	if (file < 0)
		die(argv[1]);
	measure_by_the_recorders_clock();
	measure(variants, 3, &plan);
	(void)stamps[0];
	report("bare", variants[0].ns);
	report("stamps", variants[1].ns - variants[0].ns);
	report("added", variants[2].ns - variants[0].ns);
	close(file);
	unlink(argv[1]);
	return 0;
}
