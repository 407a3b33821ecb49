/* SPDX-License-Identifier: MIT */
/*
 * exchange.h - what a process takes part in, numbered in the order in which MPI matches it.
 *
 * Messages of a channel (communicator, source, destination, tag) do not overtake each other: the n-th one that is sent there is the n-th one that is received,
 * by the order in which receives were posted. Collective calls of a communicator follow each other in the same order on all its members. So each side is
 * numbered by looking at its own process alone, and equal numbers meet (halves.h).
 *
 * A receive from anybody, or of any tag, belongs to a channel when it has completed, as its status says. Until then later receives that may be of the same
 * channel wait for their number.
 *
 * matching.h puts both sides together while it reads all processes by time, as a viewer needs them; here each stream is read by itself, so that threads and ranks of a launcher
 * share the work.
 *
 *	exchange_begin() -> exchange_take() of each call of MPI, by time, after reader_requests_take() -> exchange_end()
 *
 * Memory is bounded: of a process with more than PARTS_MAX requests at once, or too many channels, only what came before is followed (halves.given_up).
 */
#ifndef RECORDER_ANALYSIS_EXCHANGE_H
#define RECORDER_ANALYSIS_EXCHANGE_H

#include "analysis/exchange_facts.h"
#include "analysis/halves.h"

#define PARTS_MAX (1u << 16)

struct exchange;

/* Of a stream of analysis_rank() number `rank`; NULL: ENOMEM. Its halves go to `halves`. */
struct exchange *exchange_begin(const struct reader *trace, unsigned stream, uint32_t rank,
				struct halves *halves);
/* `facts` are those of the record's function. 0 or -ENOMEM. */
int exchange_take(struct exchange *exchange, const struct exchange_facts *facts,
		  const struct reader_requests *requests, const struct recorder_record *record);
/* What was sent and never completed counts, too. 0 or -ENOMEM; frees it either way. NULL is allowed. */
int exchange_end(struct exchange *exchange);

#endif
