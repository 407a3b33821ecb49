/* SPDX-License-Identifier: MIT */
/* event_meaning.c - see event_meaning.h */
#include "event_meaning.h"

#include <string.h>

#include "events.h"
#include "json.h"

static void put_instant(struct out_events *events, int64_t ns)
{
	if (events->unix_time)
		output_i64(events->output, event_unix_us(events, ns));
	else
		output_decimal(events->output, ns, 3);
}

static void put_verb(struct out_events *events, unsigned at, const char *verb, const char *end)
{
	output_text(events->output, at ? "" : ",\"");
	output_text(events->output, at ? "," : verb);
	output_text(events->output, at ? "" : end);
}

/* Which calls made the requests that this one completed, and when. */
static void put_completed(struct out_events *events, const char *verb)
{
	struct output *output = events->output;
	struct reader_request request;
	unsigned at = 0;
	int64_t number;

	while (meaning_completed(events->meaning, at, &number, &request)) {
		const char *name = reader_function_by_id(events->trace, request.func_id)->name;

		put_verb(events, at++, verb, "\":[");
		event_string(events, "", name, strlen(name));
	}
	if (!at)
		return;
	output_char(output, ']');
	for (at = 0; meaning_completed(events->meaning, at, &number, &request); at++) {
		put_verb(events, at, verb, "_ts\":[");
		put_instant(events, request.tstart);
	}
	output_char(output, ']');
}

/* The rank in its world; a string "1:3" where that is another one. */
static void put_process(struct out_events *events, struct reader_process process, int32_t own_world)
{
	struct output *output = events->output;

	if (process.rank < 0) {
		output_text(output, "null");
	} else if (process.world == own_world) {
		output_i64(output, process.rank);
	} else {
		output_char(output, '"');
		output_i64(output, process.world);
		output_char(output, ':');
		output_i64(output, process.rank);
		output_char(output, '"');
	}
}

static void put_sources(struct out_events *events, const struct meaning_call *call,
			int32_t own_world)
{
	struct output *output = events->output;

	if (call->status_list)
		output_char(output, '[');
	for (unsigned at = 0; at < call->status_count; at++) {
		output_text(output, at ? "," : "");
		put_process(events, call->sources[at], own_world);
	}
	if (call->status_list)
		output_char(output, ']');
}

void event_meaning(struct out_events *events, const struct recorder_record *record,
		   const struct meaning_call *call)
{
	for (unsigned i = 0; i < call->peer_count; i++) {
		event_derived_key(events, record->func_id, call->peers[i].arg, "_world\":");
		put_process(events, call->peers[i].process, record->world);
	}
	if (call->sources) {
		event_derived_key(events, record->func_id, call->status_arg, "_world\":");
		put_sources(events, call, record->world);
	}
	if (call->traffic.sent >= 0) {
		output_text(events->output, ",\"sent\":");
		json_integer(events->output, call->traffic.sent);
	}
	if (call->traffic.received >= 0) {
		output_text(events->output, ",\"received\":");
		json_integer(events->output, call->traffic.received);
	}
	if (call->comm)
		event_string(events, ",\"comm\":", call->comm, strlen(call->comm));
	put_completed(events, call->verb);
}
