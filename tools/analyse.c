/* SPDX-License-Identifier: MIT */
/* analyse.c - see analyse.h */
#include "analyse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "damage.h"
#include "format/job.h"
#include "hashes.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "walk.h"

#define TABLES CREW_FIRST_TYPE

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

static void tell_leader(struct crew *crew, const struct analysis *analysis,
			const struct reader *trace, unsigned known)
{
	size_t size;
	void *bytes = analysis_save(analysis, &size);

	if (!bytes)
		die("out of memory");
	crew_say(crew, TABLES, bytes, size);
	free(bytes);
	damage_tell(crew, trace, known);
	crew_leave(crew);
	exit(EXIT_DONE);
}

static void hear_others(struct crew *crew, const struct ranks *who, struct analysis *analysis,
			struct reader *trace)
{
	struct buffer body = {0};

	for (unsigned number = 1; number < who->count; number++) {
		while (!crew_hear(crew, number, 0, TABLES, &body))
			crew_wait(crew, number);
		if (analysis_add(analysis, body.bytes, body.size))
			die("what rank %u found is not of this trace, or there is no memory for it",
			    number);
		damage_learn(crew, number, trace);
	}
	buffer_release(&body);
	crew_gather(crew);
	crew_end(crew);
}

static struct analysis *read_together(struct reader *trace, const char *dir)
{
	unsigned known = reader_problem_count(trace);
	char *name = trace_name(dir);
	struct analysis *analysis;
	struct ranks who;
	struct crew *crew;

	ranks_init(&who, name, 1, 1);
	crew = crew_start(&who, fingerprint(trace));
	analysis = read_share(trace, who.number, who.count);
	if (who.number > 0)
		tell_leader(crew, analysis, trace, known);
	hear_others(crew, &who, analysis, trace);
	ranks_release(&who);
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
