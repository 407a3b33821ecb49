/* SPDX-License-Identifier: MIT */
/* rules_ranks.c - findings about where the time of ranks goes, and how evenly, see judging.h */
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

/* ---- beside each other ---- */

typedef int64_t rank_value(const struct analysis_rank *rank);

/* Who has least and who has most, of ranks that run at the same time: those of a world. */
struct spread {
	const struct analysis_rank *least, *most;
	int64_t sum;
	unsigned count;
};

static int64_t mean_of(const struct spread *spread)
{
	return spread->sum / spread->count;
}

/* Of the world that begins at *next, which is behind it then; nobody is `most` if none of its ranks is looked at. */
static struct spread spread_of_world(const struct judging *judging, unsigned *next,
				     rank_value *value_of)
{
	const struct analysis_rank *rank = analysis_rank(judging->analysis, *next);
	int32_t world = rank->world;
	struct spread spread = {0};

	for (; rank && rank->world == world; rank = analysis_rank(judging->analysis, ++*next)) {
		if (rank->left_out || rank->beside)
			continue;
		if (!spread.least || value_of(rank) < value_of(spread.least))
			spread.least = rank;
		if (!spread.most || value_of(rank) > value_of(spread.most))
			spread.most = rank;
		add_to(&spread.sum, value_of(rank));
		spread.count++;
	}
	return spread;
}

static int64_t of_storage(const struct analysis_rank *rank)
{
	return rank->storage[ANALYSIS_MAIN] + rank->storage[ANALYSIS_ELSEWHERE];
}

static int64_t of_messages(const struct analysis_rank *rank)
{
	return rank->messages[ANALYSIS_MAIN] + rank->messages[ANALYSIS_ELSEWHERE];
}

static int64_t start_of(const struct analysis_rank *rank)
{
	return rank->start;
}

static int64_t end_of(const struct analysis_rank *rank)
{
	return rank->end;
}

/* ---- imbalance ---- */

static void judge_spread(struct judging *judging, const char *what, const struct spread *spread,
			 rank_value *time_of)
{
	const struct analysis_rank *most = spread->most;
	char name[QUANTITY_ROOM], longest[QUANTITY_ROOM], mean[QUANTITY_ROOM];
	int64_t more;

	if (spread->count < 2)
		return;
	more = time_of(most) - mean_of(spread);
	if (!is_share((double)time_of(most), (double)mean_of(spread), 150) ||
	    !is_share((double)more, (double)(most->end - most->start), 5))
		return;
	judging_found(judging, more, "Rank %s spent %s %s; the mean of %u ranks is %s.",
		      judging_rank(name, most), quantity_time(longest, time_of(most)), what,
		      spread->count, quantity_time(mean, mean_of(spread)));
}

static void judge_imbalance(struct judging *judging, const char *what, rank_value *time_of)
{
	for (unsigned next = 0; next < analysis_rank_count(judging->analysis);) {
		struct spread spread = spread_of_world(judging, &next, time_of);

		judge_spread(judging, what, &spread, time_of);
	}
}

void rule_storage_imbalance(struct judging *judging)
{
	judge_imbalance(judging, "in calls on files", of_storage);
}

void rule_messages_imbalance(struct judging *judging)
{
	judge_imbalance(judging, "in MPI", of_messages);
}

/* ---- begin and end ---- */

/* Whether that is worth telling, of a part of the whole run. */
static bool is_late(const struct judging *judging, int64_t late, double percent)
{
	return late >= LATE_LEAST && is_share((double)late, (double)judging->duration, percent);
}

/* Of each world the rank that differs from the other one by most: the last to do it, or the first. */
static void judge_apart(struct judging *judging, rank_value *time_of, double percent, bool last,
			const char *what)
{
	char time[QUANTITY_ROOM], name[QUANTITY_ROOM], other[QUANTITY_ROOM];

	for (unsigned next = 0; next < analysis_rank_count(judging->analysis);) {
		struct spread spread = spread_of_world(judging, &next, time_of);
		int64_t apart = spread.count ? time_of(spread.most) - time_of(spread.least) : 0;

		if (is_late(judging, apart, percent))
			judging_found(judging, apart, "Rank %s %s %s %s rank %s.",
				      judging_rank(name, last ? spread.most : spread.least), what,
				      quantity_time(time, apart), last ? "after" : "before",
				      judging_rank(other, last ? spread.least : spread.most));
	}
}

void rule_late_start(struct judging *judging)
{
	judge_apart(judging, start_of, 5, true, "began");
}

void rule_early_end(struct judging *judging)
{
	judge_apart(judging, end_of, 10, false, "ended");
}
