/* SPDX-License-Identifier: MIT */
/*
 * characters.c - threads that put, get and put back characters until they are killed.
 *
 *	characters DATA PROGRESS THREADS	each to and from DATA.t, and how far each came is in PROGRESS
 *	characters PROGRESS			prints "TID CHARACTERS" of each
 */
#include "progress.h"

#include <inttypes.h>
#include <sys/stat.h>

#define THREADS_MAX 64
#define ROUND 3000 /* characters, then they are read again */

static struct progress *progress;
static const char *data;

static void count(struct progress *entry)
{
	atomic_store_explicit(&entry->done, atomic_load(&entry->done) + 1, memory_order_release);
}

/* Runs of several places at once. */
static void peek(FILE *stream, struct progress *entry)
{
	int character = fgetc(stream);

	count(entry);
	if (ungetc(character, stream) != character)
		exit(2);
	count(entry);
}

static void *work(void *argument)
{
	struct progress *entry = &progress[(uintptr_t)argument];
	char name[4096];
	FILE *stream;

	snprintf(name, sizeof(name), "%s.%u", data, (unsigned)(uintptr_t)argument);
	stream = fopen(name, "w+");
	if (!stream)
		exit(2);
	atomic_store(&entry->thread, progress_thread((uint32_t)getpid(), (uint32_t)gettid()));
	for (;;) {
		rewind(stream);
		for (int i = 0; i < ROUND; i++) {
			fputc('a' + i % 26, stream);
			count(entry);
		}
		rewind(stream);
		for (int i = 0; i < ROUND; i++) {
			if (i % 100 < 50)
				peek(stream, entry);
			if (fgetc(stream) != 'a' + i % 26)
				exit(2);
			count(entry);
		}
	}
}

static int print(const char *path)
{
	struct stat status;
	size_t threads;

	if (stat(path, &status))
		return 2;
	threads = (size_t)status.st_size / sizeof(*progress);
	progress = progress_map(path, threads);
	for (size_t i = 0; progress && i < threads; i++)
		if (progress[i].thread)
			printf("%u %" PRIu64 "\n", (unsigned)progress[i].thread, progress[i].done);
	return progress ? 0 : 2;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

	if (argc == 2)
		return print(argv[1]);
	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	data = argv[1];
	progress = progress_map(argv[2], threads);
	if (!progress)
		return 2;
	progress_run(threads, work);
	return 2;
}
