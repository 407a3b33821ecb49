/* SPDX-License-Identifier: MIT */
/* rules_waits.c - findings about who waits for whom in MPI, see judging.h */
#include <stdbool.h>

#include "analysis/add.h"
#include "analysis/judging.h"
#include "analysis/quantities.h"

#define WAIT_SHARE 5 /* percent of all ranks' time */

/* How long all ranks waited in one way; the rank that they waited for most, and how long. */
struct waiting {
	int64_t all, most;
	unsigned cause;
};

/* Where there are too many messages or collective calls for all to be looked at: how many one stands for. */
static double stands_for(const struct analysis_matching *matching, enum analysis_wait_kind kind)
{
	bool calls = kind == ANALYSIS_LATE_MEMBER;
	uint64_t looked_at = calls ? matching->members_looked_at : matching->sides_looked_at;
	uint64_t all = calls ? matching->members : matching->sides;

	return looked_at > 0 ? (double)all / (double)looked_at : 1;
}

static struct waiting waiting_of(const struct judging *judging, enum analysis_wait_kind kind)
{
	struct waiting waiting = {0};

	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank_wait *rank = analysis_rank_wait(judging->analysis, i);

		add_to(&waiting.all, rank->caused[kind].time);
		if (rank->caused[kind].time > waiting.most) {
			waiting.most = rank->caused[kind].time;
			waiting.cause = i;
		}
	}
	return waiting;
}

/* What is known of a share, for all. */
static int64_t scaled(int64_t time, double each)
{
	double all = (double)time * each;

	return all < 0x1p62 ? (int64_t)all : (int64_t)1 << 62;
}

static void judge(struct judging *judging, enum analysis_wait_kind kind, double of_one,
		  const char *what)
{
	struct waiting waiting = waiting_of(judging, kind);
	double each = stands_for(analysis_matching(judging->analysis), kind);
	char all[QUANTITY_ROOM], most[QUANTITY_ROOM], share[QUANTITY_ROOM], cause[QUANTITY_ROOM];

	waiting.all = scaled(waiting.all, each);
	waiting.most = scaled(waiting.most, each);
	if (!is_share((double)waiting.all, (double)judging->wall, WAIT_SHARE) ||
	    !is_share((double)waiting.most, (double)waiting.all, of_one))
		return;
	judging_found(judging, waiting.all,
		      "%s: %s%s, %s of the time of all ranks. Rank %s is"
		      " waited for most: %s.",
		      what, each > 1 ? "about " : "", quantity_time(all, waiting.all),
		      quantity_share(share, (double)waiting.all, (double)judging->wall),
		      judging_rank(cause, analysis_rank(judging->analysis, waiting.cause)),
		      quantity_time(most, waiting.most));
}

void rule_late_sender(struct judging *judging)
{
	judge(judging, ANALYSIS_LATE_SENDER, 0, "Receives wait for what has not been sent yet");
}

void rule_late_receiver(struct judging *judging)
{
	judge(judging, ANALYSIS_LATE_RECEIVER, 0, "Sends wait for their receive to begin");
}

/* Of two ranks the one that comes later always has all of it. */
void rule_straggler(struct judging *judging)
{
	if (judging->ranks >= 3)
		judge(judging, ANALYSIS_LATE_MEMBER, 50,
		      "Collective calls wait for the last rank to come");
}
