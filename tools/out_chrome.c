/* SPDX-License-Identifier: MIT */
/*
 * out_chrome.c - strict JSON of Chrome's trace event format, for Perfetto, speedscope and the like.
 *
 * Times are microseconds since the trace's start with three decimals, which is exact; epoch times
 * would lose their fraction in a double. X events are the calls, no more and no less; a call
 * in flight is a B event that nothing ends. What a program says without that it takes time is an instant (i), a counter (C) or, across threads, the begin
 * or end of an asynchronous event (b, e). Sums of calls are counters of a thread and file, 0 where nothing was called. Beside them: messages as flows and requests as
 * asynchronous events (links.h), flows to what calls had the kernel do (causes.h), bandwidth as counters (bandwidth.h); not without arguments, which is
 * for those who count frames.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/sumvalues.h"
#include "bandwidth.h"
#include "causes.h"
#include "chrome.h"
#include "chrome_samples.h"
#include "fileset.h"
#include "json.h"
#include "links.h"
#include "marks.h"
#include "names.h"
#include "options.h"

void chrome_open(struct out_events *events)
{
	output_text(events->output, events->files && !events->lines++ ? "\n{" : ",\n{");
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

void chrome_name_thread(struct out_events *events, uint64_t key, uint32_t pid, uint32_t tid,
			const char *name)
{
	if (events->names && !event_begin_name(events, key))
		return;
	put_meta(events, "thread_name", pid, tid);
	event_string(events, "\"name\":", name, strlen(name));
	output_text(events->output, "}}");
	if (events->names)
		event_end_name(events, key);
}

#define HEAD "{\"traceEvents\":["

static void begin_file(struct out_events *events)
{
	output_text(events->output, HEAD);
	events->lines = 0;
}

/* Of what is asked for. */
static int64_t end_of_time(const struct reader_info *info)
{
	int64_t before = options.filter.before;

	return before && before < info->duration ? before : info->duration;
}

static int begin_events(struct out_events *events, const struct walk *walk)
{
	int error = events_begin(events, walk, false);

	events->given = calloc(walk->info.streams + 1, sizeof(*events->given));
	if (error || !events->given)
		return error ? error : -ENOMEM;
	if (events->no_args)
		return 0;
	events->links = links_new(events, walk->trace);
	events->bandwidth = bandwidth_new(walk->trace, events->lanes, options.filter.after,
					  end_of_time(&walk->info));
	events->causes = causes_new(events);
	return events->links && events->bandwidth && events->causes ? 0 : -ENOMEM;
}

static const char *program_of(const struct reader_stream *stream)
{
	const char *slash = strrchr(stream->exe, '/');

	return slash ? slash + 1 : stream->exe;
}

void chrome_name_process(struct out_events *events, unsigned index)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint32_t pid = lanes_pid(events->lanes, index);
	char rank[64], name[512];

	if (events->names ? !event_begin_name(events, names_key('P', pid))
			  : !lanes_name_process(events->lanes, index))
		return;
	if (reader_stream(events->trace, lanes_first_stream(events->lanes, index), &stream))
		return;
	event_rank_name(&stream, "rank", rank, sizeof(rank));
	snprintf(name, sizeof(name), "%s %s on %s", rank, program_of(&stream), stream.host);
	put_meta(events, "process_name", pid, pid);
	event_string(events, "\"name\":", name, strlen(name));
	event_number(events, ",\"rank\":", stream.rank);
	event_number(events, ",\"pid\":", stream.pid);
	if (stream.outer_pid != stream.pid)
		event_number(events, ",\"outer_pid\":", stream.outer_pid);
	event_string(events, ",\"host\":", stream.host, strlen(stream.host));
	output_text(events->output, "}}");
	put_meta(events, "process_sort_index", pid, pid);
	event_number(events, "\"sort_index\":", stream.rank);
	output_text(events->output, "}}");
	if (events->names)
		event_end_name(events, names_key('P', pid));
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
	error = events_note(events, record);
	if (!error)
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
	int error = events->files ? links_call(events->links, record, tid) : 0;

	error = error ? error : causes_call(events->causes, record, tid);
	return error ? error : bandwidth_count(events->bandwidth, record, &events->traffic);
}

void chrome_counter(struct out_events *events, const char *name, const char *category, uint32_t pid,
		    uint32_t tid, int64_t ns)
{
	chrome_open(events);
	event_string(events, "\"name\":", name, strlen(name));
	event_string(events, ",\"cat\":", category, strlen(category));
	output_text(events->output, ",\"ph\":\"C\"");
	chrome_place(events, pid, tid, ns);
	output_text(events->output, ",\"args\":{");
}

/* {"name":"posix bytes/s","cat":"bandwidth","ph":"C","pid":7,"tid":7,"ts":1.250,"args":{"read":0,"written":4096}} */
static void put_counter(void *self, const struct bandwidth_value *value)
{
	struct out_events *events = self;
	char name[280];

	snprintf(name, sizeof(name), "%s bytes/s", value->layer);
	chrome_counter(events, name, "bandwidth", value->pid, value->pid, value->time);
	event_number(events, value->messages ? "\"received\":" : "\"read\":", (int64_t)value->in);
	event_number(events, value->messages ? ",\"sent\":" : ",\"written\":", (int64_t)value->out);
	output_text(events->output, "}}");
}

static void put_messages(struct out_events *events)
{
	struct flows *flows = links_flows(events->links);

	event_number(events, ",\"messages\":", (int64_t)events->messages);
	if (flows_left_out(flows) > 0)
		event_number(events, ",\"messages_left_out\":", (int64_t)flows_left_out(flows));
}

/* Their arrows are in the file already. */
static void put_causes(struct out_events *events)
{
	event_number(events, ",\"causes\":", (int64_t)causes_count(events->causes));
	if (causes_left_out(events->causes) > 0)
		event_number(events,
			     ",\"causes_left_out\":", (int64_t)causes_left_out(events->causes));
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
	output_text(output, trace_is_whole(events->trace) && !events->problems ? "true" : "false");
	event_number(events, ",\"records\":", (int64_t)events->info.records);
	event_number(events, ",\"in_flight\":", (int64_t)events->info.in_flight);
	event_number(events, ",\"lost\":", (int64_t)events->info.lost);
	if (events->links)
		put_messages(events);
	if (events->causes && causes_has_any(events->causes))
		put_causes(events);
	if (events->files)
		event_number(events, ",\"file\":", events->part);
	output_text(output, "}}\n");
}

static void name_place(struct out_events *events, const struct recorder_record *record,
		       const struct lane *lane)
{
	uint64_t key = names_key('T', (uint64_t)lane->number << 32 | lane->thread);
	char name[256];

	event_lane_name(lane, record->tid, name, sizeof(name));
	chrome_name_thread(events, key, lanes_pid(events->lanes, record->stream), lane->tid, name);
}

/* The stream that a record is of is in the part or file. */
static void give_stream(struct out_events *events, unsigned index)
{
	if (events->given[index] == events->part + 1)
		return;
	events->given[index] = events->part + 1;
	chrome_name_process(events, index);
}

/* The values of a sum, from an instant on. Threads and files have counters of their own. */
static void put_sum_at(struct out_events *events, const struct recorder_record *record,
		       const struct sum_values *sum, int64_t ns)
{
	struct reader_file file;
	bool has_file = !reader_record_file(events->trace, record, &file);
	char id[32 + PATH_MAX];

	snprintf(id, sizeof(id), "%" PRIu32 "%s%s", record->tid, has_file ? " " : "",
		 has_file ? file.path : "");
	chrome_open(events);
	event_name(events, record);
	output_text(events->output, ",\"ph\":\"C\"");
	chrome_place(events, lanes_pid(events->lanes, record->stream), record->tid, ns);
	event_string(events, ",\"id\":", id, strlen(id));
	event_number(events, ",\"args\":{\"count\":", sum->count);
	chrome_us(events, ",\"time_us\":", sum->time);
	if (sum->has_bytes)
		event_number(events, ",\"bytes\":", sum->bytes);
	if (sum->has_queue)
		chrome_us(events, ",\"queue_us\":", sum->queue);
	output_text(events->output, "}}");
}

/* Over its interval, behind which it is 0: the next one begins a ns later. */
static int put_sum(struct out_events *events, const struct recorder_record *record)
{
	struct sum_values sum = sum_values_of(events->trace, record),
			  none = {.has_bytes = sum.has_bytes, .has_queue = sum.has_queue};
	int64_t end;

	if (events->no_args)
		return 0;
	/* an interval may have begun before the trace */
	put_sum_at(events, record, &sum, sum.begin > 0 ? sum.begin : 0);
	if (sum.interval > 0 && !__builtin_add_overflow(sum.begin, sum.interval - 1, &end))
		put_sum_at(events, record, &none, end);
	return events->output->error;
}

/* Instants of the thread or, as metadata, of the process; counters; spans. */
static int put_mark(struct out_events *events, const struct recorder_record *record, uint32_t tid,
		    enum mark mark)
{
	static const char *const letters[] = {[MARK_INSTANT] = ",\"ph\":\"i\",\"s\":\"t\"",
					      [MARK_COUNTER] = ",\"ph\":\"C\"",
					      [MARK_SPAN_BEGIN] = ",\"ph\":\"b\"",
					      [MARK_SPAN_END] = ",\"ph\":\"e\"",
					      [MARK_METADATA] = ",\"ph\":\"i\",\"s\":\"p\""};
	int error = 0;

	if (events->no_args)
		return 0;
	if (mark == MARK_COUNTER && mark_is_sample(events, record)) {
		chrome_put_sample(events, record, tid);
		return events->output->error;
	}
	chrome_open(events);
	event_name(events, record);
	output_text(events->output, letters[mark]);
	chrome_place(events, lanes_pid(events->lanes, record->stream), tid, record->tstart);
	if (mark == MARK_SPAN_BEGIN || mark == MARK_SPAN_END)
		mark_id(events, record);
	if (mark == MARK_COUNTER) {
		output_text(events->output, ",\"args\":{\"value\":");
		mark_value(events, record);
		output_char(events->output, '}');
	} else {
		error = put_args(events, record);
	}
	output_char(events->output, '}');
	return error ? error : events->output->error;
}

static int put_record(struct out_events *events, const struct recorder_record *record)
{
	bool in_flight = record->flags & RECORDER_IN_FLIGHT;
	struct lane lane;
	int error = 0;

	give_stream(events, record->stream);
	if (events->marks[record->func_id] == MARK_SUM)
		return put_sum(events, record);
	if (lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	if (lane.fresh)
		name_place(events, record, &lane);
	if (events->marks[record->func_id])
		return put_mark(events, record, lane.tid,
				(enum mark)events->marks[record->func_id]);
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

/* Those that no record is of. */
static void give_other_streams(struct out_events *events)
{
	if (!walk_takes_all_streams())
		return;
	for (unsigned i = 0; i < events->info.streams; i++)
		give_stream(events, i);
}

/* Behind all records: the other streams, and what samples amount to if they are asked for. */
static int put_rest(struct out_events *events)
{
	give_other_streams(events);
	if (events->no_args || !walk_takes_all_calls())
		return 0;
	return chrome_put_usage(events, events->trace, options.filter.after,
				end_of_time(&events->info));
}

/* ---- one file, part by part ---- */

static void begin_part(struct out_events *events, bool goes_on)
{
	events->part++;
	if (!goes_on)
		lanes_begin(events->lanes);
}

static int end_parts(struct out_events *events, struct hash_set *known)
{
	int error = events->causes ? causes_put(events->causes) : 0;

	(void)known; /* what is given twice is dropped when the part takes its place */
	error = error ? error : put_rest(events);
	if (error)
		return error;
	end_file(events);
	return events->output->error;
}

const struct events_form out_chrome_form = {begin_events, begin_part, put_record, end_parts, HEAD};

/* ---- several files, by time ---- */

static int walk_begin(void *self, const struct walk *walk)
{
	struct out_events *events = self;
	int error = begin_events(events, walk);

	begin_file(events);
	return error || !events->links ? error : links_walk(events->links);
}

/* Ends the current file. */
static int walk_end_file(struct out_events *events)
{
	int error = events->links ? links_end_file(events->links) : 0;

	if (!error && events->causes)
		error = causes_put(events->causes);

	if (error)
		return error;
	if (events->links)
		events->messages = flows_count(links_flows(events->links));
	end_file(events);
	return events->output->error;
}

static int walk_next_file(struct out_events *events)
{
	int error = walk_end_file(events);

	if (!error)
		error = fileset_next(events->files);
	if (error)
		return error;
	events->output = events->files->current;
	events->part++;
	begin_file(events);
	lanes_forget_names(events->lanes);
	if (events->links)
		links_next_file(events->links);
	if (events->causes)
		causes_next_file(events->causes);
	if (events->bandwidth)
		bandwidth_forget(events->bandwidth);
	return 0;
}

static int walk_call(void *self, const struct recorder_record *record)
{
	struct out_events *events = self;
	int error = fileset_is_full(events->files) ? walk_next_file(events) : 0;

	return error ? error : put_record(events, record);
}

static int walk_end(void *self)
{
	struct out_events *events = self;
	int error = events->links ? links_end(events->links) : 0;

	error = error ? error : put_rest(events);
	return error ? error : walk_end_file(events);
}

const struct walk_ops out_chrome_ops = {
	.begin = walk_begin,
	.call = walk_call,
	.end = walk_end,
};
