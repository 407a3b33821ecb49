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
 * Each process is read by itself, so that threads and ranks of a launcher share the work. What becomes of a side depends on who asks:
 *
 *	EXCHANGE_WAITS	who waited for whom: a side has the interval of the call that may have waited, be it the one that completes it or a probe
 *	EXCHANGE_CALLS	which call met which: a send is of the call that sent, and given at once; a receive is of the call that it came with, which of a matched
 *			probe is the receive that follows
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

enum exchange_view { EXCHANGE_WAITS, EXCHANGE_CALLS };

/* Of a process whose halves have `rank`, and go to `halves`. NULL: ENOMEM. */
struct exchange *exchange_begin(const struct reader *trace, uint32_t rank, enum exchange_view view,
				struct halves *halves);
/* A stream of the process, before its calls are taken: nothing is followed if some are missing, or their times made up. */
void exchange_reads(struct exchange *exchange, unsigned stream);
/*
 * `facts` are those of the record's function. `call` becomes half.call of what it sends or completes; 0 leaves that out of the halves, but its number stays. 0 or
 * -ENOMEM.
 */
int exchange_take(struct exchange *exchange, const struct exchange_facts *facts,
		  const struct reader_requests *requests, const struct recorder_record *record,
		  uint32_t call);
/* What was sent and never completed counts, too. 0 or -ENOMEM; frees it either way. NULL is allowed. */
int exchange_end(struct exchange *exchange);

#endif
