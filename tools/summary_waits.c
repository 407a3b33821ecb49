/* SPDX-License-Identifier: MIT */
/* summary_waits.c - who waited for whom in MPI, in all forms of recorder summary, see summaries.h */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/quantities.h"
#include "json.h"
#include "summary_lines.h"

/* ---- text ---- */

static void put_kinds(struct output *output, const struct analysis *analysis)
{
	static const char *const what[ANALYSIS_WAITS] = {
		[ANALYSIS_LATE_SENDER] = "receives, for what had not been sent",
		[ANALYSIS_LATE_RECEIVER] = "sends, for their receive",
		[ANALYSIS_LATE_MEMBER] = "collective calls, for the last rank or the root",
	};
	struct analysis_wait_sums sums[ANALYSIS_WAITS] = {{0, 0}};
	char time[QUANTITY_ROOM], calls[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_rank_count(analysis); i++)
		for (unsigned kind = 0; kind < ANALYSIS_WAITS; kind++) {
			const struct analysis_rank_wait *rank = analysis_rank_wait(analysis, i);

			sums[kind].calls += rank->waited[kind].calls;
			sums[kind].time += rank->waited[kind].time;
		}
	for (unsigned kind = 0; kind < ANALYSIS_WAITS; kind++)
		if (sums[kind].calls)
			summary_line(output, "  %10s in %s %s",
				     quantity_time(time, sums[kind].time),
				     quantity_count(calls, sums[kind].calls), what[kind]);
}

static void put_pairs(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned count = analysis_wait_pair_count(analysis), rows = summary_rows(summary, count);
	char time[QUANTITY_ROOM], waiter[QUANTITY_ROOM], cause[QUANTITY_ROOM];

	for (unsigned i = 0; i < rows; i++) {
		const struct analysis_wait_pair *pair = analysis_wait_pair(analysis, i);

		const struct analysis_rank *by = analysis_rank(analysis, pair->waiter);
		const struct analysis_rank *whom = analysis_rank(analysis, pair->cause);

		summary_line(output, "  %10s by rank %s for rank %s",
			     quantity_time(time, pair->time),
			     quantity_rank(waiter, by->world, by->rank),
			     quantity_rank(cause, whom->world, whom->rank));
	}
	if (rows < count)
		summary_line(output, "  ... %u more pairs of ranks, see --top", count - rows);
}

static void put_share(struct output *output, uint64_t looked_at, uint64_t all, const char *what)
{
	char share[QUANTITY_ROOM];

	if (looked_at < all)
		summary_line(output, "  of %s of the %s: there are too many for all",
			     quantity_share(share, (double)looked_at, (double)all), what);
}

/* What was not looked at. */
static void put_limits(struct output *output, const struct analysis_matching *matching)
{
	char count[QUANTITY_ROOM];

	put_share(output, matching->sides_looked_at, matching->sides, "sends and receives");
	put_share(output, matching->members_looked_at, matching->members, "collective calls");
	if (matching->unmatched)
		summary_line(output, "  %s sends and receives have no partner in the trace",
			     quantity_count(count, matching->unmatched));
	if (matching->reversed)
		summary_line(output, "  %s messages came before they were sent: clocks are wrong",
			     quantity_count(count, matching->reversed));
	if (matching->unknown)
		summary_line(output, "  %s waits are not known: nor is how far clocks are apart",
			     quantity_count(count, matching->unknown));
	if (matching->left_out + matching->given_up)
		summary_line(output, "  %u processes were left out, %u after a while",
			     matching->left_out + matching->given_up, matching->given_up);
}

void summary_waits_text(struct output *output, const struct summary *summary)
{
	const struct analysis_matching *matching = analysis_matching(summary->analysis);

	if (analysis_wait_pair_count(summary->analysis) == 0 && !matching->reversed &&
	    !matching->unknown && matching->sides_looked_at == matching->sides &&
	    matching->members_looked_at == matching->members)
		return;
	summary_title(output, summary, "waiting in MPI");
	put_kinds(output, summary->analysis);
	put_pairs(output, summary);
	put_limits(output, matching);
}

/* ---- JSON ---- */

static void put_sums(struct json *json, const char *key,
		     const struct analysis_wait_sums sums[ANALYSIS_WAITS])
{
	json_begin(json, key, '{');
	for (unsigned kind = 0; kind < ANALYSIS_WAITS; kind++) {
		json_begin(json, analysis_wait_name((enum analysis_wait_kind)kind), '{');
		json_put_unsigned(json, "calls", sums[kind].calls);
		json_put_seconds(json, "time", sums[kind].time);
		json_end(json, '}');
	}
	json_end(json, '}');
}

static void put_rank(struct json *json, const char *key, const char *world_key,
		     const struct analysis_rank *rank)
{
	json_put_integer(json, world_key, rank->world);
	json_put_integer(json, key, rank->rank);
}

static void put_comms(struct json *json, const struct analysis *analysis)
{
	char identity[24];

	json_begin(json, "communicators", '[');
	for (unsigned i = 0; i < analysis_comm_wait_count(analysis); i++) {
		const struct analysis_comm_wait *comm = analysis_comm_wait(analysis, i);

		snprintf(identity, sizeof(identity), "%016" PRIx64, comm->identity);
		json_begin(json, NULL, '{');
		json_put_string(json, "identity", identity);
		json_put_string(json, "name", comm->name);
		json_put_integer(json, "size", comm->size);
		json_put_unsigned(json, "messages", comm->messages);
		json_put_unsigned(json, "collective", comm->collective);
		json_put_seconds(json, "time", comm->time);
		put_sums(json, "waits", comm->waits);
		json_put_seconds(json, "most", comm->most);
		if (comm->most > 0) {
			put_rank(json, "most_rank", "most_world",
				 analysis_rank(analysis, comm->most_rank));
			put_rank(json, "most_cause", "most_cause_world",
				 analysis_rank(analysis, comm->most_cause));
		}
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_ranks(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "ranks", '[');
	for (unsigned i = 0; i < analysis_rank_count(analysis); i++) {
		const struct analysis_rank_wait *rank = analysis_rank_wait(analysis, i);

		json_begin(json, NULL, '{');
		put_rank(json, "rank", "world", analysis_rank(analysis, i));
		json_put_seconds(json, "waited", rank->time);
		json_put_seconds(json, "caused", rank->time_caused);
		put_sums(json, "waits", rank->waited);
		put_sums(json, "caused_waits", rank->caused);
		json_put_unsigned(json, "came_last", rank->came_last);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_all_pairs(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "pairs", '[');
	for (unsigned i = 0; i < analysis_wait_pair_count(analysis); i++) {
		const struct analysis_wait_pair *pair = analysis_wait_pair(analysis, i);

		json_begin(json, NULL, '{');
		put_rank(json, "waiter", "waiter_world", analysis_rank(analysis, pair->waiter));
		put_rank(json, "cause", "cause_world", analysis_rank(analysis, pair->cause));
		json_put_seconds(json, "time", pair->time);
		put_sums(json, "waits", pair->waits);
		json_end(json, '}');
	}
	json_end(json, ']');
}

void summary_matching_json(struct json *json, const struct analysis *analysis)
{
	const struct analysis_matching *matching = analysis_matching(analysis);

	json_put_bool(json, "conditions", matching->conditions);
	json_put_unsigned(json, "sides", matching->sides);
	json_put_unsigned(json, "sides_looked_at", matching->sides_looked_at);
	json_put_unsigned(json, "members", matching->members);
	json_put_unsigned(json, "members_looked_at", matching->members_looked_at);
	json_put_unsigned(json, "messages", matching->messages);
	json_put_unsigned(json, "unmatched", matching->unmatched);
	json_put_unsigned(json, "collective", matching->collective);
	json_put_unsigned(json, "incomplete", matching->incomplete);
	json_put_unsigned(json, "reversed", matching->reversed);
	json_put_unsigned(json, "unknown", matching->unknown);
	json_put_unsigned(json, "left_out", matching->left_out);
	json_put_unsigned(json, "given_up", matching->given_up);
}

void summary_waits_json(struct json *json, const char *key, const struct summary *summary)
{
	json_begin(json, key, '{');
	summary_matching_json(json, summary->analysis);
	put_comms(json, summary->analysis);
	put_ranks(json, summary->analysis);
	put_all_pairs(json, summary->analysis);
	json_end(json, '}');
}

/* ---- CSV ---- */

void summary_wait_sums_head(struct output *output, const char *first)
{
	output_text(output, first);
	output_text(output, ",late_sender_calls,late_sender,late_receiver_calls,late_receiver,"
			    "late_member_calls,late_member\n");
}

void summary_wait_sums_csv(struct output *output,
			   const struct analysis_wait_sums sums[ANALYSIS_WAITS])
{
	for (unsigned kind = 0; kind < ANALYSIS_WAITS; kind++) {
		output_char(output, ',');
		output_u64(output, sums[kind].calls);
		output_char(output, ',');
		output_decimal(output, sums[kind].time, 9);
	}
	output_char(output, '\n');
}

void summary_waits_csv(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;

	summary_wait_sums_head(output, "waiter_world,waiter,cause_world,cause,time");
	for (unsigned i = 0; i < analysis_wait_pair_count(analysis); i++) {
		const struct analysis_wait_pair *pair = analysis_wait_pair(analysis, i);
		const struct analysis_rank *waiter = analysis_rank(analysis, pair->waiter);
		const struct analysis_rank *cause = analysis_rank(analysis, pair->cause);
		const int32_t numbers[] = {waiter->world, waiter->rank, cause->world, cause->rank};

		for (unsigned k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
			output_i64(output, numbers[k]);
			output_char(output, ',');
		}
		output_decimal(output, pair->time, 9);
		summary_wait_sums_csv(output, pair->waits);
	}
}
