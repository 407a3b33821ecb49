/* SPDX-License-Identifier: MIT */
/* messages.c - see messages.h */
#include "analysis/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/rows.h"

/* The row of a communicator, which on all its members has one identity; NULL: no memory. */
static struct comm_row *comm_row_of(struct messages *messages, uint64_t identity)
{
	uint32_t number = messages->recent_comm;
	struct comm_row *rows;

	if (number < messages->comm_keys.count && messages->comms[number].identity == identity)
		return &messages->comms[number];
	rows = rows_grown_zeroed(messages->comms, &messages->comm_room, messages->comm_keys.count,
				 sizeof(*rows));
	if (!rows)
		return NULL;
	messages->comms = rows;
	if (dictionary_number(&messages->comm_keys, &identity, sizeof(identity), &number))
		return NULL;
	messages->recent_comm = number;
	rows[number].identity = identity;
	return &rows[number];
}

static struct message_row *pair_row_of(struct messages *messages, unsigned from, unsigned to)
{
	uint32_t key[2] = {from, to};
	uint32_t *recent = &messages->recent_pairs[(from * 5 + to) % PAIRS_RECENT];
	uint32_t number = *recent;
	struct message_row *rows = messages->pairs;

	if (number < messages->pair_keys.count && rows[number].from == from &&
	    rows[number].to == to)
		return &rows[number];
	rows = rows_grown_zeroed(messages->pairs, &messages->pair_room, messages->pair_keys.count,
				 sizeof(*rows));
	if (!rows)
		return NULL;
	messages->pairs = rows;
	if (dictionary_number(&messages->pair_keys, key, sizeof(key), &number))
		return NULL;
	*recent = number;
	rows[number].from = from;
	rows[number].to = to;
	return &rows[number];
}

/* Names may differ between members: the first one in the alphabet is taken, whoever came first. 0 or -ENOMEM. */
static int name_comm(struct messages *messages, struct comm_row *row, const char *name,
		     int32_t size)
{
	if (size > row->size)
		row->size = size;
	if (!*name || (row->name && strcmp(name, row->name) >= 0))
		return 0;
	row->name = pool_copy(&messages->names, name, strlen(name));
	return row->name ? 0 : -ENOMEM;
}

static int count_comm(struct messages *messages, const struct facts *facts,
		      const struct recorder_record *record, int64_t received, int64_t sent)
{
	uint32_t id = reader_record_comm(facts->trace, record);
	struct reader_comm comm;
	struct comm_row *row;

	if (!id || reader_comm(facts->trace, record->stream, id, &comm))
		return 0;
	row = comm_row_of(messages, comm.identity);
	if (!row || name_comm(messages, row, comm.name, comm.size))
		return -ENOMEM;
	add_call(&row->sums, record, received, sent);
	if (facts->functions[record->func_id].operation == ANALYSIS_COLLECTIVE)
		add_to(&row->collective, record->busy);
	return 0;
}

static int count_pair(struct messages *messages, const struct facts *facts,
		      const struct recorder_record *record, unsigned rank, int64_t received,
		      int64_t sent)
{
	struct reader_process peer =
		reader_peer_process(facts->trace, record, facts->functions[record->func_id].peer);
	unsigned other = facts_rank(facts, peer.world, peer.rank);
	struct message_row *row;
	bool fetches = sent <= 0;

	if (other == NO_RANK)
		return 0;
	row = fetches ? pair_row_of(messages, other, rank) : pair_row_of(messages, rank, other);
	if (!row)
		return -ENOMEM;
	row->calls += record->repeat;
	add_to(&row->bytes, fetches ? received : sent);
	return 0;
}

int messages_count(struct messages *messages, const struct facts *facts,
		   const struct recorder_record *record, unsigned rank, int64_t received,
		   int64_t sent)
{
	int error = count_comm(messages, facts, record, received, sent);

	if (error || facts->functions[record->func_id].peer == NO_ARGUMENT)
		return error;
	return count_pair(messages, facts, record, rank, received, sent);
}

int messages_merge(struct messages *into, const struct messages *from)
{
	for (uint32_t i = 0; i < from->comm_keys.count; i++) {
		const struct comm_row *row = &from->comms[i];
		struct comm_row *merged = comm_row_of(into, row->identity);

		if (!merged || name_comm(into, merged, row->name ? row->name : "", row->size))
			return -ENOMEM;
		add_sums(&merged->sums, &row->sums);
		add_to(&merged->collective, row->collective);
	}
	for (uint32_t i = 0; i < from->pair_keys.count; i++) {
		const struct message_row *row = &from->pairs[i];
		struct message_row *merged = pair_row_of(into, row->from, row->to);

		if (!merged)
			return -ENOMEM;
		merged->calls += row->calls;
		add_to(&merged->bytes, row->bytes);
	}
	return 0;
}

void messages_release(struct messages *messages)
{
	dictionary_release(&messages->comm_keys);
	dictionary_release(&messages->pair_keys);
	free(messages->comms);
	free(messages->pairs);
	pool_release(&messages->names);
}
