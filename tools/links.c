/* SPDX-License-Identifier: MIT */
/* links.c - see links.h */
#include "links.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/matching.h"
#include "chrome.h"
#include "options.h"

#define BARS_MAX                                                                                   \
	512u /* threads that a process gets for requests of a kind; more overlap on the last */

/* Where requests of a process stand. */
struct bars {
	int64_t *ends; /* of the last request on each */
	unsigned count;
};

struct links {
	struct out_events *events;
	struct matching_sink sink;
	struct matching *matching;
	struct reader_cursor *cursor; /* over all calls of `matching`; NULL: nothing is left out */
	const struct recorder_record *pending;
	struct bars *bars; /* by first stream of the process: requests of MPI, and of I/O */
	unsigned streams;
	uint32_t file; /* from 1 */
	int64_t until; /* the end of what is asked for; 0 none */
	uint64_t messages;
};

/* ---- messages ---- */

static uint64_t place_of(const struct links *links, uint32_t tid)
{
	return (uint64_t)links->file << 32 | tid;
}

static uint32_t pid_of(const struct links *links, const struct message_call *call)
{
	return lanes_pid(links->events->lanes, call->stream);
}

static bool is_in_file(const struct links *links, const struct message_call *call)
{
	return call->place >> 32 == links->file;
}

/* {"name":"message","cat":"message","ph":"s","id":5,"pid":7,"tid":7,"ts":1.250} */
static void put_end(struct links *links, const char *phase, const struct message_call *call,
		    int64_t at)
{
	struct out_events *events = links->events;

	chrome_open(events);
	output_text(events->output, "\"name\":\"message\",\"cat\":\"message\",\"ph\":\"");
	output_text(events->output, phase);
	event_number(events, "\",\"id\":", (int64_t)links->messages);
	chrome_place(events, pid_of(links, call), (uint32_t)call->place, at);
	output_char(events->output, '}');
}

/*
 * Viewers bind an end of a flow to the call that is open at its time, and draw none backwards. It begins with the call that sent, and ends as soon as it can:
 * calls within the one that received are then mostly not begun.
 */
static int put_message(void *data, const struct message_call *send,
		       const struct message_call *receive)
{
	struct links *links = data;
	int64_t at = receive->begin > send->begin ? receive->begin : send->begin;

	if (at >= receive->end && receive->end > receive->begin)
		at = receive->end - 1;
	/* clocks of machines are not quite the same */
	if (!is_in_file(links, send) || !is_in_file(links, receive) || at < send->begin ||
	    at > receive->end)
		return 0;
	links->messages++;
	put_end(links, "s", send, send->begin);
	put_end(links, "f\",\"bp\":\"e", receive, at);
	return links->events->output->error;
}

/* ---- requests ---- */

/* The bar that ended last before a request begins: so as few are needed as can be. */
static unsigned choose_bar(const struct bars *bars, int64_t begin)
{
	unsigned best = bars->count;

	for (unsigned i = 0; i < bars->count; i++)
		if (bars->ends[i] <= begin &&
		    (best == bars->count || bars->ends[i] > bars->ends[best]))
			best = i;
	return best < BARS_MAX ? best : BARS_MAX - 1;
}

static int add_bar(struct links *links, struct bars *bars, unsigned stream, uint32_t tid, bool io)
{
	int64_t *ends = realloc(bars->ends, (bars->count + 1) * sizeof(*ends));
	char name[64];

	struct reader_stream info = {.sz = sizeof(info)};

	if (!ends)
		return -ENOMEM;
	if (!reader_stream(links->events->trace, stream, &info))
		chrome_name_process(links->events, stream, &info);
	bars->ends = ends;
	ends[bars->count++] = INT64_MIN;
	snprintf(name, sizeof(name), "%s %u", io ? "asynchronous I/O" : "requests", bars->count);
	chrome_name_thread(links->events, lanes_pid(links->events->lanes, stream), tid, name);
	return 0;
}

/* {"name":"MPI_Irecv","cat":"request","ph":"b","id":"3.0.127.5","pid":7,"tid":4194400,"ts":1.250,"args":{"request":5}} */
static void put_phase(struct links *links, const struct matching_operation *operation,
		      const char *phase, uint32_t tid, int64_t at)
{
	const char *name = reader_function_by_id(links->events->trace, operation->func_id)->name;
	struct out_events *events = links->events;
	char id[96];

	chrome_open(events);
	event_string(events, "\"name\":", name, strlen(name));
	output_text(events->output, operation->io ? ",\"cat\":\"asynchronous I/O\",\"ph\":\""
						  : ",\"cat\":\"request\",\"ph\":\"");
	output_text(events->output, phase);
	snprintf(id, sizeof(id), "\",\"id\":\"%" PRIu32 ".%" PRIu32 ".%" PRIu64 ".%" PRId64 "\"",
		 operation->start.stream, operation->start.thread, operation->start.sequence,
		 operation->number);
	output_text(events->output, id);
	chrome_place(events, pid_of(links, &operation->start), tid, at);
}

static int put_operation(void *data, const struct matching_operation *operation)
{
	struct links *links = data;
	struct out_events *events = links->events;
	size_t process = lanes_first_stream(events->lanes, operation->start.stream);
	struct bars *bars = &links->bars[2 * process + operation->io];
	int64_t begin = operation->start.begin, end = operation->end;
	unsigned bar = choose_bar(bars, begin);
	uint32_t tid = lanes_behind_all(events->lanes) +
		       (uint32_t)(2 * process + operation->io) * BARS_MAX + bar;

	if (!operation->start.place)
		return 0;
	if (!operation->ended && links->until && end > links->until)
		end = links->until;
	end = end > begin ? end : begin;
	if (bar == bars->count && add_bar(links, bars, operation->start.stream, tid, operation->io))
		return -ENOMEM;
	bars->ends[bar] = end;
	put_phase(links, operation, "b", tid, begin);
	event_number(events, ",\"args\":{\"request\":", operation->number);
	output_text(events->output, operation->ended ? "}}" : ",\"completed\":false}}");
	put_phase(links, operation, "e", tid, end);
	output_char(events->output, '}');
	return events->output->error;
}

/* ---- calls ---- */

static bool leaves_out(const struct reader_filter *filter)
{
	return filter->ranks || filter->worlds || filter->tids || filter->streams ||
	       filter->levels || filter->layers || filter->functions || filter->files ||
	       filter->after || filter->before || filter->min_duration || filter->accept;
}

static int open_cursor(struct links *links, struct reader *trace)
{
	struct reader_filter filter = {.sz = sizeof(filter),
				       .functions = matching_functions(links->matching)};

	if (!leaves_out(&options.filter) || !*filter.functions)
		return 0;
	links->cursor = reader_cursor_new(trace, &filter);
	if (!links->cursor)
		return -errno;
	links->pending = reader_next(links->cursor);
	return reader_cursor_status(links->cursor);
}

struct links *links_new(struct out_events *events, struct reader *trace)
{
	struct links *links = calloc(1, sizeof(*links));

	if (!links)
		return NULL;
	links->events = events;
	links->file = 1;
	links->until = options.filter.before;
	links->streams = events->info.streams;
	links->sink = (struct matching_sink){put_message, put_operation, links};
	links->bars = calloc(2 * (size_t)links->streams + 1, sizeof(*links->bars));
	links->matching = matching_new(trace, &links->sink);
	if (links->bars && links->matching && !open_cursor(links, trace))
		return links;
	links_free(links);
	return NULL;
}

void links_free(struct links *links)
{
	if (!links)
		return;
	reader_cursor_free(links->cursor);
	matching_free(links->matching);
	for (size_t i = 0; links->bars && i < 2 * (size_t)links->streams; i++)
		free(links->bars[i].ends);
	free(links->bars);
	free(links);
}

static bool is_same(const struct recorder_record *one, const struct recorder_record *other)
{
	return one->stream == other->stream && one->thread == other->thread &&
	       one->sequence == other->sequence;
}

/* Takes the calls that the output has not, up to one that it has; NULL: all of the time that is asked for. */
static int catch_up(struct links *links, const struct recorder_record *record)
{
	int error = 0;

	while (!error && links->pending && !(record && is_same(links->pending, record)) &&
	       !(!record && links->until && links->pending->tstart >= links->until)) {
		error = matching_take(links->matching, links->pending, 0);
		links->pending = reader_next(links->cursor);
	}
	if (record && links->pending)
		links->pending = reader_next(links->cursor);
	return error ? error : reader_cursor_status(links->cursor);
}

int links_call(struct links *links, const struct recorder_record *record, uint32_t tid)
{
	int error = 0;

	if (!matching_wants(links->matching, record->func_id))
		return 0;
	if (links->cursor)
		error = catch_up(links, record);
	return error ? error : matching_take(links->matching, record, place_of(links, tid));
}

void links_next_file(struct links *links)
{
	links->file++;
	links->messages = 0;
	for (size_t i = 0; i < 2 * (size_t)links->streams; i++) {
		free(links->bars[i].ends);
		links->bars[i] = (struct bars){NULL, 0};
	}
}

int links_end(struct links *links)
{
	int error = links->cursor ? catch_up(links, NULL) : 0;

	return error ? error : matching_end(links->matching);
}

uint64_t links_messages(const struct links *links)
{
	return links->messages;
}
