/* SPDX-License-Identifier: MIT */
/* rules_conflicts.c - findings about bytes that several ranks touch, see judging.h */
#include <inttypes.h>
#include <string.h>

#include "analysis/judging.h"
#include "analysis/quantities.h"

/* What all calls on a file took. */
static int64_t time_of(const struct judging *judging, const char *path)
{
	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++)
		if (!strcmp(analysis_file(judging->analysis, i)->path, path))
			return analysis_file(judging->analysis, i)->access.sums.time;
	return 0;
}

/* The first pair of ranks on a file in which something is so; NULL: none. */
static const struct analysis_rank_conflict *first_pair(const struct judging *judging,
						       const char *path, enum analysis_model model)
{
	for (unsigned i = 0; i < analysis_rank_conflict_count(judging->analysis); i++) {
		const struct analysis_rank_conflict *pair =
			analysis_rank_conflict(judging->analysis, i);

		if (!strcmp(pair->path, path) && pair->conflicts.violates[model])
			return pair;
	}
	return NULL;
}

/* Of all files that violate a model the one with most violations. */
static void judge(struct judging *judging, enum analysis_model model, const char *what)
{
	const struct analysis_shared_file *worst = NULL;
	const struct analysis_rank_conflict *pair;
	unsigned files = 0;
	char count[QUANTITY_ROOM], one[QUANTITY_ROOM], other[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_shared_file_count(judging->analysis); i++) {
		const struct analysis_shared_file *file =
			analysis_shared_file(judging->analysis, i);

		if (file->verdicts[model] != ANALYSIS_VIOLATED)
			continue;
		files++;
		if (!worst || file->conflicts.violates[model] > worst->conflicts.violates[model])
			worst = file;
	}
	pair = worst ? first_pair(judging, worst->path, model) : NULL;
	if (!pair)
		return;
	judging->about_results = true;
	judging_found(judging, time_of(judging, worst->path),
		      "%s: %s times in %.300s, by ranks %s and %s"
		      " at byte %" PRId64 " for instance; in %u file%s.",
		      what, quantity_count(count, worst->conflicts.violates[model]), worst->path,
		      judging_rank(one, analysis_rank(judging->analysis, pair->one)),
		      judging_rank(other, analysis_rank(judging->analysis, pair->other)),
		      pair->begin, files, files == 1 ? "" : "s");
}

void rule_racing_writes(struct judging *judging)
{
	judge(judging, ANALYSIS_MODEL_POSIX,
	      "Ranks are at the same bytes at the same time, one of them writing");
}

void rule_uncommitted(struct judging *judging)
{
	judge(judging, ANALYSIS_MODEL_COMMIT,
	      "Ranks use what others have written and neither synced nor closed");
}
