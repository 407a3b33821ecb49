/* SPDX-License-Identifier: MIT */
/* runpfw.c - see runpfw.h */
#include "runpfw.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folders.h"
#include "message.h"
#include "options.h"
#include "outputs.h"
#include "perprocess.h"

static bool is_zero(const char *name)
{
	const char *value = getenv(name);

	return value && !strcmp(value, "0");
}

static unsigned make_files(const char *path, const char *prefix)
{
	struct convert_options convert = {.form = &out_pfw_form,
					  .gzip = !is_zero("DFTRACER_TRACE_COMPRESSION"),
					  .no_args = is_zero("DFTRACER_INC_METADATA"),
					  .jobs = options_jobs()};
	struct per_process per = {.prefix = prefix,
				  .ending = convert.gzip ? "pfw.gz" : "pfw",
				  .convert = &convert,
				  .count = 1};
	struct walk walk;
	unsigned count;

	walk_open(&walk, path);
	count = convert_per_process(&walk, &per);
	reader_close(walk.trace);
	return count;
}

static _Noreturn void make(const char *path, const char *prefix, int rank)
{
	bool quiet = message_quiet;
	unsigned count;
	char number[16];

	options.filter.in_flight = 1;
	snprintf(number, sizeof(number), "%d", rank);
	if (rank != RUN_PFW_ALL)
		options.filter.ranks = number;
	folders_make_above(prefix); /* what is wrong is told when a file is made */
	message_quiet = true;       /* what is wrong with the trace has been told */
	count = make_files(path, prefix);
	message_quiet = quiet;
	if (rank == RUN_PFW_ALL)
		message_note("%u file%s of events: %s-...", count, count == 1 ? "" : "s", prefix);
	fflush(NULL);
	_exit(EXIT_DONE);
}

void run_pfw(const char *path, const char *prefix, int rank)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		make(path, prefix, rank);
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		message_warn("not all files %s-... were made", prefix);
}
