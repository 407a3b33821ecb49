/* SPDX-License-Identifier: MIT */
/*
 * openings.c - what it takes to know which file a descriptor stands for, by the way in which it came to be.
 *
 * openings DIR ROUNDS: to be run with librecorder.so preloaded, as workloads is. Of each way "NAME_bare", what the calls take by themselves, and
 * "NAME_added", in ns a time: an open and its close, a pipe and its two, a close of what is not open.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libc_function.h"
#include "measure.h"

#define FILE_NAME "openings.file"
#define NOT_OPEN 900 /* and the 50 behind it; more are open in no bench */
#define CALLS 50
#define SLICES 20

struct functions {
	int (*open)(const char *, int, ...);
	int (*openat)(int, const char *, int, ...);
	int (*close)(int);
	int (*pipe)(int *);
};

static const struct functions recorded = {open, openat, close, pipe};
static struct functions bare;

struct way {
	const struct functions *functions;
	const char *path;
	int folder;
};

static void run_path(void *data, unsigned calls)
{
	const struct way *way = data;

	for (unsigned i = 0; i < calls; i++)
		way->functions->close(way->functions->open(way->path, O_RDONLY));
}

static void run_below(void *data, unsigned calls)
{
	const struct way *way = data;

	for (unsigned i = 0; i < calls; i++)
		way->functions->close(way->functions->openat(way->folder, FILE_NAME, O_RDONLY));
}

static void run_pipe(void *data, unsigned calls)
{
	const struct way *way = data;
	int ends[2];

	for (unsigned i = 0; i < calls; i++) {
		if (way->functions->pipe(ends))
			die("pipe");
		way->functions->close(ends[0]);
		way->functions->close(ends[1]);
	}
}

static void run_not_open(void *data, unsigned calls)
{
	const struct way *way = data;

	for (unsigned i = 0; i < calls; i++)
		way->functions->close(NOT_OPEN + (int)i);
}

static void measure_way(const char *name, void (*run)(void *, unsigned), const char *path,
			int folder, unsigned rounds)
{
	struct way ways[] = {{&bare, path, folder}, {&recorded, path, folder}};
	struct variant variants[] = {{run, &ways[0], 0, 0}, {run, &ways[1], 0, 0}};
	const struct plan plan = {rounds, SLICES, CALLS};
	char label[64];

	measure(variants, 2, &plan);
	snprintf(label, sizeof(label), "%s_bare", name);
	report(label, variants[0].ns);
	snprintf(label, sizeof(label), "%s_added", name);
	report(label, variants[1].ns - variants[0].ns);
}

static void find_bare(void)
{
	bare.open = libc_function("open");
	bare.openat = libc_function("openat");
	bare.close = libc_function("close");
	bare.pipe = libc_function("pipe");
}

int main(int argc, char **argv)
{
	unsigned rounds;
	int folder;

	if (argc != 3 || chdir(argv[1]))
		return 2;
	rounds = (unsigned)strtoul(argv[2], NULL, 10);
	find_bare();
	close(open(FILE_NAME, O_RDWR | O_CREAT, 0600));
	folder = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (folder < 0)
		die(argv[1]);
	measure_way("path", run_path, FILE_NAME, -1, rounds);
	measure_way("dotted", run_path, "./" FILE_NAME, -1, rounds);
	measure_way("below", run_below, NULL, folder, rounds);
	measure_way("pipe", run_pipe, NULL, -1, rounds);
	measure_way("not_open", run_not_open, NULL, -1, rounds);
	unlink(FILE_NAME);
	return 0;
}
