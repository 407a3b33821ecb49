/* SPDX-License-Identifier: MIT */
/* sum_record.c - see sum_record.h */
#include "system/sum_record.h"

#include <string.h>

#include "format/defs.h"
#include "system/occurrences.h"

#define FIRST_FUNCTION 1024u /* behind those of calls and of all else that happens */

/* Class of each argument; the same for all, but for those that have a queue. */
static struct watched_function sum_function, queue_sum_function;

uint16_t sum_record_function(const struct call_sum *sum)
{
	if (sum->call >= SUM_FUNCTIONS)
		return function_record_sum_id(sum->call - SUM_FUNCTIONS);
	if (sum->call >= SUM_OCCURRENCES)
		return (uint16_t)(FIRST_FUNCTION +
				  occurrence_function(sum->call - SUM_OCCURRENCES));
	return (uint16_t)(FIRST_FUNCTION + call_record_id(sum->call, sum->flags));
}

static void pack(struct packer *packer, uint16_t function, const struct call_sum *sum,
		 const struct function_name *names)
{
	const struct function_name *name;
	unsigned what;

	if (sum->call >= SUM_FUNCTIONS) {
		name = &names[sum->call - SUM_FUNCTIONS];
		def_sum_pack(packer, function, "native", name->name, false);
		def_outputs_pack(packer, 0);
		def_category_pack(packer, name->category);
	} else if (sum->call >= SUM_OCCURRENCES) {
		what = sum->call - SUM_OCCURRENCES;
		def_sum_pack(packer, function, occurrence_layer(what), occurrence_name(what),
			     occurrence_queues(what));
	} else {
		def_sum_pack(packer, function, "kernel",
			     call_record_name(call_record_id(sum->call, sum->flags)), false);
	}
}

static bool queues(const struct call_sum *sum)
{
	return sum->call >= SUM_OCCURRENCES && sum->call < SUM_FUNCTIONS &&
	       occurrence_queues(sum->call - SUM_OCCURRENCES);
}

static void describe(struct watched_function *function, uint8_t count)
{
	function->result_class = kind_class(KIND_sum);
	function->arg_count = count;
	for (unsigned i = 0; i < count; i++)
		function->arg_classes[i] = kind_class(sum_parameters[i].kind);
}

void sum_record_define(struct watched_stream *stream, const struct call_sum *sum,
		       const struct function_name *names)
{
	uint16_t function = sum_record_function(sum);
	uint8_t payload[1024];
	struct packer packer = packer_of(payload, sizeof(payload));

	describe(&sum_function, SUM_COMMON_ARGS);
	describe(&queue_sum_function, SUM_ARGS);
	watched_stream_function(stream, function,
				queues(sum) ? &queue_sum_function : &sum_function);
	pack(&packer, function, sum, names);
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
	if (sum->call >= SUM_FUNCTIONS)
		return false;
	return sum->call >= SUM_OCCURRENCES
		       ? occurrence_moves(sum->call - SUM_OCCURRENCES)
		       : call_record_moves(call_record_id(sum->call, sum->flags));
}

void sum_record_make(union sum_record_room *room, const struct sum_event *event, uint32_t file,
		     uint64_t interval, uint64_t after, uint64_t queue)
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
		.queue = queues(&event->sum) ? (int64_t)queue : -1,
	};

	memset(record, 0, sizeof(*record));
	record->function = sum_record_function(&event->sum);
	record->arg_count = (uint8_t)sum_put(record->args, &sum);
	record->size = (uint32_t)(sizeof(*record) + 8u * record->arg_count);
	record->tstart = record->tend = at;
	record->repeat = 1;
}
