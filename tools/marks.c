/* SPDX-License-Identifier: MIT */
/* marks.c - see marks.h */
#include "marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

static enum mark mark_of(const char *kind)
{
	static const char *const kinds[] = {
		[MARK_INSTANT] = "instant",       [MARK_COUNTER] = "counter",
		[MARK_SPAN_BEGIN] = "span_begin", [MARK_SPAN_END] = "span_end",
		[MARK_METADATA] = "metadata",     [MARK_SUM] = "sum"};

	for (unsigned i = MARK_INSTANT; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i], kind))
			return (enum mark)i;
	return MARK_NONE;
}

uint8_t *marks_of(const struct reader *trace)
{
	unsigned count = reader_function_count(trace);
	uint8_t *marks = calloc(count + 1, sizeof(*marks));

	for (unsigned i = 0; i < count && marks; i++)
		marks[i] = (uint8_t)mark_of(reader_function_by_id(trace, i)->result.kind);
	return marks;
}

size_t mark_name(const struct out_events *events, const struct recorder_record *record,
		 const char **name)
{
	const struct reader_function_info *function = reader_function(events->trace, record);

	*name = function->name;
	if (record->arg_count < 2 || strcmp(function->name, "other") != 0 ||
	    record->args[0].state != RECORDER_ARG_PRESENT ||
	    function->args[0].class_ != READER_STRING)
		return strlen(function->name);
	*name = record->args[0].bytes;
	return record->args[0].count;
}

/* The last one; NULL: there is none. */
static const struct recorder_arg *said(const struct recorder_record *record)
{
	const struct recorder_arg *arg =
		record->arg_count ? &record->args[record->arg_count - 1] : NULL;

	return arg && arg->state == RECORDER_ARG_PRESENT ? arg : NULL;
}

bool mark_is_sample(const struct out_events *events, const struct recorder_record *record)
{
	return !strcmp(reader_function(events->trace, record)->layer, "sample");
}

void mark_value(struct out_events *events, const struct recorder_record *record)
{
	const struct reader_function_info *function = reader_function(events->trace, record);
	const struct recorder_arg *arg = said(record);

	if (!arg || record->arg_count > function->arg_count)
		output_text(events->output, "null");
	else if (function->args[record->arg_count - 1].class_ == READER_STRING)
		json_string(events->output, arg->bytes, arg->count, events->ascii);
	else if (function->args[record->arg_count - 1].class_ == READER_DOUBLE)
		json_double(events->output, arg->f64);
	else
		json_integer(events->output, arg->i64);
}

void mark_id(struct out_events *events, const struct recorder_record *record)
{
	const struct recorder_arg *arg = said(record);
	char text[48];

	snprintf(text, sizeof(text), ",\"id2\":{\"local\":\"0x%" PRIx64 "\"}",
		 arg ? (uint64_t)arg->i64 : 0);
	output_text(events->output, text);
}
