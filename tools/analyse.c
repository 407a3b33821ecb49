/* SPDX-License-Identifier: MIT */
/* analyse.c - see analyse.h */
#include "analyse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "progress.h"

static void show_progress(void *data, uint64_t done, uint64_t all)
{
	(void)data;
	progress_report("reading", done, all);
}

struct analysis *analyse(struct reader *trace)
{
	struct analysis_options how = {.sz = sizeof(how),
				       .filter = &options.filter,
				       .jobs = options_jobs(),
				       .progress = show_progress};
	struct analysis *analysis = analysis_new(trace, &how);
	int error = analysis ? analysis_run(analysis) : -errno;

	progress_clear();
	if (error == 0)
		return analysis;
	message_error("%s", error == -ENOMEM ? "out of memory" : reader_error(trace));
	exit(error == -EINVAL ? EXIT_USAGE : EXIT_FAILED);
}
