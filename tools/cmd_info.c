/* SPDX-License-Identifier: MIT */
/* cmd_info.c - recorder info: what is in a trace, and whether it is complete */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "completeness.h"
#include "costs.h"
#include "inventory.h"
#include "hosts_seen.h"
#include "json.h"
#include "message.h"
#include "metavalue.h"
#include "options.h"
#include "ranks.h"
#include "untraced_list.h"
#include "walk.h"

#define STREAMS_SHOWN 32u /* in the text, without -v */

static bool with_files, with_threads, with_entropy;

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "files", NULL, "also the files: what they are, and on which file system",
	 &with_files, NULL},
	{OPTION_FLAG, 0, "threads", NULL, "also the threads: names, and whose function they run",
	 &with_threads, NULL},
	{OPTION_FLAG, 0, "entropy", NULL,
	 "also how few bytes the times could be stored in; reads the whole trace", &with_entropy,
	 NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder info",
	.synopsis = "[options] [DIR]",
	.summary = "Says what is in a trace, and whether it is complete.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder info trace\n"
		    "  recorder info --json trace | jq .records\n"
		    "  recorder info --strict -q trace && echo complete\n",
};

static const char *state_name(enum reader_stream_state state)
{
	static const char *const names[] = {
		[READER_CLEAN] = "clean", [READER_RUNNING] = "running", [READER_DIED] = "died"};

	return (unsigned)state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

static uint64_t sum_of(const struct reader *trace, unsigned streams, const char *key)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < streams; i++)
		sum += meta_number(trace, i, key);
	return sum;
}

static unsigned count_hosts(const struct reader *trace)
{
	struct hosts_seen seen;

	return hosts_seen_count(trace, &seen) ? 0 : seen.all;
}

static uint64_t trace_bytes(const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint64_t bytes = 0;

	for (unsigned i = 0; i < streams; i++)
		if (!reader_stream(trace, i, &stream))
			bytes += stream.bytes;
	return bytes;
}

/* JSON ------------------------------------------------------------------------- */

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
	for (unsigned i = 0; !reader_loss(trace, index, i, &reason, &count); i++) {
		json_begin(json, NULL, '{');
		json_put_string(json, "reason", reason);
		json_put_unsigned(json, "records", count);
		json_end(json, '}');
	}
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

static void json_stream(struct json *json, const struct reader *trace, unsigned index)
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
	json_put_string(json, "state", state_name(stream.state));
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
	if (*stream.node_file)
		json_put_string(json, "node_file", stream.node_file);
	json_put_seconds(json, "start", stream.start);
	json_put_seconds(json, "end", stream.end);
	if (stream.main_begin != INT64_MIN)
		json_put_seconds(json, "main_begin", stream.main_begin);
	if (stream.main_end != INT64_MIN)
		json_put_seconds(json, "main_end", stream.main_end);
	json_clock(json, trace, index, &stream);
	if (with_threads)
		inventory_threads_json(json, trace, index);
	if (with_files)
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

static void json_info(struct output *output, struct reader *trace, const struct reader_info *info)
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
	json_put_unsigned(&json, "unmatched_ends", sum_of(trace, info->streams, "user.unmatched"));
	completeness_json(&json, trace);
	json_put_unsigned(&json, "bytes", trace_bytes(trace, info->streams));
	json_put_seconds(&json, "start", info->start);
	json_put_seconds(&json, "duration", info->duration);
	overhead_json(&json, trace, info->streams);
	if (with_entropy)
		entropy_json(&json, trace, trace_bytes(trace, info->streams));
	json_machines(&json, trace);
	json_begin(&json, "streams", '[');
	for (unsigned i = 0; i < info->streams; i++)
		json_stream(&json, trace, i);
	json_end(&json, ']');
	json_untraced(&json, trace);
	json_begin(&json, "problems", '[');
	for (unsigned i = 0; i < reader_problem_count(trace); i++)
		json_put_string(&json, NULL, reader_problem(trace, i));
	json_end(&json, ']');
	json_end(&json, '}');
}

/* CSV: RFC 4180, one line a stream -------------------------------------------------- */

static void csv_info(struct output *output, const struct reader *trace,
		     const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	output_text(output, "name,world,rank,pid,parent,host,exe,records,in_flight,lost,unreadable,"
			    "state,reason,start,end\n");
	for (unsigned i = 0; i < info->streams; i++) {
		char numbers[160];

		if (reader_stream(trace, i, &stream))
			continue;
		output_csv(output, stream.name);
		snprintf(numbers, sizeof(numbers), ",%d,%d,%u,%u,", (int)stream.world,
			 (int)stream.rank, stream.pid, stream.ppid);
		output_text(output, numbers);
		output_csv(output, stream.host);
		output_char(output, ',');
		output_csv(output, stream.exe);
		snprintf(numbers, sizeof(numbers),
			 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,", stream.records,
			 stream.in_flight, stream.lost, stream.unreadable,
			 state_name(stream.state));
		output_text(output, numbers);
		output_csv(output, stream.reason);
		output_char(output, ',');
		output_decimal(output, stream.start, 9);
		output_char(output, ',');
		output_decimal(output, stream.end, 9);
		output_char(output, '\n');
	}
}

/* Text --------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void put_line(struct output *output, const char *label,
							   const char *format, ...)
{
	char text[2048];
	va_list args;
	int length;

	va_start(args, format);
	length = snprintf(text, sizeof(text), "%-10s ", label);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
	va_end(args);
	output_printable(output, text);
	output_char(output, '\n');
}

/* A line of allocated text, which is freed; NULL: none. */
static void put_text(struct output *output, const char *label, char *text)
{
	if (text)
		put_line(output, label, "%s", text);
	free(text);
}

static void put_state(struct output *output, const struct reader_info *info)
{
	const char *word = info->complete  ? "complete"
			   : info->running ? "still being written"
					   : "INCOMPLETE";
	bool color = !info->complete && options_color(STDOUT_FILENO);

	put_line(output, "state",
		 "%s%s%s: %" PRIu64 " lost, %" PRIu64 " unreadable, %" PRIu64 " calls in flight",
		 color ? "\033[1;31m" : "", word, color ? "\033[0m" : "", info->lost,
		 info->unreadable, info->in_flight);
}

static void put_time(struct output *output, const struct reader_info *info)
{
	time_t seconds = (time_t)(info->start / 1000000000);
	struct tm tm;
	char text[64] = "unknown";

	if (info->start && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	put_line(output, "started", "%s, lasted %.6f s%s", text, (double)info->duration / 1e9,
		 info->unverified_clock ? " (clocks of several hosts, not verified)" : "");
}

/* What a trace was made by that recorder filter has made. */
static void put_filter(struct output *output, const struct reader *trace)
{
	struct reader_value value;

	if (reader_meta(trace, READER_GLOBAL, "filter.by", &value))
		return;
	put_line(output, "filtered", "by %s %s, of %s",
		 meta_text(trace, READER_GLOBAL, "filter.by"),
		 meta_text(trace, READER_GLOBAL, "filter.conditions"),
		 meta_text(trace, READER_GLOBAL, "filter.of"));
}

/* How far the machines' clocks are apart, if that was measured. */
static void put_clocks(struct output *output, const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	int64_t offset = 0, error = 0;
	double drift = 0;
	unsigned points = 0;

	for (unsigned i = 0; i < streams; i++) {
		if (reader_stream(trace, i, &stream) || !stream.clock_points)
			continue;
		points += stream.clock_points;
		if (fabs((double)stream.clock_offset) > fabs((double)offset))
			offset = stream.clock_offset;
		if (fabs(stream.clock_drift) > fabs(drift))
			drift = stream.clock_drift;
		error = stream.clock_error > error ? stream.clock_error : error;
	}
	if (points)
		put_line(output, "clocks",
			 "%.9f s apart at most, drifting by %.3f ppm, corrected to %.3f us",
			 (double)offset / 1e9, drift / 1e3, (double)error / 1e3);
}

/* How times of what was recorded from outside, which are the kernel's, lie to those of programs; and what became of the clocks meanwhile. */
static void put_machines(struct output *output, const struct reader *trace)
{
	struct reader_machine machine = {.sz = sizeof(machine)};

	for (unsigned i = 0; !reader_machine(trace, i, &machine); i++) {
		if (machine.outside && machine.kernel_error >= 0)
			put_line(output, "kernel",
				 "stamps +- %" PRId64 " ns, by %u readings of the clocks of %s",
				 machine.kernel_error, machine.readings, machine.host);
		else if (machine.outside)
			put_line(output, "kernel",
				 "stamps by the anchors of each stream alone: how far they are off "
				 "is not known of %s",
				 machine.host);
		if (machine.sleeps)
			put_line(output, "suspended",
				 "%s, %u time%s, %.3f s in all, which no time has", machine.host,
				 machine.sleeps, machine.sleeps == 1 ? "" : "s",
				 (double)machine.slept / 1e9);
		if (machine.steps)
			put_line(output, "clock set",
				 "%s, %u time%s, by %+.3f s at most, which moved no time",
				 machine.host, machine.steps, machine.steps == 1 ? "" : "s",
				 (double)machine.stepped / 1e9);
	}
}

static void put_size(struct output *output, const struct reader_info *info, uint64_t bytes)
{
	if (info->stored > 0)
		put_line(output, "size", "%" PRIu64 " bytes, %.2f a record", bytes,
			 (double)bytes / (double)info->stored);
	else
		put_line(output, "size", "%" PRIu64 " bytes", bytes);
}

/* What is lacking, if anything: losses by reason, ranks, ends. */
static void put_losses(struct output *output, const struct reader *trace)
{
	struct losses losses;

	losses_collect(&losses, trace);
	for (size_t i = 0; i < losses.count; i++) {
		const char *meaning = loss_meaning(losses.list[i].reason);

		char number[32];

		put_line(output, "lost", "%s %s%s%s", loss_number(number, losses.list[i].records),
			 losses.list[i].reason, *meaning ? ": " : "", meaning);
	}
	losses_release(&losses);
}

static void put_absences(struct output *output, const struct reader *trace, unsigned worlds)
{
	struct absences absences;

	absences_collect(&absences, trace);
	put_text(output, "absent", absences_text(&absences, worlds));
	absences_release(&absences);
}

static void put_ends(struct output *output, const struct reader *trace, unsigned streams)
{
	enum end { IN_ORDER, REPAIRED, DIED, RUNNING, ENDS };
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned ends[ENDS] = {0}, unsafe = 0;

	for (unsigned i = 0; i < streams; i++) {
		if (reader_stream(trace, i, &stream))
			continue;
		ends[stream.state == READER_RUNNING ? RUNNING
		     : stream.state == READER_DIED  ? DIED
		     : stream.died                  ? REPAIRED
						    : IN_ORDER]++;
		unsafe += !stream_is_crash_safe(trace, i);
	}
	put_line(output, "ends", "%u in order, %u repaired, %u died, %u running", ends[IN_ORDER],
		 ends[REPAIRED], ends[DIED], ends[RUNNING]);
	if (unsafe)
		put_line(output, "live files",
			 "not crash-safe in %u of %u streams: their newest records were in private "
			 "memory",
			 unsafe, streams);
}

/* Recording was paused by request: how long at most in one process, and in how many. */
static void put_pauses(struct output *output, const struct reader *trace, unsigned streams)
{
	unsigned paused = 0;
	uint64_t longest = 0;

	for (unsigned i = 0; i < streams; i++) {
		uint64_t ns = meta_number(trace, i, "paused");

		paused += meta_number(trace, i, "pauses") > 0;
		longest = ns > longest ? ns : longest;
	}
	if (paused)
		put_line(output, "paused", "%.6f s%s, by request", (double)longest / 1e9,
			 paused > 1 ? " at most" : "");
}

/* Of the program's own regions: it has begun fewer than it has ended. */
static void put_unmatched(struct output *output, const struct reader *trace, unsigned streams)
{
	uint64_t ends = sum_of(trace, streams, "user.unmatched");

	if (ends)
		put_line(output, "regions",
			 "%" PRIu64 " ends of regions had no begin in their thread", ends);
}

/* Files beyond those that the recorder can number. */
static void put_unnamed(struct output *output, const struct reader *trace, unsigned streams)
{
	uint64_t opened = sum_of(trace, streams, "files.unnamed");

	if (opened)
		put_line(output, "unnamed",
			 "files were opened %" PRIu64 " times without a number of their own",
			 opened);
}

/* Of RECORDER_STACKS. */
static void put_stackless(struct output *output, const struct reader *trace, unsigned streams)
{
	uint64_t calls = sum_of(trace, streams, "stacks.missing");

	if (calls)
		put_line(output, "stackless", "%" PRIu64 " calls have no call stack", calls);
}

/* RECORDER_AGGREGATE: how many streams share files, and why not if they were to. */
static void put_nodes(struct output *output, const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	const char *why = "", *last = "";
	unsigned shared = 0, own = 0;
	bool several = false;

	for (unsigned i = 0; i < streams; i++) {
		const char *refused = meta_text(trace, i, "aggregate.refused");

		if (reader_stream(trace, i, &stream))
			continue;
		own += *refused != '\0';
		why = *refused ? refused : why;
		shared += *stream.node_file != '\0';
		several |= *last && *stream.node_file && strcmp(last, stream.node_file) != 0;
		last = *stream.node_file ? stream.node_file : last;
	}
	if (shared)
		put_line(output, "nodes", "%u of %u streams in %s", shared, streams,
			 several ? "one file of each node" : last);
	if (own)
		put_line(output, "nodes", "%u streams have files of their own all the same: %s",
			 own, why);
}

/* Of RECORDER_TIMING. */
static void put_summed(struct output *output, const struct reader_info *info)
{
	if (info->summed)
		put_line(output, "timing",
			 "times of %" PRIu64 " of %" PRIu64
			 " records are summed: where a call lies and how long it took is made up, "
			 "sums by function are exact",
			 info->summed, info->stored);
}

static void put_stream(struct output *output, const struct reader_stream *stream)
{
	const char *slash = strrchr(stream->exe, '/');
	char rank[32];

	if (stream->world > 0)
		snprintf(rank, sizeof(rank), "%d:%d", (int)stream->world, (int)stream->rank);
	else
		snprintf(rank, sizeof(rank), "%d", (int)stream->rank);
	put_line(output, rank, "%7u %-12s %12" PRIu64 " %8" PRIu64 "  %-8s %-16s %s", stream->pid,
		 stream->host, stream->records, stream->lost, state_name(stream->state),
		 slash ? slash + 1 : stream->exe, stream->reason);
}

/* Below what a process in a container calls itself, what the machine calls it. */
static void put_outer_pid(struct output *output, const struct reader_stream *stream)
{
	if (stream->outer_pid != stream->pid)
		put_line(output, "", "%7u outside of its container", stream->outer_pid);
}

/* Below the stream, in the column of the numbers. */
static void put_stream_losses(struct output *output, const struct reader *trace, unsigned index)
{
	const char *reason;
	char number[32];
	uint64_t count;

	for (unsigned i = 0; !reader_loss(trace, index, i, &reason, &count); i++)
		put_line(output, "", "%33s %8s  lost: %s", "", loss_number(number, count), reason);
}

/* Programs of the run that no stream is of. */
static void put_untraced(struct output *output, const struct reader *trace)
{
	struct untraced untraced = {0};

	untraced_collect(&untraced, trace);
	put_text(output, "untraced", untraced_text(&untraced));
	untraced_release(&untraced);
}

static void text_info(struct output *output, struct reader *trace, const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	const char *command_line = meta_text(trace, READER_GLOBAL, "command");

	put_line(output, "trace", "%s", info->dir);
	put_line(output, "run", "%s", info->run_id);
	if (*command_line)
		put_line(output, "command", "%s", command_line);
	put_line(output, "format", "%u.%u, by recorder %s", info->format_major, info->format_minor,
		 meta_text(trace, READER_GLOBAL, "recorder.version"));
	put_filter(output, trace);
	put_state(output, info);
	put_time(output, info);
	put_clocks(output, trace, info->streams);
	put_machines(output, trace);
	put_line(output, "ranks", "%u in %u world%s, %u streams on %u host%s", info->ranks,
		 info->worlds, info->worlds == 1 ? "" : "s", info->streams, count_hosts(trace),
		 count_hosts(trace) == 1 ? "" : "s");
	put_line(output, "records", "%" PRIu64, info->records);
	put_size(output, info, trace_bytes(trace, info->streams));
	put_losses(output, trace);
	put_absences(output, trace, info->worlds);
	put_ends(output, trace, info->streams);
	put_pauses(output, trace, info->streams);
	put_unmatched(output, trace, info->streams);
	put_unnamed(output, trace, info->streams);
	put_nodes(output, trace, info->streams);
	put_stackless(output, trace, info->streams);
	put_summed(output, info);
	put_text(output, "outside", hosts_seen_text(trace));
	put_text(output, "overhead", overhead_text(trace, info->streams));
	if (with_entropy)
		put_text(output, "entropy", entropy_text(trace, trace_bytes(trace, info->streams)));
	put_untraced(output, trace);
	output_text(output,
		    "\nrank           pid host              records     lost  state    program"
		    "          reason\n");
	for (unsigned i = 0; i < info->streams; i++) {
		if (i == STREAMS_SHOWN && !options.verbose) {
			put_line(output, "...", "%u more, see -v", info->streams - i);
			break;
		}
		if (reader_stream(trace, i, &stream))
			continue;
		put_stream(output, &stream);
		put_outer_pid(output, &stream);
		put_stream_losses(output, trace, i);
	}
	if (with_threads)
		inventory_threads(output, trace, info->streams);
	if (with_files)
		inventory_files(output, trace, info->streams);
}

int cmd_info(int argc, char **argv)
{
	struct reader_info info = {.sz = sizeof(info)};
	int at = options_parse(&command, argc, argv);
	struct output output;
	struct reader *trace;
	bool complete;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	ranks_leave_to_first();
	trace = trace_open(argv[at]);
	reader_info(trace, &info);
	complete = trace_is_whole(trace);
	output_begin_stdout(&output);
	if (options.json)
		json_info(&output, trace, &info);
	else if (options.csv)
		csv_info(&output, trace, &info);
	else
		text_info(&output, trace, &info);
	output_end(&output);
	trace_warn_incomplete(trace, &info);
	reader_close(trace);
	return options.strict && !complete ? EXIT_FAILED : EXIT_DONE;
}
