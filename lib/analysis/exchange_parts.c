/* SPDX-License-Identifier: MIT */
/* exchange_parts.c - see exchange_parts.h */
#include "analysis/exchange_parts.h"

#include <errno.h>

#include "analysis/message_args.h"

void exchange_part_drop(struct exchange *exchange, struct part *part)
{
	if (part && !part->deferred)
		numbering_free(&exchange->numbering, part);
}

/* ---- made by calls ---- */

int exchange_part_new(struct exchange *exchange, const struct recorder_record *record,
		      enum half_kind kind, struct part **made)
{
	uint32_t id = reader_record_comm(exchange->trace, record), comm;
	struct reader_comm facts;
	int32_t members;

	*made = NULL;
	if (!id || reader_comm(exchange->trace, record->stream, id, &facts))
		return 0;
	members = facts.size + (facts.remote_size > 0 ? facts.remote_size : 0);
	if (halves_comm(exchange->halves, facts.identity, members, &comm))
		return -ENOMEM;
	*made = numbering_part(&exchange->numbering);
	if (!*made)
		return -ENOMEM;
	(*made)->comm = facts.identity;
	(*made)->half = (struct half){.arrive = record->tstart,
				      .begin = record->tstart,
				      .end = record->tstart,
				      .rank = exchange->rank,
				      .comm = comm,
				      .call = exchange->call,
				      .function = record->func_id,
				      .kind = (uint8_t)kind};
	return 0;
}

static struct reader_process self_of(const struct recorder_record *record)
{
	return (struct reader_process){record->world, record->rank};
}

int exchange_part_send(struct exchange *exchange, const struct exchange_facts *facts,
		       const struct recorder_record *record, struct part **made)
{
	struct reader_process dest = reader_peer_process(exchange->trace, record, facts->dest);
	int error;

	*made = NULL;
	if (facts->dest == NO_ARGUMENT || dest.rank < 0)
		return 0;
	error = exchange_part_new(exchange, record, HALF_SEND, made);
	if (*made)
		(*made)->channel = numbering_channel((*made)->comm, self_of(record), dest,
						     message_number(record, facts->send_tag, -1));
	return error;
}

static void find_channel(struct part *part, const struct recorder_record *record)
{
	if (!part->any_source && !part->any_tag)
		part->channel =
			numbering_channel(part->comm, part->source, self_of(record), part->tag);
}

int exchange_part_receive(struct exchange *exchange, const struct exchange_facts *facts,
			  const struct recorder_record *record, struct part **made)
{
	struct reader_process source;
	bool anybody;
	int error;

	*made = NULL;
	if (facts->source == NO_ARGUMENT)
		return 0;
	source = reader_peer_process(exchange->trace, record, facts->source);
	anybody = message_is_any(exchange->trace, record, facts->source, "MPI_ANY_SOURCE");
	if (source.rank < 0 && !anybody)
		return 0;
	error = exchange_part_new(exchange, record, HALF_RECEIVE, made);
	if (*made) {
		(*made)->source = source;
		(*made)->tag = message_number(record, facts->receive_tag, -1);
		(*made)->any_source = anybody;
		(*made)->any_tag = (*made)->tag < 0;
		find_channel(*made, record);
	}
	return error;
}

/* ---- numbered, kept and ended ---- */

int exchange_part_number(struct exchange *exchange, struct part *part)
{
	int error = numbering_number(&exchange->numbering, part);

	if (error || exchange->view != EXCHANGE_CALLS)
		return error;
	error = numbering_give_away(&exchange->numbering, part);
	part->given = true;
	return error;
}

int exchange_part_keep_as(struct exchange *exchange, int64_t number, struct part *part)
{
	int error = -ENOSPC;

	if (exchange->parts.count < PARTS_MAX && !part_map_get(&exchange->parts, number))
		error = part_map_add(&exchange->parts, number, part);
	if (error)
		exchange_part_drop(exchange, part);
	return error;
}

int exchange_part_keep(struct exchange *exchange, int64_t number, struct part *part)
{
	return number > 0 ? exchange_part_keep_as(exchange, number, part)
			  : exchange_part_finish(exchange, part);
}

void exchange_part_resolve(struct part *part, const struct exchange_facts *facts,
			   const struct reader_requests *requests,
			   const struct recorder_record *record, unsigned at)
{
	struct message_status status;
	struct reader_process source;

	if (part->channel || !message_status_of(record, facts->status, at, &status))
		return;
	source = reader_status_process(requests, record, facts->status, at);
	if (source.rank < 0)
		return;
	part->source = source;
	part->tag = status.tag;
	part->any_source = part->any_tag = false;
	find_channel(part, record);
}

void exchange_part_end(struct exchange *exchange, struct part *part,
		       const struct recorder_record *record)
{
	part->complete = true;
	part->half.call = exchange->call;
	if (part->probed)
		return;
	part->half.begin = record->tstart;
	part->half.end = record->tend;
}

int exchange_part_finish(struct exchange *exchange, struct part *part)
{
	int error;

	if (!part->channel && (part->half.kind & HALF_KIND) == HALF_RECEIVE)
		error = -ENOSPC; /* nobody knows whose numbers it changes */
	else if (part->deferred)
		return numbering_settle(&exchange->numbering);
	else
		error = numbering_give_away(&exchange->numbering, part);
	exchange_part_drop(exchange, part);
	return error;
}

/* ---- all of them ---- */

static int emit_open(struct exchange *exchange, const struct part *part)
{
	if (!part || part->persistent || (part->half.kind & HALF_KIND) != HALF_SEND)
		return 0;
	return numbering_give_away(&exchange->numbering, part);
}

int exchange_parts_emit_sends(struct exchange *exchange)
{
	int error = 0;

	for (uint32_t i = 0; i < exchange->parts.size && !error; i++)
		if (exchange->parts.places[i].part) {
			error = emit_open(exchange, exchange->parts.places[i].part);
			if (!error)
				error = emit_open(exchange, exchange->parts.places[i].part->active);
		}
	return error;
}

/* Deferred parts are in both lists: they are freed with the second. */
void exchange_parts_free(struct exchange *exchange)
{
	for (uint32_t i = 0; i < exchange->parts.size; i++) {
		struct part *part = exchange->parts.places[i].part;

		if (part)
			exchange_part_drop(exchange, part->active);
		exchange_part_drop(exchange, part);
	}
	part_map_release(&exchange->parts);
	numbering_forget(&exchange->numbering);
}
