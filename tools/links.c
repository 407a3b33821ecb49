/* SPDX-License-Identifier: MIT */
/* links.c - see links.h */
#include "links.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/exchange.h"
#include "analysis/operation.h"
#include "analysis/operations.h"
#include "bars.h"
#include "lanes.h"
#include "options.h"

#define NO_STREAM UINT32_MAX

struct links {
	struct out_events *events;
	struct reader *trace;
	struct role_of_function *roles; /* by id, as are the next ones */
	struct exchange_facts *facts;
	char *functions; /* those that have roles */
	struct operations *operations;
	struct reader_requests *requests;
	struct flows *flows;
	struct bars *bars;
	struct exchange **exchanges; /* by first stream of the process */
	uint32_t *next;              /* by stream: the next one of its process, or NO_STREAM */
	bool *wanted;                /* streams that the user asks for */
	unsigned streams;
	struct reader_cursor *all; /* over all calls that have roles; NULL: nothing is left out */
	const struct recorder_record *pending;
	struct reader_cursor *shown; /* of one process: what is in the output */
	unsigned process;
	/* Of a walk: threads that calls stand at, from number `noted_before` of calls, 1 being the first, on. */
	bool walks;
	struct buffer tids;
	uint32_t noted_before;
};

/* ---- beginning ---- */

static int find_roles(struct links *links)
{
	unsigned count = reader_function_count(links->trace);

	links->roles = roles_of_all(links->trace);
	links->facts = calloc(count + 1, sizeof(*links->facts));
	if (!links->roles || !links->facts)
		return -ENOMEM;
	for (unsigned id = 0; id < count; id++) {
		const struct reader_function_info *info = reader_function_by_id(links->trace, id);

		links->facts[id] = exchange_facts_of(info, operation_of(info->layer, info->name));
	}
	links->functions = roles_functions(links->trace, links->roles);
	return links->functions ? 0 : -ENOMEM;
}

/* Streams of a process, from its first one on. */
static int find_processes(struct links *links)
{
	links->next = malloc((links->streams + 1) * sizeof(*links->next));
	if (!links->next)
		return -ENOMEM;
	for (unsigned i = 0; i < links->streams; i++)
		links->next[i] = NO_STREAM;
	for (unsigned i = links->streams; i-- > 0;) {
		unsigned first = lanes_first_stream(links->events->lanes, i);

		if (first == i)
			continue;
		links->next[i] = links->next[first];
		links->next[first] = i;
	}
	return 0;
}

static int find_wanted(struct links *links)
{
	struct reader_piece *pieces;
	int64_t count = reader_pieces(links->trace, &options.filter, UINT64_MAX, &pieces);

	links->wanted = calloc(links->streams + 1, sizeof(*links->wanted));
	if (count < 0 || !links->wanted)
		return count < 0 ? (int)count : -ENOMEM;
	for (int64_t i = 0; i < count; i++)
		links->wanted[pieces[i].stream] = true;
	free(pieces);
	return 0;
}

struct links *links_new(struct out_events *events, struct reader *trace)
{
	struct links *links = calloc(1, sizeof(*links));

	if (!links)
		return NULL;
	links->events = events;
	links->trace = trace;
	links->streams = events->info.streams;
	links->exchanges = calloc(links->streams + 1, sizeof(struct exchange *));
	links->flows = flows_new(events);
	links->bars = bars_new(events);
	if (links->exchanges && links->flows && links->bars && !find_roles(links) &&
	    !find_processes(links) && !find_wanted(links))
		links->operations = operations_new(trace, links->roles, bars_put, links->bars);
	links->requests = links->operations ? reader_requests_new(trace) : NULL;
	if (links->requests)
		return links;
	links_free(links);
	return NULL;
}

static int end_exchanges(struct links *links)
{
	int error = 0;

	for (unsigned i = 0; i < links->streams; i++) {
		int ended = exchange_end(links->exchanges[i]);

		links->exchanges[i] = NULL;
		error = error ? error : ended;
	}
	return error;
}

static void close_cursors(struct links *links)
{
	reader_cursor_free(links->all);
	reader_cursor_free(links->shown);
	links->all = links->shown = NULL;
	links->pending = NULL;
}

void links_free(struct links *links)
{
	if (!links)
		return;
	close_cursors(links);
	if (links->exchanges)
		end_exchanges(links);
	reader_requests_free(links->requests);
	operations_free(links->operations);
	bars_free(links->bars);
	flows_free(links->flows);
	buffer_release(&links->tids);
	free(links->exchanges);
	free(links->functions);
	free(links->wanted);
	free(links->next);
	free(links->facts);
	free(links->roles);
	free(links);
}

bool links_has_any(const struct links *links)
{
	return *links->functions;
}

struct flows *links_flows(const struct links *links)
{
	return links->flows;
}

/* ---- calls ---- */

/* The exchange of the process that a stream is of; its main streams are those of a rank. *exchange NULL: it takes part in nothing. */
static int find_exchange(struct links *links, unsigned stream, struct exchange **exchange)
{
	unsigned first = lanes_first_stream(links->events->lanes, stream);
	struct reader_stream info = {.sz = sizeof(info)};

	*exchange = links->exchanges[first];
	if (*exchange)
		return 0;
	if (reader_stream(links->trace, stream, &info) || !info.main)
		return 0;
	*exchange = exchange_begin(links->trace, first, EXCHANGE_CALLS, flows_halves(links->flows));
	if (!*exchange)
		return -ENOMEM;
	links->exchanges[first] = *exchange;
	for (uint32_t i = first; i != NO_STREAM; i = links->next[i])
		exchange_reads(*exchange, i);
	return 0;
}

/* A call that stands at `tid` in the output; 0: it is not there. */
static int take(struct links *links, const struct recorder_record *record, uint32_t tid)
{
	const struct exchange_facts *facts = &links->facts[record->func_id];
	struct exchange *exchange;
	int error;

	if (record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_TIMES_SUMMED))
		return 0;
	/* calls of a handler may lie anywhere in those of its thread */
	if (record->flags & RECORDER_IN_SIGNAL)
		tid = 0;
	error = reader_requests_take(links->requests, record);
	if (!error)
		error = find_exchange(links, record->stream, &exchange);
	if (!error && exchange && facts->role != EXCHANGE_COLLECTIVE)
		error = exchange_take(exchange, facts, links->requests, record, tid);
	return error ? error : operations_take(links->operations, record, tid != 0);
}

static bool is_same(const struct recorder_record *one, const struct recorder_record *other)
{
	return one->stream == other->stream && one->thread == other->thread &&
	       one->sequence == other->sequence;
}

/* Takes the calls that the output has not, up to one that it has; NULL: all of the time that is asked for. */
static int catch_up(struct links *links, const struct recorder_record *record)
{
	int64_t until = options.filter.before;
	int error = 0;

	while (!error && links->pending && !(record && is_same(links->pending, record)) &&
	       !(!record && until && links->pending->tstart >= until)) {
		error = take(links, links->pending, 0);
		links->pending = reader_next(links->all);
	}
	if (record && links->pending)
		links->pending = reader_next(links->all);
	return error ? error : reader_cursor_status(links->all);
}

/* Whether there may be calls that are not in the output. */
static bool leaves_out(const struct reader_filter *filter)
{
	return filter->ranks || filter->worlds || filter->tids || filter->streams ||
	       filter->levels || filter->layers || filter->functions || filter->files ||
	       filter->after || filter->before || filter->min_duration || filter->accept;
}

/* `streams`: NULL all. */
static int open_all(struct links *links, const char *streams)
{
	struct reader_filter filter = {.sz = sizeof(filter),
				       .functions = links->functions,
				       .streams = streams};

	if (!leaves_out(&options.filter) || !*links->functions)
		return 0;
	links->all = reader_cursor_new(links->trace, &filter);
	if (!links->all)
		return -errno;
	links->pending = reader_next(links->all);
	return reader_cursor_status(links->all);
}

/* ---- a walk over all ---- */

int links_walk(struct links *links)
{
	links->walks = true;
	return open_all(links, NULL);
}

/* The number that a call has in halves. */
static uint32_t note(struct links *links, uint32_t tid)
{
	uint64_t number = links->noted_before + links->tids.size / sizeof(tid) + 1;

	if (number > UINT32_MAX)
		return 0;
	buffer_add(&links->tids, &tid, sizeof(tid));
	return (uint32_t)number;
}

int links_call(struct links *links, const struct recorder_record *record, uint32_t tid)
{
	int error = 0;

	if (!links->roles[record->func_id].roles)
		return 0;
	if (links->all)
		error = catch_up(links, record);
	return error ? error : take(links, record, note(links, tid));
}

/* From the numbers of calls to their threads; 0: it is in a file before. */
int links_end_file(struct links *links)
{
	struct half_list *ends = &flows_halves(links->flows)->things[HALVES_MESSAGES];
	const uint32_t *tids = (const uint32_t *)links->tids.bytes;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < ends->count; i++) {
		struct half half = ends->list[i];

		if (half.call <= links->noted_before)
			continue;
		half.call = tids[half.call - links->noted_before - 1];
		ends->list[kept++] = half;
	}
	ends->count = kept;
	return flows_put(links->flows, 0, 1);
}

void links_next_file(struct links *links)
{
	links->noted_before += (uint32_t)(links->tids.size / sizeof(uint32_t));
	buffer_clear(&links->tids);
	flows_next_file(links->flows);
	bars_next_file(links->bars);
}

int links_end(struct links *links)
{
	int error = links->all ? catch_up(links, NULL) : 0;

	return error ? error : operations_end(links->operations);
}

/* ---- a process by itself ---- */

/* "3,7" of the streams of a process; all of them, or those that are asked for. */
static void list_streams(const struct links *links, unsigned first, bool wanted,
			 struct buffer *list)
{
	char number[16];

	buffer_clear(list);
	for (uint32_t i = first; i != NO_STREAM; i = links->next[i]) {
		if (wanted && !links->wanted[i])
			continue;
		snprintf(number, sizeof(number), "%s%" PRIu32, list->size ? "," : "", i);
		buffer_add_text(list, number);
	}
	buffer_add(list, "", 1);
}

int links_begin(struct links *links, unsigned first)
{
	struct reader_filter filter = options.filter;
	struct buffer streams = {0};
	int error;

	close_cursors(links);
	links->process = first;
	list_streams(links, first, false, &streams);
	error = open_all(links, (const char *)streams.bytes);
	list_streams(links, first, true, &streams);
	filter.in_flight = 0;
	filter.streams = (const char *)streams.bytes;
	if (!leaves_out(&options.filter))
		filter.functions = links->functions;
	if (!error && *filter.streams && *links->functions) {
		links->shown = reader_cursor_new(links->trace, &filter);
		error = links->shown ? 0 : -errno;
	}
	buffer_release(&streams);
	return error;
}

static int end_process(struct links *links)
{
	int error = links->shown && links->all ? catch_up(links, NULL) : 0;

	if (!error)
		error = operations_end(links->operations);
	if (!error)
		error = exchange_end(links->exchanges[links->process]);
	links->exchanges[links->process] = NULL;
	close_cursors(links);
	return error;
}

int links_step(struct links *links)
{
	const struct recorder_record *record = links->shown ? reader_next(links->shown) : NULL;
	int error = links->shown && !record ? reader_cursor_status(links->shown) : 0;

	if (error)
		return error;
	if (!record)
		return end_process(links);
	if (!links->roles[record->func_id].roles)
		return 1;
	if (links->all)
		error = catch_up(links, record);
	if (!error)
		error = take(links, record, lanes_own_tid(links->events->lanes, record));
	return error ? error : 1;
}
