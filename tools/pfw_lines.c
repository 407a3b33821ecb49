/* SPDX-License-Identifier: MIT */
/* pfw_lines.c - see pfw_lines.h */
#include "pfw_lines.h"

#include "events.h"
#include "hashes.h"

void pfw_put_ids(struct out_events *events, uint32_t pid, uint32_t tid)
{
	event_number(events, ",\"pid\":", pid);
	event_number(events, ",\"tid\":", tid);
}

void pfw_put_hash(struct out_events *events, const char *key, uint64_t hash)
{
	output_text(events->output, key);
	output_hex(events->output, hash, NAME_HASH_DIGITS);
	output_char(events->output, '"');
}

void pfw_put_host(struct out_events *events, uint32_t stream)
{
	pfw_put_hash(events, ",\"args\":{\"hhash\":\"", events->hosts[stream]);
}

void pfw_put_number(struct out_events *events, const struct pfw_call *call)
{
	output_text(events->output, "{\"id\":");
	output_u64(events->output, call->record->sequence + 1);
}

void pfw_put_phase(struct out_events *events, enum mark mark)
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

/* What lines of one thread have between the name and the time, and in front of their arguments. */
static void make_place(struct out_events *events, uint32_t stream, uint32_t tid)
{
	struct event_place *place = &events->place;
	struct output *output = events->output;
	struct output scratch = output_scratch(place->text, sizeof(place->text));

	events->output = &scratch;
	pfw_put_ids(events, lanes_pid(events->lanes, stream), tid);
	output_text(&scratch, ",\"ts\":");
	place->ids_size = (unsigned)(scratch.next - scratch.buffer);
	pfw_put_phase(events, MARK_NONE);
	pfw_put_host(events, stream);
	place->size = (unsigned)(scratch.next - scratch.buffer);
	events->output = output;
	place->stream = stream;
	place->tid = tid;
	place->known = true;
}

static const struct event_place *place_of(struct out_events *events, const struct pfw_call *call)
{
	const struct event_place *place = &events->place;

	if (!place->known || place->stream != call->record->stream || place->tid != call->tid)
		make_place(events, call->record->stream, call->tid);
	return place;
}

void pfw_put_head(struct out_events *events, const struct pfw_call *call)
{
	const struct event_place *place = place_of(events, call);

	output_char(events->output, ',');
	event_name(events, call->record);
	output_bytes(events->output, place->text, place->ids_size);
}

void pfw_put_hashes(struct out_events *events, const struct pfw_call *call)
{
	const struct event_place *place = place_of(events, call);

	output_bytes(events->output, place->text + place->ids_size, place->size - place->ids_size);
	if (call->has_file)
		pfw_put_hash(events, ",\"fhash\":\"", call->file_hash);
	output_char(events->output, ',');
}
