/* SPDX-License-Identifier: MIT */
/* analyse.c - see analyse.h */
#include "analyse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/job.h"
#include "handin.h"
#include "hashes.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "walk.h"

static void show_progress(void *data, uint64_t done, uint64_t all)
{
	(void)data;
	progress_report("reading", done, all);
}

static _Noreturn void fail(const struct reader *trace, int error)
{
	message_error("%s", error == -ENOMEM ? "out of memory" : reader_error(trace));
	exit(error == -EINVAL ? EXIT_USAGE : EXIT_FAILED);
}

static struct analysis *read_share(struct reader *trace, unsigned part, unsigned parts)
{
	struct analysis_options how = {.sz = sizeof(how),
				       .filter = &options.filter,
				       .jobs = options_jobs(),
				       .progress = show_progress,
				       .part = part,
				       .parts = parts};
	struct analysis *analysis = analysis_new(trace, &how);
	int error = analysis ? analysis_run(analysis) : -errno;

	progress_clear();
	if (error)
		fail(trace, error);
	return analysis;
}

/* ---- ranks of a launcher ---- */

static uint64_t fingerprint(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	uint64_t numbers[3];

	reader_info(trace, &info);
	numbers[0] = (uint64_t)info.start;
	numbers[1] = info.records;
	numbers[2] = info.streams;
	return name_hash((const char *)numbers, sizeof(numbers));
}

static _Noreturn void give_tables(struct handin *handin, const struct analysis *analysis)
{
	size_t size;
	void *bytes = analysis_save(analysis, &size);

	if (!bytes)
		die("out of memory");
	handin_give(handin, bytes, size);
}

static void add_tables(void *analysis, const struct buffer *tables)
{
	if (analysis_add(analysis, tables->bytes, tables->size))
		die("what a rank found is not of this trace, or there is no memory for it");
}

static struct analysis *read_together(struct reader *trace, const char *dir)
{
	char *name = trace_name(dir);
	struct analysis *analysis;
	struct handin handin;

	handin_begin(&handin, trace, name, 1, 1, fingerprint(trace));
	analysis = read_share(trace, handin_number(&handin), handin_count(&handin));
	if (handin_number(&handin) > 0)
		give_tables(&handin, analysis);
	handin_take(&handin, add_tables, analysis);
	handin_end(&handin);
	free(name);
	return analysis;
}

/* ---- all of it ---- */

static struct analysis *analyse_by(const char *dir, struct reader **trace, struct reader_info *info,
				   bool together)
{
	bool quiet = message_quiet;
	struct analysis *analysis;

	message_quiet |= together && job_rank().rank > 0;
	*trace = trace_open(dir);
	info->sz = sizeof(*info);
	reader_info(*trace, info);
	analysis = together ? read_together(*trace, info->dir) : read_share(*trace, 0, 0);
	message_quiet = quiet;
	reader_info(*trace, info);
	trace_warn_incomplete(*trace, info);
	trace_warn_nothing(analysis_function_count(analysis));
	return analysis;
}

struct analysis *analyse(const char *dir, struct reader **trace, struct reader_info *info)
{
	struct job_rank rank = job_rank();

	return analyse_by(dir, trace, info, rank.source && rank.size > 1);
}

struct analysis *analyse_alone(const char *dir, struct reader **trace, struct reader_info *info)
{
	return analyse_by(dir, trace, info, false);
}
