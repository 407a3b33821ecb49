/* SPDX-License-Identifier: MIT */
/* sum_record.c - see sum_record.h */
#include "system/sum_record.h"

#include <string.h>

#include "format/defs.h"
#include "system/occurrences.h"

#define FIRST_FUNCTION 1024u /* behind those of calls and of all else that happens */

/* Class of each argument; the same for all. */
static struct watched_function sum_function;

uint16_t sum_record_function(const struct call_sum *sum)
{
	uint16_t id = sum->call >= EVENT_CALLS_MAX
			      ? occurrence_function(sum->call - EVENT_CALLS_MAX)
			      : call_record_id(sum->call, sum->flags);

	return (uint16_t)(FIRST_FUNCTION + id);
}

void sum_record_define(struct watched_stream *stream, uint16_t function)
{
	uint8_t payload[512];
	struct packer packer = packer_of(payload, sizeof(payload));
	uint16_t id = (uint16_t)(function - FIRST_FUNCTION),
		 first_occurrence = occurrence_function(0);

	sum_function.result_class = kind_class(KIND_sum);
	sum_function.arg_count = SUM_ARGS;
	for (unsigned i = 0; i < SUM_ARGS; i++)
		sum_function.arg_classes[i] = kind_class(sum_parameters[i].kind);
	watched_stream_function(stream, function, &sum_function);
	if (id >= first_occurrence)
		def_sum_pack(&packer, function, occurrence_layer(id - first_occurrence),
			     occurrence_name(id - first_occurrence));
	else
		def_sum_pack(&packer, function, "kernel", call_record_name(id));
	watched_stream_define(stream, DEF_FUNCTION, payload, packer_size(&packer, payload));
}

/* At the end of the interval, if the thread has not ended before that, nor called something later that is stored already. */
static uint64_t moment_of(const struct sum_event *event, uint64_t interval, uint64_t after)
{
	uint64_t at = event->begin + interval;

	if (at > event->head.time)
		at = event->head.time;
	if (at < after)
		at = after;
	return at > event->begin ? at : event->begin;
}

static bool moves(const struct call_sum *sum)
{
	return sum->call >= EVENT_CALLS_MAX
		       ? occurrence_moves(sum->call - EVENT_CALLS_MAX)
		       : call_record_moves(call_record_id(sum->call, sum->flags));
}

void sum_record_make(union sum_record_room *room, const struct sum_event *event, uint32_t file,
		     uint64_t interval, uint64_t after)
{
	struct raw_record *record = &room->record;
	uint64_t at = moment_of(event, interval, after);
	struct sum sum = {
		.file = file,
		.count = event->sum.count,
		.time = event->sum.time,
		.interval = interval,
		.back = at - event->begin,
		.bytes = moves(&event->sum) ? (int64_t)event->sum.bytes : -1,
	};

	memset(record, 0, sizeof(*record));
	record->function = sum_record_function(&event->sum);
	record->arg_count = (uint8_t)sum_put(record->args, &sum);
	record->size = (uint32_t)(sizeof(*record) + 8u * record->arg_count);
	record->tstart = record->tend = at;
	record->repeat = 1;
}
