/* SPDX-License-Identifier: MIT */
/* exchange.c - see exchange.h */
#include "analysis/exchange.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/message_args.h"
#include "analysis/numbering.h"
#include "analysis/part_map.h"

/* What MPI_Probe found, and how long it took: the receive that follows did not wait. */
struct probe {
	uint64_t channel; /* 0: none */
	int64_t begin, end;
	uint32_t thread;
};

struct exchange {
	const struct reader *trace;
	struct halves *halves;
	enum exchange_view view;
	uint32_t rank;
	uint32_t call; /* the present one */
	bool off;      /* numbers would be wrong from here on */
	struct numbering numbering;
	struct part_map parts; /* by request */
	struct probe probe;
};

/* Whether calls are missing, or their times made up, so that numbers would be wrong. */
static bool is_unreliable(const struct reader *trace, unsigned stream)
{
	struct reader_stream facts = {.sz = sizeof(facts)};
	struct reader_value value;
	const char *key;

	if (reader_stream(trace, stream, &facts) || facts.lost || facts.unreadable || facts.summed)
		return true;
	if (reader_meta(trace, stream, "pauses", &value) == 0 && value.u64 > 0)
		return true;
	for (unsigned i = 0; (key = reader_meta_key(trace, stream, i)); i++)
		if (!strncmp(key, "skipped.MPI_", 12)) /* by conditions of the recorder */
			return true;
	return false;
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

/* Nobody needs it any more, but for the list of deferred ones if it is in there. NULL is none. */
static void drop_part(struct exchange *exchange, struct part *part)
{
	if (part && !part->deferred)
		numbering_free(&exchange->numbering, part);
}

/* Deferred parts are in both lists: they are freed with the second. */
static void free_parts(struct exchange *exchange)
{
	for (uint32_t i = 0; i < exchange->parts.size; i++) {
		struct part *part = exchange->parts.places[i].part;

		if (part)
			drop_part(exchange, part->active);
		drop_part(exchange, part);
	}
	part_map_release(&exchange->parts);
	numbering_forget(&exchange->numbering);
}

static int emit_open(struct exchange *exchange, const struct part *part)
{
	if (!part || part->persistent || (part->half.kind & HALF_KIND) != HALF_SEND)
		return 0;
	return numbering_give_away(&exchange->numbering, part);
}

/* What was sent has its number, whether or not it is seen to complete. */
static int emit_sends(struct exchange *exchange)
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

static int give_up(struct exchange *exchange)
{
	int error = emit_sends(exchange);

	free_parts(exchange);
	exchange->off = true;
	exchange->halves->given_up++;
	return error;
}

/* ---- what calls say ---- */

/* A part made by a call, of the communicator of the record. 0: none, as its communicator is not known; -ENOMEM. */
static int new_part(struct exchange *exchange, const struct recorder_record *record,
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

/* *made is NULL if nothing is sent. */
static int make_send(struct exchange *exchange, const struct exchange_facts *facts,
		     const struct recorder_record *record, struct part **made)
{
	struct reader_process dest = reader_peer_process(exchange->trace, record, facts->dest);
	int error;

	*made = NULL;
	if (facts->dest == NO_ARGUMENT || dest.rank < 0)
		return 0;
	error = new_part(exchange, record, HALF_SEND, made);
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

static int make_receive(struct exchange *exchange, const struct exchange_facts *facts,
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
	error = new_part(exchange, record, HALF_RECEIVE, made);
	if (*made) {
		(*made)->source = source;
		(*made)->tag = message_number(record, facts->receive_tag, -1);
		(*made)->any_source = anybody;
		(*made)->any_tag = (*made)->tag < 0;
		find_channel(*made, record);
	}
	return error;
}

/* ---- ends ---- */

/* Fills in what anybody and any tag were. */
static void resolve(struct part *part, const struct exchange_facts *facts,
		    const struct reader_requests *requests, const struct recorder_record *record,
		    unsigned at)
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

/* It has the interval of the call that completed it; one that was probed for waited there. */
static void end_part(struct exchange *exchange, struct part *part,
		     const struct recorder_record *record)
{
	part->complete = true;
	part->half.call = exchange->call;
	if (part->probed)
		return;
	part->half.begin = record->tstart;
	part->half.end = record->tend;
}

static void note_probe(struct exchange *exchange, struct part *part,
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

/* A part that ends: it is given away, here or, if it has no number yet, by whoever settles. */
static int finish(struct exchange *exchange, struct part *part)
{
	int error;

	if (!part->channel && (part->half.kind & HALF_KIND) == HALF_RECEIVE)
		error = -ENOSPC; /* nobody knows whose numbers it changes */
	else if (part->deferred)
		return numbering_settle(&exchange->numbering);
	else
		error = numbering_give_away(&exchange->numbering, part);
	drop_part(exchange, part);
	return error;
}

/* ---- roles ---- */

static int keep_as(struct exchange *exchange, int64_t number, struct part *part)
{
	int error = -ENOSPC;

	if (exchange->parts.count < PARTS_MAX && !part_map_get(&exchange->parts, number))
		error = part_map_add(&exchange->parts, number, part);
	if (error)
		drop_part(exchange, part);
	return error;
}

/* Keeps what a request stands for. One without a number is not seen to end. */
static int keep(struct exchange *exchange, int64_t number, struct part *part)
{
	return number > 0 ? keep_as(exchange, number, part) : finish(exchange, part);
}

/* A send has its number; one that is of the call that sent needs nothing more. */
static int number_send(struct exchange *exchange, struct part *part)
{
	int error = numbering_number(&exchange->numbering, part);

	if (error || exchange->view != EXCHANGE_CALLS)
		return error;
	error = numbering_give_away(&exchange->numbering, part);
	part->given = true;
	return error;
}

static int take_send(struct exchange *exchange, const struct exchange_facts *facts,
		     const struct recorder_record *record)
{
	bool both = facts->source != NO_ARGUMENT;
	struct part *part;
	int error = make_send(exchange, facts, record, &part);

	if (error || !part)
		return error;
	error = number_send(exchange, part);
	if (error) {
		drop_part(exchange, part);
		return error;
	}
	if (facts->request != NO_ARGUMENT && !both)
		return keep(exchange, message_number(record, facts->request, -1), part);
	if (facts->request == NO_ARGUMENT)
		end_part(exchange, part, record);
	return finish(exchange, part);
}

static int take_receive(struct exchange *exchange, const struct exchange_facts *facts,
			const struct reader_requests *requests,
			const struct recorder_record *record)
{
	struct part *part;
	int error = make_receive(exchange, facts, record, &part);

	if (error || !part)
		return error;
	if (facts->request == NO_ARGUMENT) {
		resolve(part, facts, requests, record, 0);
		note_probe(exchange, part, record);
		end_part(exchange, part, record);
		part->complete = false; /* not given away before it is finished */
	}
	error = numbering_post(&exchange->numbering, part);
	if (error) {
		drop_part(exchange, part);
		return error;
	}
	if (facts->request != NO_ARGUMENT)
		return keep(exchange, message_number(record, facts->request, -1), part);
	part->complete = true;
	return finish(exchange, part);
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
	int error = facts->dest != NO_ARGUMENT ? make_send(exchange, facts, record, &part)
					       : make_receive(exchange, facts, record, &part);

	if (error || !part)
		return error;
	part->persistent = true;
	return keep(exchange, message_number(record, facts->request, -1), part);
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
			? number_send(exchange, part)
			: numbering_post(&exchange->numbering, part);
	if (error)
		drop_part(exchange, part);
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

/* Messages that a matched probe found are kept beside requests, by the negative of their number. */
static int keep_probed(struct exchange *exchange, struct part *part, int64_t message)
{
	int error = numbering_post(&exchange->numbering, part);

	if (!error && message > 0 && !part_map_get(&exchange->parts, -message))
		return keep_as(exchange, -message, part);
	drop_part(exchange, part);
	return error ? error : -ENOSPC;
}

static int take_matched_receive(struct exchange *exchange, const struct exchange_facts *facts,
				const struct recorder_record *record)
{
	int64_t message = message_number(record, facts->message, 0);
	struct part *part = message > 0 ? part_map_remove(&exchange->parts, -message) : NULL;

	if (!part)
		return 0;
	if (facts->request != NO_ARGUMENT)
		return keep(exchange, message_number(record, facts->request, -1), part);
	end_part(exchange, part, record);
	return finish(exchange, part);
}

/* The message that a probe found: of MPI_Mprobe it is received by that. */
static int take_probe(struct exchange *exchange, const struct exchange_facts *facts,
		      const struct reader_requests *requests, const struct recorder_record *record)
{
	struct part *part;
	int error;

	if (facts->flag != NO_ARGUMENT && message_number(record, facts->flag, -1) <= 0)
		return 0;
	error = make_receive(exchange, facts, record, &part);
	if (error || !part)
		return error;
	resolve(part, facts, requests, record, 0);
	if (facts->role == EXCHANGE_MATCHED_PROBE && exchange->view == EXCHANGE_CALLS)
		return keep_probed(exchange, part, message_number(record, facts->message, 0));
	if (facts->role == EXCHANGE_MATCHED_PROBE) {
		end_part(exchange, part, record);
		part->complete = false;
		error = numbering_post(&exchange->numbering, part);
		part->complete = true;
		if (!error)
			return finish(exchange, part);
	} else {
		exchange->probe =
			(struct probe){part->channel, record->tstart, record->tend, record->thread};
	}
	drop_part(exchange, part);
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
	int error = new_part(exchange, record, HALF_COLLECTIVE, &part);

	if (error || !part)
		return error;
	reader_comm(exchange->trace, record->stream, reader_record_comm(exchange->trace, record),
		    &comm);
	part->channel = numbering_hash(2, part->comm);
	part->half.kind |= side_of(facts, &comm, record);
	error = numbering_number(&exchange->numbering, part);
	if (error) {
		drop_part(exchange, part);
		return error;
	}
	if (facts->request != NO_ARGUMENT)
		return keep(exchange, message_number(record, facts->request, -1), part);
	end_part(exchange, part, record);
	return finish(exchange, part);
}

/* Several calls in one record have their numbers, and no times of their own. */
static int skip(struct exchange *exchange, const struct exchange_facts *facts,
		const struct recorder_record *record)
{
	struct part *part = NULL;
	uint64_t number;
	int error = 0;

	if (facts->role == EXCHANGE_COLLECTIVE) {
		error = new_part(exchange, record, HALF_COLLECTIVE, &part);
		if (part)
			part->channel = numbering_hash(2, part->comm);
	} else if (facts->role == EXCHANGE_MESSAGE) {
		error = facts->source == NO_ARGUMENT ? make_send(exchange, facts, record, &part)
						     : -ENOSPC;
	}
	if (!error && part)
		error = numbering_take(&exchange->numbering, numbering_side(part), record->repeat,
				       &number);
	drop_part(exchange, part);
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

		drop_part(exchange, part);
		return error;
	}
	if ((part->half.kind & HALF_KIND) == HALF_RECEIVE)
		resolve(part, facts, requests, record, at);
	end_part(exchange, part, record);
	return finish(exchange, part);
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
		return take_probe(exchange, facts, requests, record);
	case EXCHANGE_COLLECTIVE:
		return take_collective(exchange, facts, record);
	case EXCHANGE_NONE:
		return complete_all(exchange, facts, requests, record);
	case EXCHANGE_MATCHED_RECEIVE:
		return take_matched_receive(exchange, facts, record);
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
	error = emit_sends(exchange);
	free_parts(exchange);
	numbering_release(&exchange->numbering);
	free(exchange);
	return error;
}
