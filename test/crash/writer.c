/* SPDX-License-Identifier: MIT */
/* writer DATA PROGRESS THREADS: threads that write until they are killed, each to DATA.t, and keep in PROGRESS how far each came. */
#include "progress.h"

#define THREADS_MAX 64

static struct progress *progress;
static const char *data;

static void *write_on(void *argument)
{
	uintptr_t number = (uintptr_t)argument;
	char name[4096];

	snprintf(name, sizeof(name), "%s.%u", data, (unsigned)number);
	progress_write(name, &progress[number]);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	data = argv[1];
	progress = progress_map(argv[2], threads);
	if (!progress)
		return 2;
	progress_run(threads, write_on);
	return 2;
}
