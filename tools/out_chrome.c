/* SPDX-License-Identifier: MIT */
/*
 * out_chrome.c - strict JSON of Chrome's trace event format, for Perfetto, speedscope and the like.
 *
 * Times are microseconds since the trace's start with three decimals, which is exact; epoch times
 * would lose their fraction in a double. X events are the records, no more and no less; a call
 * in flight is a B event that nothing ends. Beside them: messages as flows and requests as
 * asynchronous events (links.h), bandwidth as counters (bandwidth.h); not without arguments, which is
 * for those who count frames.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "bandwidth.h"
#include "chrome.h"
#include "fileset.h"
#include "json.h"
#include "links.h"
#include "options.h"

void chrome_open(struct out_events *events)
{
	output_text(events->output, events->lines++ ? ",\n{" : "\n{");
}

void chrome_place(struct out_events *events, uint32_t pid, uint32_t tid, int64_t ns)
{
	event_number(events, ",\"pid\":", pid);
	event_number(events, ",\"tid\":", tid);
	chrome_us(events, ",\"ts\":", ns);
}

static void put_meta(struct out_events *events, const char *name, uint32_t pid, uint32_t tid)
{
	chrome_open(events);
	output_text(events->output, "\"name\":\"");
	output_text(events->output, name);
	output_text(events->output, "\",\"cat\":\"__metadata\",\"ph\":\"M\"");
	event_number(events, ",\"pid\":", pid);
	event_number(events, ",\"tid\":", tid);
	output_text(events->output, ",\"args\":{");
}

void chrome_name_thread(struct out_events *events, uint32_t pid, uint32_t tid, const char *name)
{
	put_meta(events, "thread_name", pid, tid);
	event_string(events, "\"name\":", name, strlen(name));
	output_text(events->output, "}}");
}

static void begin_file(struct out_events *events)
{
	output_text(events->output, "{\"traceEvents\":[");
	events->lines = 0;
}

static int chrome_begin(void *self, const struct walk *walk)
{
	struct out_events *events = self;
	int error;

	begin_file(events);
	error = events_begin(events, walk, false);
	if (error || events->no_args)
		return error;
	events->links = links_new(events, walk->trace);
	events->bandwidth =
		bandwidth_new(walk->trace, events->lanes, options.filter.after,
			      options.filter.before && options.filter.before < walk->info.duration
				      ? options.filter.before
				      : walk->info.duration);
	return events->links && events->bandwidth ? 0 : -ENOMEM;
}

static const char *program_of(const struct reader_stream *stream)
{
	const char *slash = strrchr(stream->exe, '/');

	return slash ? slash + 1 : stream->exe;
}

void chrome_name_process(struct out_events *events, unsigned index,
			 const struct reader_stream *stream)
{
	uint32_t pid = lanes_pid(events->lanes, index);
	char rank[64], name[512];

	if (!lanes_name_process(events->lanes, index))
		return;
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
}

static int chrome_stream(void *self, unsigned index, const struct reader_stream *stream)
{
	struct out_events *events = self;

	chrome_name_process(events, index, stream);
	return events->output->error;
}

void chrome_us(struct out_events *events, const char *key, int64_t ns)
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

/* What viewers show beside the calls. */
static int put_around(struct out_events *events, const struct recorder_record *record, uint32_t tid)
{
	int error = links_call(events->links, record, tid);

	return error ? error : bandwidth_count(events->bandwidth, record, &events->traffic);
}

/* {"name":"posix bytes/s","cat":"bandwidth","ph":"C","pid":7,"tid":7,"ts":1.250,"args":{"read":0,"written":4096}} */
static void put_counter(void *self, const struct bandwidth_value *value)
{
	struct out_events *events = self;
	char name[280];

	snprintf(name, sizeof(name), "%s bytes/s", value->layer);
	chrome_open(events);
	event_string(events, "\"name\":", name, strlen(name));
	output_text(events->output, ",\"cat\":\"bandwidth\",\"ph\":\"C\"");
	chrome_place(events, value->pid, value->pid, value->time);
	output_text(events->output, ",\"args\":{");
	event_number(events, value->messages ? "\"received\":" : "\"read\":", (int64_t)value->in);
	event_number(events, value->messages ? ",\"sent\":" : ",\"written\":", (int64_t)value->out);
	output_text(events->output, "}}");
}

static void end_file(struct out_events *events)
{
	struct output *output = events->output;

	if (events->bandwidth)
		bandwidth_give(events->bandwidth, put_counter, events);
	output_text(output, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
	event_string(events, "\"run_id\":", events->info.run_id, strlen(events->info.run_id));
	output_text(output, ",\"start\":\"");
	output_decimal(output, events->start, 9);
	output_text(output, "\",\"complete\":");
	/* what is damaged was found out on the way */
	output_text(output, trace_is_whole(events->trace) ? "true" : "false");
	event_number(events, ",\"records\":", (int64_t)events->info.records);
	event_number(events, ",\"in_flight\":", (int64_t)events->info.in_flight);
	event_number(events, ",\"lost\":", (int64_t)events->info.lost);
	if (events->links)
		event_number(events, ",\"messages\":", (int64_t)links_messages(events->links));
	if (events->files)
		event_number(events, ",\"file\":", events->part);
	output_text(output, "}}\n");
}

static int next_file(struct out_events *events)
{
	int error;

	end_file(events);
	error = fileset_next(events->files);
	if (error)
		return error;
	events->output = events->files->current;
	events->part++;
	begin_file(events);
	lanes_forget_names(events->lanes);
	if (events->links)
		links_next_file(events->links);
	if (events->bandwidth)
		bandwidth_forget(events->bandwidth);
	return 0;
}

static void name_place(struct out_events *events, const struct recorder_record *record,
		       const struct lane *lane)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	char name[256];

	/* the walk gives a stream once, not once a file */
	if (events->part > 0 && !reader_stream(events->trace, record->stream, &stream))
		chrome_name_process(events, record->stream, &stream);
	event_lane_name(lane, record->tid, name, sizeof(name));
	chrome_name_thread(events, lanes_pid(events->lanes, record->stream), lane->tid, name);
}

static int chrome_call(void *self, const struct recorder_record *record)
{
	struct out_events *events = self;
	bool in_flight = record->flags & RECORDER_IN_FLIGHT;
	struct lane lane;
	int error = events->files && fileset_is_full(events->files) ? next_file(events) : 0;

	if (error)
		return error;
	if (lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	if (lane.fresh)
		name_place(events, record, &lane);
	chrome_open(events);
	event_name(events, record);
	output_text(events->output, in_flight ? ",\"ph\":\"B\"" : ",\"ph\":\"X\"");
	chrome_place(events, lanes_pid(events->lanes, record->stream), lane.tid, record->tstart);
	if (!in_flight)
		chrome_us(events, ",\"dur\":",
			  record->tend > record->tstart ? record->tend - record->tstart : 0);
	if (!events->no_args && put_args(events, record))
		return -ENOMEM;
	output_char(events->output, '}');
	error = events->no_args || in_flight ? 0 : put_around(events, record, lane.tid);
	return error ? error : events->output->error;
}

static int chrome_end(void *self)
{
	struct out_events *events = self;
	int error = events->links ? links_end(events->links) : 0;

	if (error)
		return error;
	end_file(events);
	return events->output->error;
}

const struct walk_ops out_chrome_ops = {
	.begin = chrome_begin,
	.stream = chrome_stream,
	.call = chrome_call,
	.end = chrome_end,
};
