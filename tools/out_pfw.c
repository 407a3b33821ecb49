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
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/sumvalues.h"
#include "calltags.h"
#include "events.h"
#include "hashes.h"
#include "json.h"
#include "lines.h"
#include "marks.h"
#include "meaning.h"
#include "names.h"

static void put_ids(struct out_events *events, uint32_t pid, uint32_t tid)
{
	event_number(events, ",\"pid\":", pid);
	event_number(events, ",\"tid\":", tid);
}

static void put_hash(struct out_events *events, const char *key, uint64_t hash)
{
	output_text(events->output, key);
	output_hex(events->output, hash, NAME_HASH_DIGITS);
	output_char(events->output, '"');
}

/* Up to what belongs to the kind of event. */
static void put_phase(struct out_events *events, enum mark mark)
{
	static const char *const letters[] = {
		[MARK_NONE] = ",\"ph\":\"X\"",     [MARK_INSTANT] = ",\"ph\":\"i\",\"s\":\"t\"",
		[MARK_COUNTER] = ",\"ph\":\"C\"",  [MARK_SPAN_BEGIN] = ",\"ph\":\"b\"",
		[MARK_SPAN_END] = ",\"ph\":\"e\"", [MARK_METADATA] = ",\"ph\":\"M\"",
		[MARK_SUM] = ",\"ph\":\"C\""};
	const char *letter = letters[mark];

	/* of instants and spans the later flavour knows nothing */
	if (events->later)
		letter = mark == MARK_METADATA                      ? ",\"type\":0,\"ph\":4"
			 : mark == MARK_COUNTER || mark == MARK_SUM ? ",\"ph\":2"
								    : ",\"ph\":1";
	output_text(events->output, letter);
}

/* A metadata line up to its value. */
static void put_meta(struct out_events *events, const char *kind, unsigned stream, uint32_t tid,
		     const char *name, size_t size)
{
	output_text(events->output, "{\"id\":0,\"name\":\"");
	output_text(events->output, kind);
	output_text(events->output, "\",\"cat\":\"dftracer\"");
	put_ids(events, lanes_pid(events->lanes, stream), tid);
	put_phase(events, MARK_METADATA);
	put_hash(events, ",\"args\":{\"hhash\":\"", events->hosts[stream]);
	event_string(events, ",\"name\":", name, size);
}

static void put_meta_text(struct out_events *events, const char *kind, unsigned stream,
			  uint32_t tid, const char *name, const char *value)
{
	put_meta(events, kind, stream, tid, name, strlen(name));
	event_string(events, ",\"value\":", value, strlen(value));
	output_text(events->output, "}}\n");
}

/* ---- names ---- */

/* The definition of a name that is referred to by hash. */
static void define_hash(struct out_events *events, const char *kind, unsigned stream,
			const char *name, size_t size, uint64_t hash)
{
	/* the same text may be a file, a host and a command */
	uint64_t key = names_key(*kind, hash);

	if (!event_begin_name(events, key))
		return;
	put_meta(events, kind, stream, lanes_pid(events->lanes, stream), name, size);
	put_hash(events, ",\"value\":\"", hash);
	output_text(events->output, "}}\n");
	event_end_name(events, key);
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

static void name_process(struct out_events *events, unsigned index,
			 const struct reader_stream *stream)
{
	uint32_t pid = lanes_pid(events->lanes, index);
	uint64_t key = names_key('P', pid);
	char text[64];

	if (!event_begin_name(events, key))
		return;
	event_rank_name(stream, "Rank", text, sizeof(text));
	put_meta_text(events, "process_name", index, pid, text, "process_name");
	snprintf(text, sizeof(text), "%" PRId32, stream->rank);
	put_meta_text(events, "PR", index, pid, "rank", text);
	if (lanes_pid_is_synthetic(events->lanes, index)) {
		snprintf(text, sizeof(text), "%" PRIu32, stream->pid);
		put_meta_text(events, "CM", index, pid, "pid", text);
	}
	event_end_name(events, key);
}

static void give_stream(struct out_events *events, unsigned index)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned first = lanes_first_stream(events->lanes, index);

	if (events->given[index] == events->part)
		return;
	events->given[index] = events->part;
	if (reader_stream(events->trace, index, &stream))
		return;
	if (names_begin(events->names, names_key('s', index)))
		names_add(events->names, names_key('s', index));
	define_hash(events, "HH", index, stream.host, strlen(stream.host), events->hosts[index]);
	define_command(events, index, stream.argv);
	if (*stream.exe)
		define_hash(events, "SH", index, stream.exe, strlen(stream.exe),
			    name_hash(stream.exe, strlen(stream.exe)));
	if (first != index && reader_stream(events->trace, first, &stream))
		return;
	if (first != index)
		define_hash(events, "HH", first, stream.host, strlen(stream.host),
			    events->hosts[first]);
	name_process(events, first, &stream);
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

/* What lines of one thread have between the name and the time, and in front of their arguments. */
static void make_place(struct out_events *events, uint32_t stream, uint32_t tid)
{
	struct event_place *place = &events->place;
	struct output *output = events->output;
	struct output scratch = output_scratch(place->text, sizeof(place->text));

	events->output = &scratch;
	put_ids(events, lanes_pid(events->lanes, stream), tid);
	output_text(&scratch, ",\"ts\":");
	place->ids_size = (unsigned)(scratch.next - scratch.buffer);
	put_phase(events, MARK_NONE);
	put_hash(events, ",\"args\":{\"hhash\":\"", events->hosts[stream]);
	place->size = (unsigned)(scratch.next - scratch.buffer);
	events->output = output;
	place->stream = stream;
	place->tid = tid;
	place->known = true;
}

static const struct event_place *place_of(struct out_events *events, const struct call *call)
{
	const struct event_place *place = &events->place;

	if (!place->known || place->stream != call->record->stream || place->tid != call->tid)
		make_place(events, call->record->stream, call->tid);
	return place;
}

/* The line from behind its number to its time. */
static void put_head(struct out_events *events, const struct call *call)
{
	const struct event_place *place = place_of(events, call);

	output_char(events->output, ',');
	event_name(events, call->record);
	output_bytes(events->output, place->text, place->ids_size);
}

/* What stands in front of a call's arguments. */
static void put_hashes(struct out_events *events, const struct call *call)
{
	const struct event_place *place = place_of(events, call);

	output_bytes(events->output, place->text + place->ids_size, place->size - place->ids_size);
	if (call->has_file)
		put_hash(events, ",\"fhash\":\"", call->file_hash);
	output_char(events->output, ',');
}

static int put_call(struct out_events *events, const struct call *call)
{
	int64_t begin = event_unix_us(events, call->record->tstart);
	int64_t end = event_unix_us(events, call->record->tend);
	int error = 0;

	output_text(events->output, "{\"id\":");
	output_u64(events->output, call->record->sequence + 1);
	put_head(events, call);
	output_i64(events->output, begin);
	event_number(events,
		     ",\"dur\":", end > begin ? end - begin : 0); /* damage may turn it round */
	if (events->no_args) {
		put_phase(events, MARK_NONE);
		output_text(events->output, "}\n");
		return 0;
	}
	put_hashes(events, call);
	error = event_args(events, call->record);
	output_text(events->output, "}}\n");
	return error;
}

/* What the program says of the process. */
static void put_told(struct out_events *events, const struct call *call)
{
	const char *name;
	size_t size = mark_name(events, call->record, &name);

	put_meta(events, "CM", call->record->stream, call->tid, name, size);
	output_text(events->output, ",\"value\":");
	mark_value(events, call->record);
	output_text(events->output, "}}\n");
}

/*
 * What DataCrumbs has of an interval:
 * {"id":1,"name":"close","cat":"KERNEL","pid":7,"tid":7,"ts":17..,"dur":100000,"ph":"C","args":{"hhash":"..","fname":"/f","freq":1,"time":5.69e-06,"size_sum":null}}
 */
static void put_sum(struct out_events *events, const struct call *call)
{
	struct sum_values sum = sum_values_of(events->trace, call->record);
	struct reader_file file;

	output_text(events->output, "{\"id\":");
	output_u64(events->output, call->record->sequence + 1);
	put_head(events, call);
	output_i64(events->output,
		   event_unix_us(events,
				 sum.begin +
					 500)); /* a multiple of us, but for what clocks differ */
	event_number(events, ",\"dur\":", sum.interval / 1000);
	put_phase(events, MARK_SUM);
	put_hash(events, ",\"args\":{\"hhash\":\"", events->hosts[call->record->stream]);
	if (reader_record_file(events->trace, call->record, &file))
		output_text(events->output, ",\"fname\":null");
	else
		event_string(events, ",\"fname\":", file.path, strlen(file.path));
	event_number(events, ",\"freq\":", sum.count);
	output_text(events->output, ",\"time\":");
	json_double(events->output, (double)sum.time / 1e9);
	if (sum.has_bytes)
		event_number(events, ",\"size_sum\":", sum.bytes);
	else
		output_text(events->output, ",\"size_sum\":null");
	if (sum.has_queue) {
		output_text(events->output, ",\"queue\":");
		json_double(events->output, (double)sum.queue / 1e9);
	}
	output_text(events->output, "}}\n");
}

/* Instants, counters and spans are lines of calls that take no time, with letters of their own. */
static int put_mark(struct out_events *events, const struct call *call, enum mark mark)
{
	int error = 0;

	if (mark == MARK_METADATA) {
		put_told(events, call);
		return 0;
	}
	if (mark == MARK_SUM) {
		put_sum(events, call);
		return 0;
	}
	output_text(events->output, "{\"id\":");
	output_u64(events->output, call->record->sequence + 1);
	put_head(events, call);
	output_i64(events->output, event_unix_us(events, call->record->tstart));
	output_text(events->output, ",\"dur\":0");
	put_phase(events, mark);
	if (!events->later && (mark == MARK_SPAN_BEGIN || mark == MARK_SPAN_END))
		mark_id(events, call->record);
	if (mark == MARK_COUNTER && !mark_is_sample(events, call->record)) {
		output_text(events->output, ",\"args\":{\"value\":");
		mark_value(events, call->record);
		output_char(events->output, '}');
	} else if (!events->no_args) {
		put_hash(events, ",\"args\":{\"hhash\":\"", events->hosts[call->record->stream]);
		output_char(events->output, ',');
		error = event_args(events, call->record);
		output_char(events->output, '}');
	}
	output_text(events->output, "}\n");
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
static bool keep_line(struct out_events *events, const struct call *call)
{
	const char *places[2 * EVENT_NUMBERS];
	int count;

	if (!lines_keep(events->line_cache, events, call->record, call->tid))
		return false;
	put_head(events, call);
	lines_divide(events->line_cache);
	put_hashes(events, call);
	count = event_shape_args(events, call->record, places);
	output_text(events->output, "}}\n");
	lines_kept(events->line_cache, events, call->record, places, count);
	return true;
}

/* The hash of a path that is defined. Calls in a row are mostly on the same file. */
static uint64_t defined_file(struct out_events *events, unsigned stream, const char *path)
{
	struct event_file *last = &events->last_file;
	size_t size = strlen(path);

	if (last->part == events->part && last->size == size && !memcmp(last->path, path, size))
		return last->hash;
	last->size = size;
	last->part = size < sizeof(last->path) ? events->part : 0;
	last->hash = name_hash(path, size);
	if (last->part)
		memcpy(last->path, path, size);
	define_hash(events, "FH", stream, path, size, last->hash);
	return last->hash;
}

static void find_file(struct out_events *events, struct call *call)
{
	struct reader_file file;

	call->has_file =
		!events->no_args && !reader_record_file(events->trace, call->record, &file);
	if (call->has_file)
		call->file_hash = defined_file(events, call->record->stream, file.path);
}

static void name_lane(struct out_events *events, const struct recorder_record *record,
		      const struct lane *lane)
{
	uint64_t key = names_key('T', (uint64_t)lane->number << 32 | lane->thread);
	char name[256];

	if (!event_begin_name(events, key))
		return;
	event_lane_name(lane, record->tid, name, sizeof(name));
	put_meta_text(events, "thread_name", record->stream, lane->tid, name, "thread_name");
	event_end_name(events, key);
}

/* A call that is on its lane. */
static int put_placed(struct out_events *events, const struct recorder_record *record, uint32_t tid,
		      struct lines *lines)
{
	struct call call = {.record = record, .tid = tid};

	if (events->marks[record->func_id])
		return put_mark(events, &call, (enum mark)events->marks[record->func_id])
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
		give_stream(events, record->stream);
	if (events->marks[record->func_id] == MARK_SUM)
		return put_placed(events, record, record->tid, NULL);
	if (lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	if (lane.fresh)
		name_lane(events, record, &lane);
	if (record->flags & RECORDER_IN_FLIGHT) {
		put_in_flight(events, record, lane.tid);
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

static void put_losses(struct out_events *events, unsigned index)
{
	const char *reason;
	char key[128], value[32];
	uint64_t count;

	for (unsigned i = 0; !reader_loss(events->trace, index, i, &reason, &count); i++) {
		give_stream(events, index);
		snprintf(key, sizeof(key), "lost.%s", reason);
		snprintf(value, sizeof(value), "%" PRIu64, count);
		put_meta_text(events, "CM", index, lanes_pid(events->lanes, index), key, value);
	}
}

static int end_lines(struct out_events *events, struct hash_set *known)
{
	bool all = walk_takes_all_streams();

	/* The streams that no record is of. A key that is added here was not there. */
	for (unsigned i = 0; i < events->info.streams; i++) {
		bool given = !hash_set_add(known, names_key('s', i));

		if (!given && all)
			give_stream(events, i);
		if (given || all)
			put_losses(events, i);
	}
	if (!events->later)
		output_text(events->output, "]\n");
	return events->output->error;
}

const struct events_form out_pfw_form = {begin_lines, begin_part, put_record, end_lines, "[\n"};
const struct events_form out_pfw2_form = {begin_lines, begin_part, put_record, end_lines, ""};
