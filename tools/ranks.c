/* SPDX-License-Identifier: MIT */
/* ranks.c - see ranks.h */
#include "ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/job.h"
#include "hashes.h"
#include "message.h"
#include "temporary.h"

/* "PATH.NUMBERS OF THE JOB": no other job that writes to this place has the same. */
static char *base_of(const char *path)
{
	int stem = temporary_stem(path, strlen(path));
	char run[512], world[512];
	char *all = NULL, *base = NULL;

	job_run_name(run, sizeof(run));
	job_world_name(world, sizeof(world));
	/* with what the stem lacks: names that are as long may begin alike */
	if (asprintf(&all, "%s %s%s", run, world, path + stem) < 0 ||
	    asprintf(&base, "%.*s.%013" PRIx64, stem, path, name_hash(all, strlen(all))) < 0)
		die("out of memory");
	free(all);
	return base;
}

void ranks_init(struct ranks *ranks, const char *path, unsigned jobs, uint32_t parts)
{
	struct job_rank rank = job_rank();

	*ranks = (struct ranks){.count = jobs};
	if (rank.source && rank.size > 1) {
		ranks->launched = true;
		ranks->count = (unsigned)rank.size;
		ranks->number = (unsigned)rank.rank;
		ranks->base = base_of(path);
	} else if (ranks->count > parts) {
		ranks->count = parts > 0 ? parts : 1;
	}
}

bool ranks_follows(void)
{
	struct job_rank rank = job_rank();

	return rank.source && rank.size > 1 && rank.rank > 0;
}

void ranks_leave_to_first(void)
{
	if (ranks_follows())
		exit(EXIT_DONE);
}

void ranks_release(struct ranks *ranks)
{
	free(ranks->base);
	ranks->base = NULL;
}

void ranks_file(const struct ranks *ranks, unsigned number, const char *suffix, char *name,
		size_t size)
{
	if ((size_t)snprintf(name, size, "%s.%u%s", ranks->base, number, suffix) >= size)
		die("'%s' is too long", ranks->base);
}

void ranks_absent(const struct ranks *ranks, unsigned number)
{
	die("rank %u does not take part: all %u ranks of a job work together (to work alone, unset "
	    "%s)",
	    number, ranks->count, job_rank().source);
}
