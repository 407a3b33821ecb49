/* SPDX-License-Identifier: MIT */
/* event_values.c - see event_values.h */
#include "event_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "value_texts.h"

#define TEXT_MAX (64u << 10)      /* of a value that the reader shows: 4 KiB, escaped */
#define EXACT_MAX 999999999999999 /* what is a number in JSON, not a text, see is_number() */

/* What JSON takes as a number and a double holds exactly. */
static bool is_number(const char *text, size_t size)
{
	size_t digits = size - (size > 0 && text[0] == '-');

	if (digits == 0 || digits > 15 || (digits > 1 && text[size - digits] == '0'))
		return false;
	for (size_t i = size - digits; i < size; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return true;
}

static void put_text(struct out_events *events, const char *text, size_t size)
{
	if (is_number(text, size))
		output_bytes(events->output, text, size);
	else
		json_string(events->output, text, size, events->ascii);
}

static void put_arg_text(struct out_events *events, const struct recorder_record *record,
			 unsigned index)
{
	char small[512];
	size_t size = reader_arg_text(events->trace, record, index, small, sizeof(small));
	char *large;

	if (size < sizeof(small)) {
		put_text(events, small, size);
		return;
	}
	large = malloc(TEXT_MAX);
	if (!large) {
		put_text(events, small, sizeof(small) - 1);
		return;
	}
	size = reader_arg_text(events->trace, record, index, large, TEXT_MAX);
	put_text(events, large, size < TEXT_MAX ? size : TEXT_MAX - 1);
	free(large);
}

/* A text that depends on the value alone. */
static bool is_of_value(enum value_rule rule)
{
	switch (rule) {
	case VALUE_HEX:
	case VALUE_HEX_SYMBOL:
	case VALUE_ERRNO:
	case VALUE_FLAGS:
	case VALUE_OCTAL:
	case VALUE_SYMBOL:
	case VALUE_HANDLE:
		return true;
	default:
		return false;
	}
}

static void put_result_text(struct out_events *events, const struct recorder_record *record)
{
	char text[512];
	size_t size = reader_result_text(events->trace, record, text, sizeof(text));

	put_text(events, text, size < sizeof(text) ? size : sizeof(text) - 1);
}

static void put_unkept(struct out_events *events, const struct recorder_record *record,
		       unsigned index)
{
	if (index == VALUE_TEXT_RESULT)
		put_result_text(events, record);
	else
		put_arg_text(events, record, index);
}

/* The text of an argument or, VALUE_TEXT_RESULT, of the result, which is as it was for the same value before. */
static void put_kept(struct out_events *events, const struct recorder_record *record,
		     unsigned index, int64_t value)
{
	struct value_place place = {record->stream, record->func_id, (uint16_t)index, value};
	struct value_text *text = value_texts_at(events->value_texts, &place);
	struct output *output = events->output;
	struct output kept = output_scratch(text->bytes, sizeof(text->bytes));

	if (!value_text_is_of(text, &place)) {
		events->output = &kept;
		put_unkept(events, record, index);
		events->output = output;
		text->of = place;
		text->size = kept.error ? 0 : (unsigned)(kept.next - kept.buffer);
	}
	if (text->size > 0)
		output_bytes(output, text->bytes, text->size);
	else
		put_unkept(events, record, index);
}

static void put_elements(struct output *output, const struct recorder_arg *arg)
{
	output_char(output, '[');
	for (uint32_t i = 0; i < arg->count; i++) {
		if (i > 0)
			output_char(output, ',');
		json_integer(output, arg->elements[i]);
	}
	output_char(output, ']');
}

bool event_value_is_number(const struct out_events *events, enum value_rule rule)
{
	switch (rule) {
	case VALUE_NONE:
	case VALUE_DECIMAL:
	case VALUE_FD:
	case VALUE_NUMBER:
		return true;
	case VALUE_HEX:
	case VALUE_HEX_SYMBOL:
	case VALUE_BY_COMMAND:
	case VALUE_ERRNO:
	case VALUE_FLAGS:
	case VALUE_OCTAL:
	case VALUE_SYMBOL:
		return events->numeric;
	default:
		return false;
	}
}

/* A path without its quotes. */
static void put_mapped(struct out_events *events, const struct recorder_record *record,
		       const struct recorder_arg *arg)
{
	struct reader_file file;

	if (reader_file(events->trace, record->stream, arg->id, &file))
		output_text(events->output, "null");
	else
		json_string(events->output, file.path, strlen(file.path), events->ascii);
}

void event_arg_value(struct out_events *events, const struct recorder_record *record,
		     unsigned index, enum value_rule rule)
{
	const struct recorder_arg *arg = &record->args[index];

	if (arg->state == RECORDER_ARG_ABSENT || arg->state == RECORDER_ARG_UNSET)
		output_text(events->output, "null");
	else if (arg->state != RECORDER_ARG_PRESENT)
		put_arg_text(events, record, index);
	else if (event_value_is_number(events, rule))
		json_integer(events->output, arg->i64);
	else if (rule == VALUE_UNSIGNED)
		json_unsigned(events->output, (uint64_t)arg->i64);
	else if (rule == VALUE_DOUBLE)
		json_double(events->output, arg->f64);
	else if (rule == VALUE_MAPPED)
		put_mapped(events, record, arg);
	else if (rule == VALUE_STRING || rule == VALUE_BARE)
		json_string(events->output, arg->bytes, arg->count, events->ascii);
	else if (rule == VALUE_TRUTH)
		output_text(events->output, arg->i64 ? "true" : "false");
	else if (rule == VALUE_DECIMALS)
		put_elements(events->output, arg);
	else if (rule == VALUE_REQUEST && arg->i64 > 0 && arg->i64 <= EXACT_MAX)
		output_u64(events->output, (uint64_t)arg->i64);
	else if (is_of_value(rule))
		put_kept(events, record, index, arg->i64);
	else
		put_arg_text(events, record, index);
}

void event_result_value(struct out_events *events, const struct recorder_record *record,
			enum value_rule rule)
{
	double number;

	if (event_value_is_number(events, rule)) {
		json_integer(events->output, record->ret);
	} else if (rule == VALUE_DOUBLE) {
		memcpy(&number, &record->ret, sizeof(number));
		json_double(events->output, number);
	} else if (rule == VALUE_UNSIGNED) {
		json_unsigned(events->output, (uint64_t)record->ret);
	} else if (is_of_value(rule)) {
		put_kept(events, record, VALUE_TEXT_RESULT, record->ret);
	} else {
		put_result_text(events, record);
	}
}
