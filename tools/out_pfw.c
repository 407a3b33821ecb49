/* SPDX-License-Identifier: MIT */
/*
 * out_pfw.c - DFTracer's .pfw: one JSON object a line without commas, in ASCII, microseconds.
 *
 *	[
 *	{"id":1,"name":"HH","cat":"dftracer","pid":7,"tid":7,"ph":"M","args":{"hhash":"0..","name":"node1","value":"0.."}}
 *	{"id":2,"name":"pwrite","cat":"POSIX","pid":7,"tid":7,"ts":17..,"dur":5,"ph":"X","args":{"hhash":..}}
 *	]
 *
 * Names are given once and referred to by hash: HH hosts, FH files, SH command lines. ts is Unix time.
 * Both ends of a call are rounded down, so that nesting survives. Calls in flight and losses, which
 * the format has no event for, are CM metadata.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "events.h"
#include "hashes.h"
#include "json.h"
#include "lines.h"

static void put_ids(struct out_events *events, uint32_t pid, uint32_t tid)
{
	event_number(events, ",\"pid\":", pid);
	event_number(events, ",\"tid\":", tid);
}

static void put_id(struct out_events *events)
{
	output_text(events->output, "{\"id\":");
	output_u64(events->output, ++events->lines);
}

static void put_hash(struct out_events *events, const char *key, uint64_t hash)
{
	output_text(events->output, key);
	output_hex(events->output, hash, NAME_HASH_DIGITS);
	output_char(events->output, '"');
}

/* A metadata line up to its value. */
static void put_meta(struct out_events *events, const char *kind, unsigned stream, uint32_t tid,
		     const char *name, size_t size)
{
	put_id(events);
	output_text(events->output, ",\"name\":\"");
	output_text(events->output, kind);
	output_text(events->output, "\",\"cat\":\"dftracer\"");
	put_ids(events, lanes_pid(events->lanes, stream), tid);
	put_hash(events, ",\"ph\":\"M\",\"args\":{\"hhash\":\"", events->hosts[stream]);
	event_string(events, ",\"name\":", name, size);
}

static void put_meta_text(struct out_events *events, const char *kind, unsigned stream,
			  uint32_t tid, const char *name, const char *value)
{
	put_meta(events, kind, stream, tid, name, strlen(name));
	event_string(events, ",\"value\":", value, strlen(value));
	output_text(events->output, "}}\n");
}

/* The definition of a name, the first time it is used. */
static void define_hash(struct out_events *events, const char *kind, unsigned stream,
			const char *name, size_t size, uint64_t hash)
{
	/* the same text may be a file, a host and a command */
	if (!hash_set_add(events->hashes, hash ^ (uint64_t)(unsigned char)*kind << 56))
		return;
	put_meta(events, kind, stream, lanes_pid(events->lanes, stream), name, size);
	put_hash(events, ",\"value\":\"", hash);
	output_text(events->output, "}}\n");
}

/* argv with ';' between the arguments, as DFTracer has it. */
static void define_command(struct out_events *events, unsigned index, const char *argv)
{
	char command[4096];
	size_t size = strlen(argv) < sizeof(command) ? strlen(argv) : sizeof(command);

	memcpy(command, argv, size);
	for (size_t i = 0; i < size; i++)
		if (command[i] == ' ')
			command[i] = ';';
	if (size > 0)
		define_hash(events, "SH", index, command, size, name_hash(command, size));
}

static int pfw_begin(void *self, const struct walk *walk)
{
	struct out_events *events = self;

	events->ascii = true;
	events->numeric = true;
	events->unix_time = true;
	output_text(events->output, "[\n");
	events->line_cache = lines_new();
	return events->line_cache ? events_begin(events, walk, true) : -ENOMEM;
}

static int pfw_stream(void *self, unsigned index, const struct reader_stream *stream)
{
	struct out_events *events = self;
	uint32_t pid = lanes_pid(events->lanes, index);
	char text[64];

	events->hosts[index] = name_hash(stream->host, strlen(stream->host));
	define_hash(events, "HH", index, stream->host, strlen(stream->host), events->hosts[index]);
	define_command(events, index, stream->argv);
	if (*stream->exe)
		define_hash(events, "SH", index, stream->exe, strlen(stream->exe),
			    name_hash(stream->exe, strlen(stream->exe)));
	if (!lanes_name_process(events->lanes, index))
		return events->output->error;
	event_rank_name(stream, "Rank", text, sizeof(text));
	put_meta_text(events, "process_name", index, pid, text, "process_name");
	snprintf(text, sizeof(text), "%" PRId32, stream->rank);
	put_meta_text(events, "PR", index, pid, "rank", text);
	if (lanes_pid_is_synthetic(events->lanes, index)) {
		snprintf(text, sizeof(text), "%" PRIu32, stream->pid);
		put_meta_text(events, "CM", index, pid, "pid", text);
	}
	return events->output->error;
}

static void put_in_flight(struct out_events *events, const struct recorder_record *record,
			  uint32_t tid)
{
	const struct reader_function_info *function = reader_function(events->trace, record);
	char text[512];

	snprintf(text, sizeof(text), "%s since %" PRId64 ".%09" PRId64 " s", function->name,
		 record->tstart / 1000000000, record->tstart % 1000000000);
	put_meta_text(events, "CM", record->stream, tid, "in_flight", text);
}

/* A call and the file it works on. */
struct call {
	const struct recorder_record *record;
	uint32_t tid; /* of its lane */
	bool has_file;
	uint64_t file_hash;
};

/* The line from behind its number to its time. */
static void put_head(struct out_events *events, const struct call *call)
{
	output_char(events->output, ',');
	event_name(events, call->record);
	put_ids(events, lanes_pid(events->lanes, call->record->stream), call->tid);
	output_text(events->output, ",\"ts\":");
}

/* What stands in front of a call's arguments. */
static void put_hashes(struct out_events *events, const struct call *call)
{
	put_hash(events, ",\"ph\":\"X\",\"args\":{\"hhash\":\"",
		 events->hosts[call->record->stream]);
	if (call->has_file)
		put_hash(events, ",\"fhash\":\"", call->file_hash);
	output_char(events->output, ',');
}

static int put_call(struct out_events *events, const struct call *call)
{
	int64_t begin = event_unix_us(events, call->record->tstart);
	int error = 0;

	put_id(events);
	put_head(events, call);
	output_i64(events->output, begin);
	event_number(events, ",\"dur\":", event_unix_us(events, call->record->tend) - begin);
	if (events->no_args) {
		output_text(events->output, ",\"ph\":\"X\"}\n");
		return 0;
	}
	put_hashes(events, call);
	error = event_args(events, call->record);
	output_text(events->output, "}}\n");
	return error;
}

/* Keeps the line of a call for those that are like it. False: it cannot be kept. */
static bool keep_line(struct out_events *events, const struct call *call)
{
	const char *places[2 * EVENT_NUMBERS];
	unsigned count;

	if (!lines_keep(events->line_cache, events, call->record, call->tid))
		return false;
	put_head(events, call);
	lines_divide(events->line_cache);
	put_hashes(events, call);
	count = event_number_args(events, call->record, places);
	output_text(events->output, "}}\n");
	lines_kept(events->line_cache, events, call->record, places, count);
	return true;
}

static bool put_like_before(struct out_events *events, const struct call *call)
{
	if (events->no_args ||
	    !lines_put(events->line_cache, events, call->record, call->tid, events->lines + 1))
		return false;
	events->lines++;
	return true;
}

static void find_file(struct out_events *events, struct call *call)
{
	struct reader_file file;
	size_t size;

	call->has_file =
		!events->no_args && !reader_record_file(events->trace, call->record, &file);
	if (!call->has_file)
		return;
	size = strlen(file.path);
	call->file_hash = name_hash(file.path, size);
	define_hash(events, "FH", call->record->stream, file.path, size, call->file_hash);
}

static void name_lane(struct out_events *events, const struct recorder_record *record,
		      const struct lane *lane)
{
	char name[256];

	event_lane_name(lane, record->tid, name, sizeof(name));
	put_meta_text(events, "thread_name", record->stream, lane->tid, name, "thread_name");
}

static int pfw_call(void *self, const struct recorder_record *record)
{
	struct out_events *events = self;
	struct call call = {.record = record};
	struct lane lane;

	if (lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	call.tid = lane.tid;
	if (lane.fresh)
		name_lane(events, record, &lane);
	if (record->flags & RECORDER_IN_FLIGHT) {
		put_in_flight(events, record, lane.tid);
		return events->output->error;
	}
	if (put_like_before(events, &call))
		return events->output->error;
	find_file(events, &call);
	if (!events->no_args && keep_line(events, &call) && put_like_before(events, &call))
		return events->output->error;
	if (put_call(events, &call))
		return -ENOMEM;
	return events->output->error;
}

static int pfw_lost(void *self, const struct reader_stream *stream, const char *reason,
		    uint64_t count)
{
	struct out_events *events = self;
	struct reader_stream other = {.sz = sizeof(other)};
	char key[128], value[32];

	snprintf(key, sizeof(key), "lost.%s", reason);
	snprintf(value, sizeof(value), "%" PRIu64, count);
	for (unsigned i = 0; !reader_stream(events->trace, i, &other); i++)
		if (other.name == stream->name) {
			put_meta_text(events, "CM", i, lanes_pid(events->lanes, i), key, value);
			break;
		}
	return events->output->error;
}

static int pfw_end(void *self)
{
	struct out_events *events = self;

	output_text(events->output, "]\n");
	return events->output->error;
}

const struct walk_ops out_pfw_ops = {
	.begin = pfw_begin,
	.stream = pfw_stream,
	.call = pfw_call,
	.lost = pfw_lost,
	.end = pfw_end,
};
