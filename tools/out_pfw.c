/* SPDX-License-Identifier: MIT */
/*
 * out_pfw.c - DFTracer's .pfw: one JSON object a line without commas, in ASCII, microseconds.
 *
 *	[
 *	{"id":0,"name":"HH","cat":"dftracer","pid":7,"tid":7,"ph":"M","args":{"hhash":"0..","name":"node1","value":"0.."}}
 *	{"id":1,"name":"pwrite","cat":"POSIX","pid":7,"tid":7,"ts":17..,"dur":5,"ph":"X","args":{"hhash":..}}
 *	]
 *
 * Names are given once and referred to by hash: HH hosts, FH files, SH command lines. An event's id is the number of its record in the thread, so
 * that it depends neither on other threads nor on the filter; metadata have 0. ts is Unix time.
 * Both ends of a call are rounded down, so that nesting survives. Calls in flight and losses, which
 * the format has no event for, are CM metadata.
 *
 * What a program says without that it takes time is no X: instants (i), counters (C), spans (b, e); metadata are CM. Sums of calls are C, too, as DataCrumbs has them.
 *
 * The later flavour (DFTracer 2) has no brackets, "ph" as a number and a "type" beside "cat"; instants and spans, which it has no number for, are events that took no time.
 */
#include <errno.h>
#include <stdlib.h>

#include "calltags.h"
#include "events.h"
#include "hashes.h"
#include "lines.h"
#include "meaning.h"
#include "names.h"
#include "pfw_marks.h"
#include "pfw_meta.h"

static int begin_lines(struct out_events *events, const struct walk *walk)
{
	int error;

	events->ascii = true;
	events->numeric = true;
	events->unix_time = true;
	events->line_cache = events->no_args || events->show_stacks ? NULL : lines_new();
	events->given = calloc(walk->info.streams + 1, sizeof(*events->given));
	error = events->given ? events_begin(events, walk, true) : -ENOMEM;
	if (!events->line_cache && !events->no_args && !events->show_stacks)
		error = -ENOMEM;
	events->top = error ? NULL : lanes_top(events->lanes);
	events->notes = !error && !events->no_args && *meaning_followed(events->meaning);
	for (unsigned i = 0; i < walk->info.streams && !error; i++) {
		struct reader_stream stream = {.sz = sizeof(stream)};

		if (!reader_stream(walk->trace, i, &stream))
			events->hosts[i] = name_hash(stream.host, strlen(stream.host));
	}
	return error;
}

static void begin_part(struct out_events *events, bool goes_on)
{
	events->part++;
	if (!goes_on)
		lanes_begin(events->lanes);
	if (events->line_cache)
		lines_forget(events->line_cache);
}

void out_pfw_file(struct out_events *events)
{
	events->part++;
	lanes_forget_names(events->lanes);
	if (events->line_cache)
		lines_forget(events->line_cache);
}

static int put_call(struct out_events *events, const struct pfw_call *call)
{
	int64_t begin = event_unix_us(events, call->record->tstart);
	int64_t end = event_unix_us(events, call->record->tend);
	int error = 0;

	pfw_put_number(events, call);
	pfw_put_head(events, call);
	output_i64(events->output, begin);
	event_number(events,
		     ",\"dur\":", end > begin ? end - begin : 0); /* damage may turn it round */
	if (events->no_args) {
		pfw_put_phase(events, MARK_NONE);
		output_text(events->output, "}\n");
		return 0;
	}
	pfw_put_hashes(events, call);
	error = event_args(events, call->record);
	output_text(events->output, "}}\n");
	return error;
}

/* The lines that a call's may be like. NULL: it may be like none, as tags hold in it. */
static struct lines *lines_of(const struct out_events *events, const struct recorder_record *record)
{
	return events->tags && calltags_find(events->tags, record) != 0 ? NULL : events->line_cache;
}

static bool put_like_before(struct out_events *events, struct lines *lines,
			    const struct recorder_record *record, uint32_t tid)
{
	return lines && lines_put(lines, events, record, tid, record->sequence + 1);
}

/* Keeps the line of a call for those that are like it. False: it cannot be kept. */
static bool keep_line(struct out_events *events, const struct pfw_call *call)
{
	const char *places[2 * EVENT_NUMBERS];
	int count;

	if (!lines_keep(events->line_cache, events, call->record, call->tid))
		return false;
	pfw_put_head(events, call);
	lines_divide(events->line_cache);
	pfw_put_hashes(events, call);
	count = event_shape_args(events, call->record, places);
	output_text(events->output, "}}\n");
	lines_kept(events->line_cache, events, call->record, places, count);
	return true;
}

static void find_file(struct out_events *events, struct pfw_call *call)
{
	struct reader_file file;

	call->has_file =
		!events->no_args && !reader_record_file(events->trace, call->record, &file);
	if (call->has_file)
		call->file_hash = pfw_file(events, call->record->stream, file.path);
}

/* A call that is on its lane. */
static int put_placed(struct out_events *events, const struct recorder_record *record, uint32_t tid,
		      struct lines *lines)
{
	struct pfw_call call = {.record = record, .tid = tid};

	if (events->marks[record->func_id])
		return pfw_put_mark(events, &call, (enum mark)events->marks[record->func_id])
			       ? -ENOMEM
			       : events->output->error;
	if (put_like_before(events, lines, record, tid))
		return events->output->error;
	find_file(events, &call);
	if (lines && keep_line(events, &call) && put_like_before(events, lines, record, tid))
		return events->output->error;
	if (put_call(events, &call))
		return -ENOMEM;
	return events->output->error;
}

static inline int note(struct out_events *events, const struct recorder_record *record)
{
	return events->notes ? events_note(events, record) : 0;
}

static __attribute__((noinline)) int place_and_put(struct out_events *events,
						   const struct recorder_record *record,
						   struct lines *lines)
{
	struct lane lane;
	int error;

	if (events->given[record->stream] != events->part)
		pfw_give_stream(events, record->stream);
	if (events->marks[record->func_id] == MARK_SUM)
		return put_placed(events, record, record->tid, NULL);
	if (lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	if (lane.fresh)
		pfw_name_lane(events, record, &lane);
	if (record->flags & RECORDER_IN_FLIGHT) {
		pfw_in_flight(events, record, lane.tid);
		return events->output->error;
	}
	error = note(events, record);
	return error ? error : put_placed(events, record, lane.tid, lines);
}

static int put_record(struct out_events *events, const struct recorder_record *record)
{
	uint32_t tid = lane_behind(events->top, record);
	struct lines *lines = lines_of(events, record);
	int error;

	if (!tid)
		return place_and_put(events, record, lines);
	error = note(events, record);
	if (error)
		return error;
	/* as for most */
	if (put_like_before(events, lines, record, tid))
		return events->output->error;
	return put_placed(events, record, tid, lines);
}

static int end_lines(struct out_events *events, struct hash_set *known)
{
	bool all = walk_takes_all_streams();

	/* The streams that no record is of. A key that is added here was not there. */
	for (unsigned i = 0; i < events->info.streams; i++) {
		bool given = !hash_set_add(known, names_key('s', i));

		if (!given && all)
			pfw_give_stream(events, i);
		if (given || all)
			pfw_losses(events, i);
	}
	if (!events->later)
		output_text(events->output, "]\n");
	return events->output->error;
}

const struct events_form out_pfw_form = {begin_lines, begin_part, put_record, end_lines, "[\n"};
const struct events_form out_pfw2_form = {begin_lines, begin_part, put_record, end_lines, ""};
