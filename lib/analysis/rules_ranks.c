/* SPDX-License-Identifier: MIT */
/* rules_ranks.c - findings about where the time of ranks goes, and how evenly, see judging.h */
#include <inttypes.h>

#include "analysis/add.h"
#include "analysis/judging.h"
#include "analysis/quantities.h"

#define LATE_LEAST 100000000 /* ns */

/* ---- bound ---- */

/* Whether it is. */
static bool judge_bound(struct judging *judging, const char *where, int64_t time, double percent)
{
	char share[QUANTITY_ROOM], text[QUANTITY_ROOM];

	if (!is_share((double)time, (double)judging->wall, percent))
		return false;
	judging_found(judging, time, "%s, %s of the time of all ranks' main threads, is spent %s.",
		      quantity_time(text, time),
		      quantity_share(share, (double)time, (double)judging->wall), where);
	return true;
}

/* What is not waiting. */
static int64_t busy_of(const struct analysis_overlap *overlap)
{
	int64_t busy = overlap->files_alone;

	add_to(&busy, overlap->files_with_program);
	add_to(&busy, overlap->files_with_mpi);
	add_to(&busy, overlap->program);
	add_to(&busy, overlap->mpi);
	return busy;
}

/* Of ranks that do little else than wait for programs that they started, as scripts do, or for workers, these tell what the time goes into. */
static void judge_children(struct judging *judging, double percent)
{
	struct analysis_overlap ranks = analysis_overlap_total(judging->analysis, ANALYSIS_MAIN);
	struct analysis_overlap children =
		analysis_overlap_total(judging->analysis, ANALYSIS_ELSEWHERE);
	char time[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (!is_share((double)ranks.waiting, (double)judging->wall, 50) ||
	    !is_share((double)children.files_alone, (double)judging->wall, percent) ||
	    !is_share((double)children.files_alone, (double)busy_of(&children), percent))
		return;
	judging_found(
		judging, children.files_alone,
		"The ranks wait for other processes, which spend %s in calls on files, %s of the "
		"time in which they do anything.",
		quantity_time(time, children.files_alone),
		quantity_share(share, (double)children.files_alone, (double)busy_of(&children)));
}

void rule_storage_bound(struct judging *judging)
{
	if (!judge_bound(judging, "in calls on files",
			 judging->storage_main - judging->libraries_main, 30))
		judge_children(judging, 30);
}

void rule_library_bound(struct judging *judging)
{
	judge_bound(judging, "in libraries for files, beside the calls that they make",
		    judging->libraries_main, 30);
}

void rule_messages_bound(struct judging *judging)
{
	int64_t begin_and_end = judging_functions(judging, "mpi", "MPI_Init*").self +
				judging_functions(judging, "mpi", "MPI_Finalize").self;

	judge_bound(judging, "in MPI, beside MPI_Init and MPI_Finalize",
		    judging->messages_main - begin_and_end, 50);
}

/* ---- imbalance ---- */

static int64_t of_storage(const struct analysis_rank *rank)
{
	return rank->storage[ANALYSIS_MAIN] + rank->storage[ANALYSIS_ELSEWHERE];
}

static int64_t of_messages(const struct analysis_rank *rank)
{
	return rank->messages[ANALYSIS_MAIN] + rank->messages[ANALYSIS_ELSEWHERE];
}

static const struct analysis_rank *most_of(const struct judging *judging,
					   int64_t (*time_of)(const struct analysis_rank *rank))
{
	const struct analysis_rank *most = NULL;

	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);

		if (!rank->left_out && (!most || time_of(rank) > time_of(most)))
			most = rank;
	}
	return most;
}

static void judge_imbalance(struct judging *judging, const char *what, int64_t sum,
			    int64_t (*time_of)(const struct analysis_rank *rank))
{
	const struct analysis_rank *most = most_of(judging, time_of);
	unsigned count = judging->ranks;
	char longest[QUANTITY_ROOM], mean[QUANTITY_ROOM];
	int64_t more;

	if (count < 2)
		return;
	more = time_of(most) - sum / count;
	if (!is_share((double)time_of(most), (double)sum / count, 150) ||
	    !is_share((double)more, (double)(most->end - most->start), 5))
		return;
	judging_found(judging, more, "Rank %" PRId32 " spent %s %s; the mean of %u ranks is %s.",
		      most->rank, quantity_time(longest, time_of(most)), what, count,
		      quantity_time(mean, sum / count));
}

void rule_storage_imbalance(struct judging *judging)
{
	judge_imbalance(judging, "in calls on files", judging->storage, of_storage);
}

void rule_messages_imbalance(struct judging *judging)
{
	judge_imbalance(judging, "in MPI", judging->messages, of_messages);
}

/* ---- begin and end ---- */

void rule_late_start(struct judging *judging)
{
	const struct analysis_rank *first = NULL, *last = NULL;
	char late[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);

		if (rank->left_out)
			continue;
		if (!first || rank->start < first->start)
			first = rank;
		if (!last || rank->start > last->start)
			last = rank;
	}
	if (!first || last->start - first->start < LATE_LEAST ||
	    !is_share((double)(last->start - first->start), (double)judging->duration, 5))
		return;
	judging_found(judging, last->start - first->start,
		      "Rank %" PRId32 " began %s after rank %" PRId32 ".", last->rank,
		      quantity_time(late, last->start - first->start), first->rank);
}

void rule_early_end(struct judging *judging)
{
	const struct analysis_rank *first = NULL, *last = NULL;
	char early[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);

		if (rank->left_out)
			continue;
		if (!first || rank->end < first->end)
			first = rank;
		if (!last || rank->end > last->end)
			last = rank;
	}
	if (!first || last->end - first->end < LATE_LEAST ||
	    !is_share((double)(last->end - first->end), (double)judging->duration, 10))
		return;
	judging_found(judging, last->end - first->end,
		      "Rank %" PRId32 " ended %s before rank %" PRId32 ".", first->rank,
		      quantity_time(early, last->end - first->end), last->rank);
}
