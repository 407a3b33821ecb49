/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - what the call stack of a record costs: one that the thread had at the same place, and one that has to be followed.
 *
 * stacks FILE: to be run with librecorder.so and libstub.so preloaded, in this order, without and with RECORDER_STACKS: the difference is
 * the stack's. Calls are ten frames deep. To miss, calls come from more stack pointers than a thread remembers.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "measure.h"
#include "record/clock.h"

#define FRAMES 1 /* and those of measure(), main() and what called that */
#define SHIFTS 4099u

typedef ssize_t pwrite_function(int, const void *, size_t, off_t);

static const struct plan plan = {3001, 1, 100};
static char buffer[8];
static int file;
static off_t offset;
static volatile uint64_t stamps[2];

struct shape {
	pwrite_function *call;
	void (*innermost)(const struct shape *shape, unsigned calls);
};

static __attribute__((noinline)) void deeper(const struct shape *shape, unsigned frames,
					     unsigned calls)
{
	if (frames == 0)
		shape->innermost(shape, calls);
	else
		deeper(shape, frames - 1, calls);
	__asm__ volatile("");
}

static void run(void *data, unsigned calls)
{
	deeper(data, FRAMES, calls);
}

static void same_place(const struct shape *shape, unsigned calls)
{
	for (unsigned i = 0; i < calls; i++)
		shape->call(file, buffer, sizeof(buffer), offset += (off_t)sizeof(buffer));
}

static void stamped(const struct shape *shape, unsigned calls)
{
	for (unsigned i = 0; i < calls; i++) {
		stamps[0] = clock_ticks();
		shape->call(file, buffer, sizeof(buffer), offset += (off_t)sizeof(buffer));
		stamps[1] = clock_ticks();
	}
}

static __attribute__((noinline)) void call_shifted(const struct shape *shape, unsigned shift)
{
	char *space = __builtin_alloca(16 * (shift + 1));

	__asm__ volatile("" : : "r"(space) : "memory");
	shape->call(file, buffer, sizeof(buffer), offset += (off_t)sizeof(buffer));
}

static void other_places(const struct shape *shape, unsigned calls)
{
	static unsigned shift;

	for (unsigned i = 0; i < calls; i++)
		call_shifted(shape, shift = (shift + 1) % SHIFTS);
}

int main(int argc, char **argv)
{
	void *stub = dlopen("libstub.so", RTLD_LAZY | RTLD_NOLOAD);
	pwrite_function *bare = stub ? (pwrite_function *)dlsym(stub, "pwrite") : NULL;
	struct shape shapes[] = {{bare, same_place},
				 {bare, stamped},
				 {pwrite, same_place},
				 {bare, other_places},
				 {pwrite, other_places}};
	struct variant variants[5];

	if (argc != 2)
		return 2;
	if (!bare) {
		errno = ENOENT;
		die("libstub.so");
	}
	file = open(argv[1], O_WRONLY | O_CREAT, 0600);
	if (file < 0)
		die(argv[1]);
	for (unsigned i = 0; i < 5; i++)
		variants[i] = (struct variant){run, &shapes[i], 0, 0};
	measure_by_the_recorders_clock();
	measure(variants, 5, &plan);
	(void)stamps[0];
	report("stamps", variants[1].ns - variants[0].ns);
	report("same", variants[2].ns - variants[0].ns);
	report("other", variants[4].ns - variants[3].ns);
	close(file);
	unlink(argv[1]);
	return 0;
}
