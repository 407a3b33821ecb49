/* SPDX-License-Identifier: MIT */
/* exchange_probes.c - see exchange_probes.h */
#include "analysis/exchange_probes.h"

#include <errno.h>

#include "analysis/message_args.h"

void exchange_probe_note(struct exchange *exchange, struct part *part,
			 const struct recorder_record *record)
{
	struct probe *probe = &exchange->probe;

	if (exchange->view == EXCHANGE_CALLS || !probe->channel ||
	    probe->channel != part->channel || probe->thread != record->thread)
		return;
	part->probed = true;
	part->half.arrive = part->half.begin = probe->begin;
	part->half.end = probe->end;
	probe->channel = 0;
}

/* Messages that a matched probe found are kept beside requests, by the negative of their number. */
static int keep_probed(struct exchange *exchange, struct part *part, int64_t message)
{
	int error = numbering_post(&exchange->numbering, part);

	if (!error && message > 0 && !part_map_get(&exchange->parts, -message))
		return exchange_part_keep_as(exchange, -message, part);
	exchange_part_drop(exchange, part);
	return error ? error : -ENOSPC;
}

int exchange_probe_receive(struct exchange *exchange, const struct exchange_facts *facts,
			   const struct recorder_record *record)
{
	int64_t message = message_number(record, facts->message, 0);
	struct part *part = message > 0 ? part_map_remove(&exchange->parts, -message) : NULL;

	if (!part)
		return 0;
	if (facts->request != NO_ARGUMENT)
		return exchange_part_keep(exchange, message_number(record, facts->request, -1),
					  part);
	exchange_part_end(exchange, part, record);
	return exchange_part_finish(exchange, part);
}

int exchange_probe_take(struct exchange *exchange, const struct exchange_facts *facts,
			const struct reader_requests *requests,
			const struct recorder_record *record)
{
	struct part *part;
	int error;

	if (facts->flag != NO_ARGUMENT && message_number(record, facts->flag, -1) <= 0)
		return 0;
	error = exchange_part_receive(exchange, facts, record, &part);
	if (error || !part)
		return error;
	exchange_part_resolve(part, facts, requests, record, 0);
	if (facts->role == EXCHANGE_MATCHED_PROBE && exchange->view == EXCHANGE_CALLS)
		return keep_probed(exchange, part, message_number(record, facts->message, 0));
	if (facts->role == EXCHANGE_MATCHED_PROBE) {
		exchange_part_end(exchange, part, record);
		part->complete = false;
		error = numbering_post(&exchange->numbering, part);
		part->complete = true;
		if (!error)
			return exchange_part_finish(exchange, part);
	} else {
		exchange->probe =
			(struct probe){part->channel, record->tstart, record->tend, record->thread};
	}
	exchange_part_drop(exchange, part);
	return error;
}
