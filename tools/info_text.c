/* SPDX-License-Identifier: MIT */
/* info_text.c - see info_text.h: a line for each thing that there is to say, then the streams */
#include "info_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/quantities.h"
#include "completeness.h"
#include "costs.h"
#include "hosts_seen.h"
#include "inventory.h"
#include "metavalue.h"
#include "options.h"
#include "untraced_list.h"

#define STREAMS_SHOWN 32u /* without -v */

static unsigned count_hosts(const struct reader *trace)
{
	struct hosts_seen seen;

	return hosts_seen_count(trace, &seen) ? 0 : seen.all;
}

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

static void put_state(struct output *output, const struct reader *trace,
		      const struct reader_info *info)
{
	const char *word = info->complete  ? "complete"
			   : info->running ? "still being written"
					   : "INCOMPLETE";
	bool color = !info->complete && options_color(STDOUT_FILENO);
	char lost[32];

	put_line(output, "state",
		 "%s%s%s: %s lost, %" PRIu64 " unreadable, %" PRIu64 " calls in flight",
		 color ? "\033[1;31m" : "", word, color ? "\033[0m" : "",
		 trace_loss_number(lost, trace, info), info->unreadable, info->in_flight);
}

/* Why times of streams may be wrong, to each other. */
static const char *clock_doubt(const struct reader *trace, const struct reader_info *info)
{
	if (!info->unverified_clock)
		return "";
	return count_hosts(trace) > 1 ? " (clocks of several hosts, not verified)"
				      : " (the rate of a clock is not known)";
}

static void put_time(struct output *output, const struct reader *trace,
		     const struct reader_info *info)
{
	time_t seconds = (time_t)(info->start / 1000000000);
	struct tm tm;
	char text[64] = "unknown";

	if (info->start && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	put_line(output, "started", "%s, lasted %.6f s%s", text, (double)info->duration / 1e9,
		 clock_doubt(trace, info));
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

static void put_absences(struct output *output, const struct reader *trace,
			 const struct reader_info *info)
{
	struct absences absences;

	absences_collect(&absences, trace);
	put_text(output, "absent", absences_text(&absences, info->worlds));
	absences_release(&absences);
	if (info->missing_streams)
		put_line(output, "absent", "%" PRIu64 " stream%s that recorder.gm tells of",
			 info->missing_streams, info->missing_streams == 1 ? "" : "s");
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
	uint64_t ends = meta_sum(trace, streams, "user.unmatched");

	if (ends)
		put_line(output, "regions",
			 "%" PRIu64 " ends of regions had no begin in their thread", ends);
}

/* Files beyond those that the recorder can number. */
static void put_unnamed(struct output *output, const struct reader *trace, unsigned streams)
{
	uint64_t opened = meta_sum(trace, streams, "files.unnamed");

	if (opened)
		put_line(output, "unnamed",
			 "files were opened %" PRIu64 " times without a number of their own",
			 opened);
}

/* Of RECORDER_STACKS. */
static void put_stackless(struct output *output, const struct reader *trace, unsigned streams)
{
	uint64_t calls = meta_sum(trace, streams, "stacks.missing");

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

/* RECORDER_ROTATE: how many files streams lie in. */
static void put_segments(struct output *output, const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned divided = 0, segments = 0;

	for (unsigned i = 0; i < streams; i++) {
		if (reader_stream(trace, i, &stream) || stream.segments < 2)
			continue;
		divided++;
		segments += stream.segments;
	}
	if (divided)
		put_line(output, "segments", "%u of %u streams in %u pairs of files", divided,
			 streams, segments);
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

static void put_stream(struct output *output, const struct reader *trace, unsigned index,
		       const struct reader_stream *stream)
{
	const char *slash = strrchr(stream->exe, '/');
	char rank[QUANTITY_ROOM], lost[32];

	quantity_rank(rank, stream->world, stream->rank);
	put_line(output, rank, "%7u %-12s %12" PRIu64 " %8s  %-8s %-16s %s", stream->pid,
		 stream->host, stream->records,
		 stream_loss_number(lost, trace, index, stream->lost), info_state(stream->state),
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

static void put_streams(struct output *output, const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	output_text(output,
		    "\nrank           pid host              records     lost  state    program"
		    "          reason\n");
	for (unsigned i = 0; i < streams; i++) {
		if (i == STREAMS_SHOWN && !options.verbose) {
			put_line(output, "...", "%u more, see -v", streams - i);
			break;
		}
		if (reader_stream(trace, i, &stream))
			continue;
		put_stream(output, trace, i, &stream);
		put_outer_pid(output, &stream);
		put_stream_losses(output, trace, i);
	}
}

void info_text(struct output *output, struct reader *trace, const struct reader_info *info,
	       const struct info_parts *parts)
{
	const char *command_line = meta_text(trace, READER_GLOBAL, "command");
	unsigned hosts = count_hosts(trace);

	put_line(output, "trace", "%s", info->dir);
	put_line(output, "run", "%s", info->run_id);
	if (*command_line)
		put_line(output, "command", "%s", command_line);
	put_line(output, "format", "%u.%u, by recorder %s", info->format_major, info->format_minor,
		 meta_text(trace, READER_GLOBAL, "recorder.version"));
	put_filter(output, trace);
	put_state(output, trace, info);
	put_time(output, trace, info);
	put_clocks(output, trace, info->streams);
	put_machines(output, trace);
	put_line(output, "ranks", "%u in %u world%s, %u streams on %u host%s", info->ranks,
		 info->worlds, info->worlds == 1 ? "" : "s", info->streams, hosts,
		 hosts == 1 ? "" : "s");
	put_line(output, "records", "%" PRIu64, info->records);
	put_size(output, info, info_bytes(trace, info->streams));
	put_losses(output, trace);
	put_absences(output, trace, info);
	put_ends(output, trace, info->streams);
	put_pauses(output, trace, info->streams);
	put_unmatched(output, trace, info->streams);
	put_unnamed(output, trace, info->streams);
	put_nodes(output, trace, info->streams);
	put_segments(output, trace, info->streams);
	put_stackless(output, trace, info->streams);
	put_summed(output, info);
	put_text(output, "outside", hosts_seen_text(trace));
	put_text(output, "overhead", overhead_text(trace, info->streams));
	if (parts->entropy)
		put_text(output, "entropy", entropy_text(trace, info_bytes(trace, info->streams)));
	put_untraced(output, trace);
	put_streams(output, trace, info->streams);
	if (parts->threads)
		inventory_threads(output, trace, info->streams);
	if (parts->files)
		inventory_files(output, trace, info->streams);
}
