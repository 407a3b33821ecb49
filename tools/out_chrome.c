/* SPDX-License-Identifier: MIT */
/*
 * out_chrome.c - strict JSON of Chrome's trace event format, for Perfetto, speedscope and the like.
 *
 * Times are microseconds since the trace's start with three decimals, which is exact; epoch times
 * would lose their fraction in a double. X events are the records, no more and no less; a call
 * in flight is a B event that nothing ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "events.h"
#include "json.h"

/* Begins an event on its own line; commas go before all but the first. */
static void put_open(struct out_events *events)
{
	output_text(events->output, events->lines++ ? ",\n{" : "\n{");
}

static void put_meta(struct out_events *events, const char *name, uint32_t pid, uint32_t tid)
{
	put_open(events);
	output_text(events->output, "\"name\":\"");
	output_text(events->output, name);
	output_text(events->output, "\",\"cat\":\"__metadata\",\"ph\":\"M\"");
	event_number(events, ",\"pid\":", pid);
	event_number(events, ",\"tid\":", tid);
	output_text(events->output, ",\"args\":{");
}

static void put_meta_name(struct out_events *events, const char *kind, uint32_t pid, uint32_t tid,
			  const char *name)
{
	put_meta(events, kind, pid, tid);
	event_string(events, "\"name\":", name, strlen(name));
	output_text(events->output, "}}");
}

static int chrome_begin(void *self, const struct walk *walk)
{
	struct out_events *events = self;

	output_text(events->output, "{\"traceEvents\":[");
	return events_begin(events, walk, false);
}

static const char *program_of(const struct reader_stream *stream)
{
	const char *slash = strrchr(stream->exe, '/');

	return slash ? slash + 1 : stream->exe;
}

static int chrome_stream(void *self, unsigned index, const struct reader_stream *stream)
{
	struct out_events *events = self;
	uint32_t pid = lanes_pid(events->lanes, index);
	char rank[64], name[512];

	if (!lanes_name_process(events->lanes, index))
		return events->output->error;
	event_rank_name(stream, "rank", rank, sizeof(rank));
	snprintf(name, sizeof(name), "%s %s on %s", rank, program_of(stream), stream->host);
	put_meta(events, "process_name", pid, pid);
	event_string(events, "\"name\":", name, strlen(name));
	event_number(events, ",\"rank\":", stream->rank);
	event_number(events, ",\"pid\":", stream->pid);
	event_string(events, ",\"host\":", stream->host, strlen(stream->host));
	output_text(events->output, "}}");
	put_meta(events, "process_sort_index", pid, pid);
	event_number(events, "\"sort_index\":", stream->rank);
	output_text(events->output, "}}");
	return events->output->error;
}

static void put_us(struct out_events *events, const char *key, int64_t ns)
{
	output_text(events->output, key);
	output_decimal(events->output, ns, 3);
}

static int put_args(struct out_events *events, const struct recorder_record *record)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct reader_file file;
	int error;

	output_text(events->output, ",\"args\":{");
	error = event_args(events, record);
	if (!reader_record_file(events->trace, record, &file))
		event_string(events, ",\"file\":", file.path, strlen(file.path));
	if (lanes_pid_is_synthetic(events->lanes, record->stream) &&
	    !reader_stream(events->trace, record->stream, &stream))
		event_number(events, ",\"pid\":", stream.pid);
	output_char(events->output, '}');
	return error;
}

static int chrome_call(void *self, const struct recorder_record *record)
{
	struct out_events *events = self;
	bool in_flight = record->flags & RECORDER_IN_FLIGHT;
	struct lane lane;

	if (lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	if (lane.fresh) {
		char name[256];

		event_lane_name(&lane, record->tid, name, sizeof(name));
		put_meta_name(events, "thread_name", lanes_pid(events->lanes, record->stream),
			      lane.tid, name);
	}
	put_open(events);
	event_name(events, record);
	output_text(events->output, in_flight ? ",\"ph\":\"B\"" : ",\"ph\":\"X\"");
	event_number(events, ",\"pid\":", lanes_pid(events->lanes, record->stream));
	event_number(events, ",\"tid\":", lane.tid);
	put_us(events, ",\"ts\":", record->tstart);
	if (!in_flight)
		put_us(events, ",\"dur\":", record->tend - record->tstart);
	if (!events->no_args && put_args(events, record))
		return -ENOMEM;
	output_char(events->output, '}');
	return events->output->error;
}

static int chrome_end(void *self)
{
	struct out_events *events = self;
	struct output *output = events->output;

	output_text(output, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
	event_string(events, "\"run_id\":", events->info.run_id, strlen(events->info.run_id));
	output_text(output, ",\"start\":\"");
	output_decimal(output, events->start, 9);
	output_text(output, "\",\"complete\":");
	output_text(output, events->info.complete ? "true" : "false");
	event_number(events, ",\"records\":", (int64_t)events->info.records);
	event_number(events, ",\"in_flight\":", (int64_t)events->info.in_flight);
	event_number(events, ",\"lost\":", (int64_t)events->info.lost);
	output_text(output, "}}\n");
	return output->error;
}

const struct walk_ops out_chrome_ops = {
	.begin = chrome_begin,
	.stream = chrome_stream,
	.call = chrome_call,
	.end = chrome_end,
};
