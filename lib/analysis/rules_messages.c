/* SPDX-License-Identifier: MIT */
/* rules_messages.c - findings about MPI, see judging.h */
#include <stddef.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/judging.h"
#include "analysis/quantities.h"

#define SMALL_CLASSES 2u /* of sizes: less than 1 KB */

void rule_small_messages(struct judging *judging)
{
	uint64_t small = 0, all = 0;
	int64_t time = judging_operation(judging, ANALYSIS_POINT_TO_POINT);
	char count[QUANTITY_ROOM], share[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_layer_count(judging->analysis); i++) {
		const struct analysis_sizes *sizes = analysis_layer_sizes(judging->analysis, i);

		if (!analysis_layer(judging->analysis, i)->is_messages)
			continue;
		for (unsigned k = 0; k < ANALYSIS_SIZES; k++) {
			small += k < SMALL_CLASSES ? sizes->writes[k] : 0;
			all += sizes->writes[k];
		}
	}
	if (all < 10000 || !is_share((double)small, (double)all, 90))
		return;
	judging_found(judging, time, "%s of %s messages have less than 1 KB.",
		      quantity_share(share, (double)small, (double)all),
		      quantity_count(count, all));
}

void rule_polling(struct judging *judging)
{
	static const char *const others[] = {"MPI_I*probe", "MPI_Request_get_status*",
					     "MPI_Parrived", "MPI_Win_test"};
	struct analysis_sums tests = judging_functions(judging, "mpi", "MPI_Test*");
	char count[QUANTITY_ROOM], time[QUANTITY_ROOM];

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct analysis_sums sums = judging_functions(judging, "mpi", others[i]);

		add_sums(&tests, &sums);
	}
	if (tests.calls < 100000 || !is_share((double)tests.time, (double)judging->wall, 5))
		return;
	judging_found(judging, tests.time, "%s calls that ask for messages took %s.",
		      quantity_count(count, tests.calls), quantity_time(time, tests.time));
}

void rule_barriers(struct judging *judging)
{
	struct analysis_sums barriers = judging_functions(judging, "mpi", "MPI_Barrier");
	char count[QUANTITY_ROOM], time[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (!is_share((double)barriers.time, (double)judging->wall, 5))
		return;
	judging_found(judging, barriers.time,
		      "%s calls of MPI_Barrier took %s, %s of the ranks' time.",
		      quantity_count(count, barriers.calls), quantity_time(time, barriers.time),
		      quantity_share(share, (double)barriers.time, (double)judging->wall));
}

void rule_collectives(struct judging *judging)
{
	int64_t time = judging_operation(judging, ANALYSIS_COLLECTIVE);
	char text[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (!is_share((double)time, (double)judging->wall, 30))
		return;
	judging_found(judging, time, "Collective calls took %s, %s of the ranks' time.",
		      quantity_time(text, time),
		      quantity_share(share, (double)time, (double)judging->wall));
}

/* Bytes between two ranks, both ways. */
static int64_t between(const struct judging *judging, const struct analysis_message *pair)
{
	int64_t bytes = 0;

	for (unsigned i = 0; i < analysis_message_count(judging->analysis); i++) {
		const struct analysis_message *other = analysis_message(judging->analysis, i);

		if ((other->from == pair->from && other->to == pair->to) ||
		    (other->from == pair->to && other->to == pair->from))
			add_to(&bytes, other->bytes);
	}
	return bytes;
}

void rule_one_pair(struct judging *judging)
{
	const struct analysis_message *most = analysis_message(judging->analysis, 0);
	int64_t all = 0, of_pair;
	char share[QUANTITY_ROOM], bytes[QUANTITY_ROOM], from[QUANTITY_ROOM], to[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_message_count(judging->analysis); i++)
		add_to(&all, analysis_message(judging->analysis, i)->bytes);
	if (judging->ranks < 8 || all < 10000000)
		return;
	of_pair = between(judging, most);
	if (!is_share((double)of_pair, (double)all, 50))
		return;
	judging_found(judging, judging_operation(judging, ANALYSIS_POINT_TO_POINT),
		      "Ranks %s and %s exchange %s of %s that are sent.",
		      judging_rank(from, analysis_rank(judging->analysis, most->from)),
		      judging_rank(to, analysis_rank(judging->analysis, most->to)),
		      quantity_share(share, (double)of_pair, (double)all),
		      quantity_bytes(bytes, all));
}
