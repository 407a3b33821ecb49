/* SPDX-License-Identifier: MIT */
/* rules_waits.c - findings about who waits for whom in MPI, see judging.h */
#include <inttypes.h>

#include "analysis/add.h"
#include "analysis/judging.h"
#include "analysis/quantities.h"

#define WAIT_SHARE 5 /* percent of all ranks' time */

/* How long all ranks waited in one way; the rank that they waited for most, and how long. */
struct waiting {
	int64_t all, most;
	unsigned cause;
};

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

static void judge(struct judging *judging, enum analysis_wait_kind kind, double of_one,
		  const char *what)
{
	struct waiting waiting = waiting_of(judging, kind);
	char all[QUANTITY_ROOM], most[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (!is_share((double)waiting.all, (double)judging->wall, WAIT_SHARE) ||
	    !is_share((double)waiting.most, (double)waiting.all, of_one))
		return;
	judging_found(judging, waiting.all,
		      "%s: %s, %s of the time of all ranks. Rank %" PRId32
		      " is waited for most: %s.",
		      what, quantity_time(all, waiting.all),
		      quantity_share(share, (double)waiting.all, (double)judging->wall),
		      analysis_rank(judging->analysis, waiting.cause)->rank,
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
	if (analysis_rank_count(judging->analysis) >= 3)
		judge(judging, ANALYSIS_LATE_MEMBER, 50,
		      "Collective calls wait for the last rank to come");
}
