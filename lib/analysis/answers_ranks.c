/* SPDX-License-Identifier: MIT */
/* answers_ranks.c - what an analysis has found between ranks: messages, who waited for whom, and bytes that several touched; see recorder/analysis.h */
#include "analysis/analysis_state.h"

/* ---- messages ---- */

unsigned analysis_comm_count(const struct analysis *analysis)
{
	return analysis->results.comm_count;
}

const struct analysis_comm *analysis_comm(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.comm_count ? &analysis->results.comms[index] : NULL;
}

unsigned analysis_message_count(const struct analysis *analysis)
{
	return analysis->results.message_count;
}

const struct analysis_message *analysis_message(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.message_count ? &analysis->results.messages[index] : NULL;
}

/* ---- waits ---- */

const struct analysis_matching *analysis_matching(const struct analysis *analysis)
{
	return &analysis->results.waits.matching;
}

unsigned analysis_comm_wait_count(const struct analysis *analysis)
{
	return analysis->results.waits.comm_count;
}

const struct analysis_comm_wait *analysis_comm_wait(const struct analysis *analysis, unsigned index)
{
	const struct wait_results *waits = &analysis->results.waits;

	return index < waits->comm_count ? &waits->comms[index] : NULL;
}

const struct analysis_rank_wait *analysis_rank_wait(const struct analysis *analysis, unsigned rank)
{
	return rank < analysis_rank_count(analysis) ? &analysis->results.waits.ranks[rank] : NULL;
}

unsigned analysis_wait_pair_count(const struct analysis *analysis)
{
	return analysis->results.waits.pair_count;
}

const struct analysis_wait_pair *analysis_wait_pair(const struct analysis *analysis, unsigned index)
{
	const struct wait_results *waits = &analysis->results.waits;

	return index < waits->pair_count ? &waits->pairs[index] : NULL;
}

/* ---- bytes of several ranks ---- */

unsigned analysis_rank_conflict_count(const struct analysis *analysis)
{
	return analysis->results.conflicts.pair_count;
}

const struct analysis_rank_conflict *analysis_rank_conflict(const struct analysis *analysis,
							    unsigned index)
{
	const struct conflict_results *conflicts = &analysis->results.conflicts;

	return index < conflicts->pair_count ? &conflicts->pairs[index] : NULL;
}

unsigned analysis_shared_file_count(const struct analysis *analysis)
{
	return analysis->results.conflicts.file_count;
}

const struct analysis_shared_file *analysis_shared_file(const struct analysis *analysis,
							unsigned index)
{
	const struct conflict_results *conflicts = &analysis->results.conflicts;

	return index < conflicts->file_count ? &conflicts->files[index] : NULL;
}

int analysis_conflicts_unknown(const struct analysis *analysis)
{
	return !analysis->facts.tracks_bytes;
}
