/* SPDX-License-Identifier: MIT */
/* exchange.c - see exchange.h */
#include "analysis/exchange.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/exchange_parts.h"
#include "analysis/exchange_probes.h"
#include "analysis/gaps.h"
#include "analysis/message_args.h"

/* Whether calls are missing, or their times made up, so that numbers would be wrong. */
static bool is_unreliable(const struct reader *trace, unsigned stream)
{
	struct reader_stream facts = {.sz = sizeof(facts)};

	return gaps_in_calls(trace, stream) || reader_stream(trace, stream, &facts) ||
	       facts.summed || gaps_by_duration(trace, stream, "MPI_");
}

struct exchange *exchange_begin(const struct reader *trace, uint32_t rank, enum exchange_view view,
				struct halves *halves)
{
	struct exchange *exchange = calloc(1, sizeof(*exchange));

	if (!exchange)
		return NULL;
	exchange->trace = trace;
	exchange->view = view;
	exchange->rank = rank;
	exchange->halves = halves;
	exchange->numbering.halves = halves;
	exchange->numbering.last = &exchange->numbering.first;
	return exchange;
}

void exchange_reads(struct exchange *exchange, unsigned stream)
{
	if (exchange->off || !is_unreliable(exchange->trace, stream))
		return;
	exchange->off = true;
	exchange->halves->left_out++;
}

static int give_up(struct exchange *exchange)
{
	int error = exchange_parts_emit_sends(exchange);

	exchange_parts_free(exchange);
	exchange->off = true;
	exchange->halves->given_up++;
	return error;
}

/* ---- roles ---- */

static int take_send(struct exchange *exchange, const struct exchange_facts *facts,
		     const struct recorder_record *record)
{
	bool both = facts->source != NO_ARGUMENT;
	struct part *part;
	int error = exchange_part_send(exchange, facts, record, &part);

	if (error || !part)
		return error;
	error = exchange_part_number(exchange, part);
	if (error) {
		exchange_part_drop(exchange, part);
		return error;
	}
	if (facts->request != NO_ARGUMENT && !both)
		return exchange_part_keep(exchange, message_number(record, facts->request, -1),
					  part);
	if (facts->request == NO_ARGUMENT)
		exchange_part_end(exchange, part, record);
	return exchange_part_finish(exchange, part);
}

static int take_receive(struct exchange *exchange, const struct exchange_facts *facts,
			const struct reader_requests *requests,
			const struct recorder_record *record)
{
	struct part *part;
	int error = exchange_part_receive(exchange, facts, record, &part);

	if (error || !part)
		return error;
	if (facts->request == NO_ARGUMENT) {
		exchange_part_resolve(part, facts, requests, record, 0);
		exchange_probe_note(exchange, part, record);
		exchange_part_end(exchange, part, record);
		part->complete = false; /* not given away before it is finished */
	}
	error = numbering_post(&exchange->numbering, part);
	if (error) {
		exchange_part_drop(exchange, part);
		return error;
	}
	if (facts->request != NO_ARGUMENT)
		return exchange_part_keep(exchange, message_number(record, facts->request, -1),
					  part);
	part->complete = true;
	return exchange_part_finish(exchange, part);
}

static int take_message(struct exchange *exchange, const struct exchange_facts *facts,
			const struct reader_requests *requests,
			const struct recorder_record *record)
{
	int error = take_send(exchange, facts, record);

	return error ? error : take_receive(exchange, facts, requests, record);
}

static int take_persistent(struct exchange *exchange, const struct exchange_facts *facts,
			   const struct recorder_record *record)
{
	struct part *part;
	int error = facts->dest != NO_ARGUMENT
			    ? exchange_part_send(exchange, facts, record, &part)
			    : exchange_part_receive(exchange, facts, record, &part);

	if (error || !part)
		return error;
	part->persistent = true;
	return exchange_part_keep(exchange, message_number(record, facts->request, -1), part);
}

static int start(struct exchange *exchange, const struct recorder_record *record, int64_t number)
{
	struct part *made = part_map_get(&exchange->parts, number), *part;
	int error;

	if (!made || !made->persistent || made->active)
		return 0;
	part = numbering_part(&exchange->numbering);
	if (!part)
		return -ENOMEM;
	*part = *made;
	part->persistent = false;
	part->half.arrive = part->half.begin = part->half.end = record->tstart;
	part->half.call = exchange->call;
	error = (part->half.kind & HALF_KIND) == HALF_SEND
			? exchange_part_number(exchange, part)
			: numbering_post(&exchange->numbering, part);
	if (error)
		exchange_part_drop(exchange, part);
	else
		made->active = part;
	return error;
}

static int take_start(struct exchange *exchange, const struct exchange_facts *facts,
		      const struct recorder_record *record)
{
	const struct recorder_arg *arg;
	int error = 0;

	if (facts->request >= record->arg_count)
		return 0;
	arg = &record->args[facts->request];
	if (arg->state != RECORDER_ARG_PRESENT)
		return 0;
	if (!arg->elements)
		return start(exchange, record, arg->i64);
	if (arg->original > arg->count)
		return -ENOSPC; /* those that were cut off started, too */
	for (uint32_t i = 0; i < arg->count && !error; i++)
		error = start(exchange, record, arg->elements[i]);
	return error;
}

static uint8_t side_of(const struct exchange_facts *facts, const struct reader_comm *comm,
		       const struct recorder_record *record)
{
	bool is_root =
		facts->root != NO_ARGUMENT && message_number(record, facts->root, -1) == comm->rank;

	if (facts->root != NO_ARGUMENT && comm->remote_size > 0)
		return 0; /* of an intercommunicator only one group has a root, and says so otherwise */
	switch (facts->shape) {
	case SHAPE_ALL:
		return HALF_GIVES | HALF_WAITS;
	case SHAPE_FROM_ROOT:
		return is_root ? HALF_GIVES : HALF_WAITS;
	case SHAPE_TO_ROOT:
		return is_root ? HALF_WAITS : HALF_GIVES;
	default:
		return 0;
	}
}

static int take_collective(struct exchange *exchange, const struct exchange_facts *facts,
			   const struct recorder_record *record)
{
	struct reader_comm comm;
	struct part *part;
	int error = exchange_part_new(exchange, record, HALF_COLLECTIVE, &part);

	if (error || !part)
		return error;
	reader_comm(exchange->trace, record->stream, reader_record_comm(exchange->trace, record),
		    &comm);
	part->channel = numbering_hash(2, part->comm);
	part->half.kind |= side_of(facts, &comm, record);
	error = numbering_number(&exchange->numbering, part);
	if (error) {
		exchange_part_drop(exchange, part);
		return error;
	}
	if (facts->request != NO_ARGUMENT)
		return exchange_part_keep(exchange, message_number(record, facts->request, -1),
					  part);
	exchange_part_end(exchange, part, record);
	return exchange_part_finish(exchange, part);
}

/* Several calls in one record have their numbers, and no times of their own. */
static int skip(struct exchange *exchange, const struct exchange_facts *facts,
		const struct recorder_record *record)
{
	struct part *part = NULL;
	uint64_t number;
	int error = 0;

	if (facts->role == EXCHANGE_COLLECTIVE) {
		error = exchange_part_new(exchange, record, HALF_COLLECTIVE, &part);
		if (part)
			part->channel = numbering_hash(2, part->comm);
	} else if (facts->role == EXCHANGE_MESSAGE) {
		error = facts->source == NO_ARGUMENT
				? exchange_part_send(exchange, facts, record, &part)
				: -ENOSPC;
	}
	if (!error && part)
		error = numbering_take(&exchange->numbering, numbering_side(part), record->repeat,
				       &number);
	exchange_part_drop(exchange, part);
	return error;
}

/* ---- completion ---- */

/* The place of a request among those of a call, looked for from `from` on: they mostly come in order. */
static unsigned place_of(const struct recorder_record *record, unsigned request, int64_t number,
			 unsigned from)
{
	const struct recorder_arg *arg =
		request < record->arg_count ? &record->args[request] : NULL;

	if (!arg || arg->state != RECORDER_ARG_PRESENT || !arg->elements)
		return 0;
	for (unsigned i = 0; i < arg->count; i++)
		if (arg->elements[(from + i) % arg->count] == number)
			return (from + i) % arg->count;
	return 0;
}

static int complete(struct exchange *exchange, const struct exchange_facts *facts,
		    const struct reader_requests *requests, const struct recorder_record *record,
		    int64_t number, unsigned at)
{
	struct part *part = part_map_get(&exchange->parts, number);
	struct message_status status;

	if (part && part->persistent) {
		struct part *active = part->active;

		part->active = NULL;
		part = active;
	} else if (part) {
		part_map_remove(&exchange->parts, number);
	}
	if (!part)
		return 0;
	if (message_status_of(record, facts->status, at, &status) && status.cancelled) {
		int error = part->deferred ? numbering_drop(&exchange->numbering, part)
					   : numbering_give_back(&exchange->numbering, part,
								 &exchange->parts);

		exchange_part_drop(exchange, part);
		return error;
	}
	if ((part->half.kind & HALF_KIND) == HALF_RECEIVE)
		exchange_part_resolve(part, facts, requests, record, at);
	exchange_part_end(exchange, part, record);
	return exchange_part_finish(exchange, part);
}

static int complete_all(struct exchange *exchange, const struct exchange_facts *facts,
			const struct reader_requests *requests,
			const struct recorder_record *record)
{
	struct reader_request request;
	unsigned place = 0;
	int64_t number;
	int error = 0;

	for (unsigned i = 0; !error && !reader_completed(requests, i, &number, &request); i++) {
		place = place_of(record, facts->request, number, i ? place + 1 : 0);
		error = complete(exchange, facts, requests, record, number, place);
	}
	return error;
}

static int take(struct exchange *exchange, const struct exchange_facts *facts,
		const struct reader_requests *requests, const struct recorder_record *record)
{
	if (record->repeat > 1)
		return skip(exchange, facts, record);
	if (record->err && facts->role != EXCHANGE_NONE)
		return 0;
	switch (facts->role) {
	case EXCHANGE_MESSAGE:
		return take_message(exchange, facts, requests, record);
	case EXCHANGE_PERSISTENT:
		return take_persistent(exchange, facts, record);
	case EXCHANGE_START:
		return take_start(exchange, facts, record);
	case EXCHANGE_PROBE:
	case EXCHANGE_MATCHED_PROBE:
		return exchange_probe_take(exchange, facts, requests, record);
	case EXCHANGE_COLLECTIVE:
		return take_collective(exchange, facts, record);
	case EXCHANGE_NONE:
		return complete_all(exchange, facts, requests, record);
	case EXCHANGE_MATCHED_RECEIVE:
		return exchange_probe_receive(exchange, facts, record);
	default:
		return 0;
	}
}

int exchange_take(struct exchange *exchange, const struct exchange_facts *facts,
		  const struct reader_requests *requests, const struct recorder_record *record,
		  uint32_t call)
{
	int error;

	if (exchange->off)
		return 0;
	exchange->call = call;
	error = take(exchange, facts, requests, record);
	return error == -ENOSPC ? give_up(exchange) : error;
}

int exchange_end(struct exchange *exchange)
{
	int error;

	if (!exchange)
		return 0;
	error = exchange_parts_emit_sends(exchange);
	exchange_parts_free(exchange);
	numbering_release(&exchange->numbering);
	free(exchange);
	return error;
}
