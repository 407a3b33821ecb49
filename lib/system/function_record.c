/* SPDX-License-Identifier: MIT */
/* function_record.c - see function_record.h */
#include "system/function_record.h"

#include <string.h>

#include "format/defs.h"
#include "format/kinds.h"

#define FIRST_FUNCTION 2048u /* behind those of sums */
#define FIRST_SUM (FIRST_FUNCTION + FUNCTION_RECORDS_MAX)

/* No arguments, no result: the same for all. */
static const struct watched_function no_values;

uint16_t function_record_id(uint32_t number)
{
	return (uint16_t)(FIRST_FUNCTION + number);
}

uint16_t function_record_sum_id(uint32_t number)
{
	return (uint16_t)(FIRST_SUM + number);
}

void function_record_define(struct watched_stream *stream, uint32_t number,
			    const struct function_name *name)
{
	uint16_t id = function_record_id(number);
	uint8_t payload[1024];
	struct packer packer = packer_of(payload, sizeof(payload));

	watched_stream_function(stream, id, &no_values);
	def_function_pack(&packer, id, 0, "native", name->name, kind_class(KIND_none),
			  kind_name(KIND_none));
	def_outputs_pack(&packer, 0);
	def_category_pack(&packer, name->category);
	watched_stream_define(stream, DEF_FUNCTION, payload, packer_size(&packer, payload));
}

void function_record_make(struct raw_record *record, const struct function_event *event)
{
	memset(record, 0, sizeof(*record));
	record->size = sizeof(*record);
	record->function = function_record_id(event->function);
	record->level = event->level;
	record->tstart = event->begin;
	record->tend = event->head.time;
	record->repeat = 1;
	if (event->flags & FUNCTION_LEFT)
		record->flags |= RECORD_LEFT;
	if (event->flags & FUNCTION_NO_RETURN)
		record->flags |= RECORD_NORETURN;
}
