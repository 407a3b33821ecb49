/* SPDX-License-Identifier: MIT */
/* pfw_meta.c - see pfw_meta.h */
#include "pfw_meta.h"

#include <inttypes.h>
#include <stdio.h>

#include "events.h"
#include "hashes.h"
#include "json.h"
#include "lanes.h"
#include "names.h"
#include "pfw_lines.h"

void pfw_meta(struct out_events *events, const char *kind, unsigned stream, uint32_t tid,
	      const char *name, size_t size)
{
	output_text(events->output, "{\"id\":0,\"name\":\"");
	output_text(events->output, kind);
	output_text(events->output, "\",\"cat\":\"dftracer\"");
	pfw_put_ids(events, lanes_pid(events->lanes, stream), tid);
	pfw_put_phase(events, MARK_METADATA);
	pfw_put_host(events, stream);
	event_string(events, ",\"name\":", name, size);
}

static void put_text(struct out_events *events, const char *kind, unsigned stream, uint32_t tid,
		     const char *name, const char *value)
{
	pfw_meta(events, kind, stream, tid, name, strlen(name));
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
	pfw_meta(events, kind, stream, lanes_pid(events->lanes, stream), name, size);
	pfw_put_hash(events, ",\"value\":\"", hash);
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

uint64_t pfw_file(struct out_events *events, unsigned stream, const char *path)
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

/* ---- streams and lanes ---- */

static void name_process(struct out_events *events, unsigned index,
			 const struct reader_stream *stream)
{
	uint32_t pid = lanes_pid(events->lanes, index);
	uint64_t key = names_key('P', pid);
	char text[64];

	if (!event_begin_name(events, key))
		return;
	event_rank_name(stream, "Rank", text, sizeof(text));
	put_text(events, "process_name", index, pid, text, "process_name");
	snprintf(text, sizeof(text), "%" PRId32, stream->rank);
	put_text(events, "PR", index, pid, "rank", text);
	if (lanes_pid_is_synthetic(events->lanes, index)) {
		snprintf(text, sizeof(text), "%" PRIu32, stream->pid);
		put_text(events, "CM", index, pid, "pid", text);
	}
	event_end_name(events, key);
}

void pfw_give_stream(struct out_events *events, unsigned index)
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

void pfw_name_lane(struct out_events *events, const struct recorder_record *record,
		   const struct lane *lane)
{
	uint64_t key = names_key('T', (uint64_t)lane->number << 32 | lane->thread);
	char name[256];

	if (!event_begin_name(events, key))
		return;
	event_lane_name(lane, record->tid, name, sizeof(name));
	put_text(events, "thread_name", record->stream, lane->tid, name, "thread_name");
	event_end_name(events, key);
}

void pfw_in_flight(struct out_events *events, const struct recorder_record *record, uint32_t tid)
{
	const struct reader_function_info *function = reader_function(events->trace, record);
	char text[512];

	snprintf(text, sizeof(text), "%s since %" PRId64 ".%09" PRId64 " s", function->name,
		 record->tstart / 1000000000, record->tstart % 1000000000);
	put_text(events, "CM", record->stream, tid, "in_flight", text);
}

void pfw_losses(struct out_events *events, unsigned index)
{
	const char *reason;
	char key[128], value[32];
	uint64_t count;

	for (unsigned i = 0; !reader_loss(events->trace, index, i, &reason, &count); i++) {
		pfw_give_stream(events, index);
		snprintf(key, sizeof(key), "lost.%s", reason);
		snprintf(value, sizeof(value), "%" PRIu64, count);
		put_text(events, "CM", index, lanes_pid(events->lanes, index), key, value);
	}
}
