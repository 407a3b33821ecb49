/* SPDX-License-Identifier: MIT */
/* info_json.c - see info_json.h: one object, with all streams */
#include "info_json.h"

#include <stdio.h>

#include "completeness.h"
#include "costs.h"
#include "hosts_seen.h"
#include "inventory.h"
#include "json.h"
#include "metavalue.h"
#include "untraced_list.h"

/* Calls that the process made, as far as is known. */
static uint64_t made(const struct reader_stream *stream)
{
	return stream->records + stream->lost + stream->unreadable;
}

static void json_losses(struct json *json, const struct reader *trace, unsigned index)
{
	const char *reason;
	uint64_t count;

	json_begin(json, "losses", '[');
	for (unsigned i = 0; !reader_loss(trace, index, i, &reason, &count); i++)
		loss_json(json, reason, count);
	json_end(json, ']');
}

/* What was done to the clock of its machine; "error" of a clock that was put together by the time of day is not known. */
static void json_clock(struct json *json, const struct reader *trace, unsigned index,
		       const struct reader_stream *stream)
{
	json_begin(json, "clock", '{');
	json_put_string(json, "kind", meta_text(trace, index, "clock.kind"));
	json_put_unsigned(json, "granule", meta_number(trace, index, "clock.granule"));
	json_put_string(json, "machine", stream->boot_id);
	json_put_string(json, "reference", stream->clock_reference);
	json_put_unsigned(json, "points", stream->clock_points);
	json_put_seconds(json, "offset", stream->clock_offset);
	json_put_double(json, "drift_ppm", stream->clock_drift / 1e3);
	if (stream->clock_error >= 0)
		json_put_seconds(json, "error", stream->clock_error);
	json_end(json, '}');
}

static void json_stream(struct json *json, const struct reader *trace, unsigned index,
			const struct info_parts *parts)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	if (reader_stream(trace, index, &stream))
		return;
	json_begin(json, NULL, '{');
	json_put_string(json, "name", stream.name);
	json_put_integer(json, "world", stream.world);
	json_put_integer(json, "rank", stream.rank);
	json_put_integer(json, "size", stream.size);
	json_put_string(json, "rank_source", stream.rank_source);
	json_put_bool(json, "main", stream.main);
	json_put_unsigned(json, "pid", stream.pid);
	if (stream.outer_pid != stream.pid)
		json_put_unsigned(json, "outer_pid", stream.outer_pid);
	json_put_unsigned(json, "parent", stream.ppid);
	json_put_unsigned(json, "image", stream.image);
	json_put_string(json, "host", stream.host);
	json_put_string(json, "exe", stream.exe);
	json_put_string(json, "argv", stream.argv);
	json_put_string(json, "cwd", stream.cwd);
	json_put_unsigned(json, "made", made(&stream));
	json_put_unsigned(json, "records", stream.records);
	json_put_unsigned(json, "in_flight", stream.in_flight);
	json_put_unsigned(json, "lost", stream.lost);
	json_put_unsigned(json, "unreadable", stream.unreadable);
	json_put_unsigned(json, "summed", stream.summed);
	json_losses(json, trace, index);
	json_put_string(json, "state", info_state(stream.state));
	json_put_bool(json, "clean", stream.state == READER_CLEAN);
	json_put_string(json, "reason", stream.reason);
	json_put_bool(json, "crash_safe", stream_is_crash_safe(trace, index));
	json_put_integer(json, "exit_status", stream.exit_status);
	json_put_unsigned(json, "pauses", meta_number(trace, index, "pauses"));
	json_put_seconds(json, "paused", (int64_t)meta_number(trace, index, "paused"));
	if (meta_number(trace, index, "cpu")) {
		json_put_seconds(json, "cpu", (int64_t)meta_number(trace, index, "cpu"));
		json_put_seconds(json, "overhead", (int64_t)meta_number(trace, index, "overhead"));
	}
	json_put_unsigned(json, "threads", stream.threads);
	json_put_unsigned(json, "chunks", stream.chunks);
	json_put_unsigned(json, "bytes", stream.bytes);
	if (stream.segments > 1)
		json_put_unsigned(json, "segments", stream.segments);
	if (*stream.node_file)
		json_put_string(json, "node_file", stream.node_file);
	json_put_seconds(json, "start", stream.start);
	json_put_seconds(json, "end", stream.end);
	if (stream.main_begin != INT64_MIN)
		json_put_seconds(json, "main_begin", stream.main_begin);
	if (stream.main_end != INT64_MIN)
		json_put_seconds(json, "main_end", stream.main_end);
	json_clock(json, trace, index, &stream);
	if (parts->threads)
		inventory_threads_json(json, trace, index);
	if (parts->files)
		inventory_files_json(json, trace, index);
	json_end(json, '}');
}

static void json_untraced(struct json *json, const struct reader *trace)
{
	struct untraced untraced = {0};

	untraced_collect(&untraced, trace);
	json_begin(json, "untraced", '[');
	for (size_t i = 0; i < untraced.count; i++) {
		json_begin(json, NULL, '{');
		json_put_string(json, "program", untraced.list[i].program);
		json_put_string(json, "reason", untraced.list[i].reason);
		json_end(json, '}');
	}
	json_end(json, ']');
	untraced_release(&untraced);
}

static void json_filter(struct json *json, const struct reader *trace)
{
	struct reader_value value;

	if (reader_meta(trace, READER_GLOBAL, "filter.by", &value))
		return;
	json_begin(json, "filtered", '{');
	json_put_string(json, "by", meta_text(trace, READER_GLOBAL, "filter.by"));
	json_put_string(json, "conditions", meta_text(trace, READER_GLOBAL, "filter.conditions"));
	json_put_string(json, "of", meta_text(trace, READER_GLOBAL, "filter.of"));
	json_end(json, '}');
}

static void json_hosts(struct json *json, const struct reader *trace)
{
	struct hosts_seen seen;

	hosts_seen_count(trace, &seen);
	json_put_unsigned(json, "hosts", seen.all);
	json_put_unsigned(json, "hosts_sampled", seen.sampled);
	json_put_unsigned(json, "hosts_watched", seen.watched);
}

/* Clocks of each machine: `kernel_error` is missing where it is not known. */
static void json_machines(struct json *json, const struct reader *trace)
{
	struct reader_machine machine = {.sz = sizeof(machine)};

	json_begin(json, "machines", '[');
	for (unsigned i = 0; !reader_machine(trace, i, &machine); i++) {
		json_begin(json, NULL, '{');
		json_put_string(json, "host", machine.host);
		json_put_string(json, "boot_id", machine.boot_id);
		json_put_unsigned(json, "outside", machine.outside);
		json_put_unsigned(json, "readings", machine.readings);
		if (machine.kernel_error >= 0)
			json_put_seconds(json, "kernel_error", machine.kernel_error);
		json_put_unsigned(json, "sleeps", machine.sleeps);
		json_put_seconds(json, "slept", machine.slept);
		json_put_unsigned(json, "steps", machine.steps);
		json_put_seconds(json, "stepped", machine.stepped);
		json_end(json, '}');
	}
	json_end(json, ']');
}

void info_json(struct output *output, struct reader *trace, const struct reader_info *info,
	       const struct info_parts *parts)
{
	struct json json = {.output = output};
	char format[32];

	snprintf(format, sizeof(format), "%u.%u", info->format_major, info->format_minor);
	json_begin(&json, NULL, '{');
	json_put_string(&json, "dir", info->dir);
	json_put_string(&json, "format", format);
	json_put_string(&json, "run_id", info->run_id);
	json_put_string(&json, "recorder", meta_text(trace, READER_GLOBAL, "recorder.version"));
	json_put_bool(&json, "complete", info->complete);
	json_put_bool(&json, "running", info->running);
	json_filter(&json, trace);
	json_put_bool(&json, "unverified_clock", info->unverified_clock);
	json_put_unsigned(&json, "ranks", info->ranks);
	json_put_unsigned(&json, "worlds", info->worlds);
	json_hosts(&json, trace);
	json_put_unsigned(&json, "records", info->records);
	json_put_unsigned(&json, "stored", info->stored);
	json_put_unsigned(&json, "in_flight", info->in_flight);
	json_put_unsigned(&json, "lost", info->lost);
	json_put_unsigned(&json, "summed", info->summed);
	json_put_unsigned(&json, "unreadable", info->unreadable);
	json_put_unsigned(&json, "unmatched_ends",
			  meta_sum(trace, info->streams, "user.unmatched"));
	completeness_json(&json, trace);
	json_put_unsigned(&json, "missing_streams", info->missing_streams);
	json_put_unsigned(&json, "bytes", info_bytes(trace, info->streams));
	json_put_seconds(&json, "start", info->start);
	json_put_seconds(&json, "duration", info->duration);
	overhead_json(&json, trace, info->streams);
	if (parts->entropy)
		entropy_json(&json, trace, info_bytes(trace, info->streams));
	json_machines(&json, trace);
	json_begin(&json, "streams", '[');
	for (unsigned i = 0; i < info->streams; i++)
		json_stream(&json, trace, i, parts);
	json_end(&json, ']');
	json_untraced(&json, trace);
	json_begin(&json, "problems", '[');
	for (unsigned i = 0; i < reader_problem_count(trace); i++)
		json_put_string(&json, NULL, reader_problem(trace, i));
	json_end(&json, ']');
	json_end(&json, '}');
}
