/* SPDX-License-Identifier: MIT */
/* report_waits.c - who waited for whom in MPI, for the page of recorder report, see report_data.h */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/add.h"
#include "report_data.h"

#define KINDS " late_sender late_receiver late_member"

static void put_times(struct json *json, const struct analysis_wait_sums sums[ANALYSIS_WAITS])
{
	for (unsigned kind = 0; kind < ANALYSIS_WAITS; kind++)
		json_put_integer(json, NULL, sums[kind].time);
}

static uint64_t calls_of(const struct analysis_wait_sums sums[ANALYSIS_WAITS])
{
	uint64_t calls = 0;

	for (unsigned kind = 0; kind < ANALYSIS_WAITS; kind++)
		calls += sums[kind].calls;
	return calls;
}

static void put_matching(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "matching", '{');
	summary_matching_json(json, analysis);
	json_end(json, '}');
}

static void put_comms(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_comm_wait_count(analysis);
	char identity[24];

	report_table(json, "comm_waits",
		     "name identity size messages collective calls time" KINDS " most");
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_comm_wait *comm = analysis_comm_wait(analysis, i);

		snprintf(identity, sizeof(identity), "%016" PRIx64, comm->identity);
		json_begin(json, NULL, '[');
		report_text(json, NULL, comm->name);
		report_text(json, NULL, identity);
		json_put_integer(json, NULL, comm->size);
		json_put_unsigned(json, NULL, comm->messages);
		json_put_unsigned(json, NULL, comm->collective);
		json_put_unsigned(json, NULL, calls_of(comm->waits));
		json_put_integer(json, NULL, comm->time);
		put_times(json, comm->waits);
		json_put_integer(json, NULL, comm->most);
		json_end(json, ']');
	}
	report_end_part(json, count);
}

static int64_t waited(const void *data, unsigned number)
{
	int64_t time = analysis_rank_wait(data, number)->time;

	return time ? time : REPORT_NEVER;
}

static int64_t caused(const void *data, unsigned number)
{
	int64_t time = analysis_rank_wait(data, number)->time_caused;

	return time ? time : REPORT_NEVER;
}

/* Ranks that waited or were waited for: of many those with most of either. */
static void put_ranks(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_rank_count(analysis), all = 0;
	bool *chosen = report_marks(count);

	report_mark_largest(chosen, count, REPORT_ROWS / 2, waited, analysis);
	report_mark_largest(chosen, count, REPORT_ROWS / 2, caused, analysis);
	report_table(json, "rank_waits", "world rank waited" KINDS " caused came_last");
	for (unsigned i = 0; i < count; i++) {
		const struct analysis_rank_wait *row = analysis_rank_wait(analysis, i);

		all += row->time || row->time_caused;
		if (!chosen[i])
			continue;
		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, analysis_rank(analysis, i)->world);
		json_put_integer(json, NULL, analysis_rank(analysis, i)->rank);
		json_put_integer(json, NULL, row->time);
		put_times(json, row->waited);
		json_put_integer(json, NULL, row->time_caused);
		json_put_unsigned(json, NULL, row->came_last);
		json_end(json, ']');
	}
	report_end_part(json, all);
	free(chosen);
}

static int64_t waited_by_all(const struct analysis *analysis)
{
	int64_t time = 0;

	for (unsigned i = 0; i < analysis_rank_count(analysis); i++)
		add_to(&time, analysis_rank_wait(analysis, i)->time);
	return time;
}

static void put_pairs(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_wait_pair_count(analysis);

	report_table(json, "wait_pairs", "waiter_world waiter cause_world cause calls time" KINDS);
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_wait_pair *pair = analysis_wait_pair(analysis, i);
		const struct analysis_rank *waiter = analysis_rank(analysis, pair->waiter);
		const struct analysis_rank *cause = analysis_rank(analysis, pair->cause);

		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, waiter->world);
		json_put_integer(json, NULL, waiter->rank);
		json_put_integer(json, NULL, cause->world);
		json_put_integer(json, NULL, cause->rank);
		json_put_unsigned(json, NULL, calls_of(pair->waits));
		json_put_integer(json, NULL, pair->time);
		put_times(json, pair->waits);
		json_end(json, ']');
	}
	report_end_part(json, count);
}

void report_waits(struct json *json, const struct summary *summary)
{
	put_matching(json, summary->analysis);
	put_comms(json, summary->analysis);
	put_ranks(json, summary->analysis);
	json_put_integer(json, "waited", waited_by_all(summary->analysis));
	put_pairs(json, summary->analysis);
}
