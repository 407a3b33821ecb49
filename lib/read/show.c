/* SPDX-License-Identifier: MIT */
/* show.c - arguments and results as text, by the rules of the kinds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/by_command.h"
#include "read/show_names.h"
#include "read/show_objects.h"
#include "read/show_structs.h"
#include "read/symbols.h"
#include "read/text_out.h"
#include "read/trace.h"

enum rule {
	RULE_NONE,
	RULE_DECIMAL,
	RULE_UNSIGNED,
	RULE_HEX,
	RULE_HEX_SYMBOL,
	RULE_BY_COMMAND,
	RULE_FLOCK,
	RULE_OCTAL,
	RULE_DOUBLE,
	RULE_ERRNO,
	RULE_SYMBOL,
	RULE_FLAGS,
	RULE_FD,
	RULE_MAPPED,
	RULE_DEVICE,
	RULE_HANDLE,
	RULE_REQUEST,
	RULE_NUMBER,
	RULE_STRING,
	RULE_BARE,
	RULE_TRUTH,
	RULE_STRINGS,
	RULE_DECIMALS,
	RULE_FDS,
	RULE_SYMBOLS,
	RULE_HANDLES,
	RULE_STATUSES,
	RULE_OBJECT,
	RULE_NUMBERED,
	RULE_UNKNOWN, /* a class of a later version */
};

static const uint8_t kind_rules[KIND_COUNT] = {
#define KIND(name, class, text) RULE_##text,
	FORMAT_KINDS(KIND)
#undef KIND
};

/* Strings separated by zero bytes. */
static void put_strings(struct text_out *out, const struct recorder_arg *arg)
{
	const char *p = arg->bytes, *end = arg->bytes + arg->count;

	text_out_char(out, '[');
	while (p < end) {
		size_t length = strnlen(p, (size_t)(end - p));

		if (p > arg->bytes)
			text_out_add(out, ", ");
		text_out_string(out, p, length);
		p += length + 1;
	}
	text_out_add(out, arg->original > arg->count ? "...]" : "]");
}

static void put_request(struct text_out *out, int64_t value)
{
	if (value == 0)
		text_out_add(out, "MPI_REQUEST_NULL");
	else
		text_out_decimal(out, value);
}

static void put_number(struct text_out *out, int64_t value)
{
	if (value == 0)
		text_out_add(out, "NULL");
	else if (value < 0)
		text_out_char(out, '?');
	else
		text_out_decimal(out, value);
}

static void put_element(struct text_out *out, const struct shown *shown, enum rule rule,
			int64_t value)
{
	const struct recorder_arg pair = {.i64 = (int32_t)value,
					  .id = (uint32_t)((uint64_t)value >> 32)};
	struct shown element = *shown;

	if (rule == RULE_HANDLES) {
		element.kind = KIND_datatype;
		element.kind_name = "datatype";
		show_handle(out, &element, value);
	} else if (rule == RULE_FDS) {
		element.arg = &pair;
		show_fd(out, &element);
	} else if (rule == RULE_SYMBOLS) {
		show_symbol(out, shown, value);
	} else {
		text_out_decimal(out, value);
	}
}

static void put_elements(struct text_out *out, const struct shown *shown, enum rule rule)
{
	const struct recorder_arg *arg = shown->arg;

	text_out_char(out, '[');
	for (uint32_t i = 0; i < arg->count; i++) {
		text_out_add(out, i ? ", " : "");
		put_element(out, shown, rule, arg->elements[i]);
	}
	show_cut(out, arg->count, arg->original);
	text_out_char(out, ']');
}

static void put_pointer(struct text_out *out, int64_t value)
{
	if (value == 0)
		text_out_add(out, "NULL");
	else if (value == -1)
		text_out_add(out, "MAP_FAILED");
	else
		text_out_hex(out, (uint64_t)value);
}

/* A kind that a command decides on: which one it is in this record. */
static void follow_command(struct shown *shown, const struct recorder_record *record)
{
	int kind = by_command_kind(shown->stream->symbols, shown->kind, record);

	if (kind < 0)
		return;
	shown->kind = kind;
	shown->kind_name = kind_name((enum kind)kind);
}

/* Kinds that are not known are shown by their class. */
static enum rule rule_of(int kind, enum reader_class class)
{
	if (kind >= 0)
		return (enum rule)kind_rules[kind];
	switch (class) {
	case READER_INT:
		return RULE_DECIMAL;
	case READER_PAIR:
		return RULE_FD;
	case READER_DOUBLE:
		return RULE_DOUBLE;
	case READER_STRING:
		return RULE_STRING;
	case READER_ARRAY:
		return RULE_DECIMALS;
	}
	return RULE_UNKNOWN;
}

/* Major and minor number, of stat(2)'s st_dev. */
static void put_device(struct text_out *out, int64_t value)
{
	text_out_unsigned(out, major((uint64_t)value));
	text_out_char(out, ':');
	text_out_unsigned(out, minor((uint64_t)value));
}

static void put_value(struct text_out *out, const struct shown *shown, enum rule rule)
{
	const struct recorder_arg *arg = shown->arg;

	switch (rule) {
	case RULE_NONE:
	case RULE_DECIMAL:
		text_out_decimal(out, arg->i64);
		break;
	case RULE_UNSIGNED:
		text_out_unsigned(out, (uint64_t)arg->i64);
		break;
	case RULE_HEX:
		if (shown->kind == KIND_pointer)
			put_pointer(out, arg->i64);
		else
			text_out_hex(out, (uint64_t)arg->i64);
		break;
	case RULE_HEX_SYMBOL:
		show_hex_symbol(out, shown, (uint64_t)arg->i64);
		break;
	case RULE_BY_COMMAND: /* of a command that is not there */
		text_out_decimal(out, arg->i64);
		break;
	case RULE_FLOCK:
		if (arg->count == FLOCK_WORDS)
			show_flock(out, shown);
		else
			put_elements(out, shown, RULE_DECIMALS);
		break;
	case RULE_OCTAL:
		text_out_octal(out, (uint64_t)arg->i64);
		break;
	case RULE_DOUBLE:
		text_out_double(out, arg->f64);
		break;
	case RULE_ERRNO:
	case RULE_SYMBOL:
		show_symbol(out, shown, arg->i64);
		break;
	case RULE_FLAGS:
		show_flags(out, shown, (uint64_t)arg->i64 & UINT32_MAX);
		break;
	case RULE_FD:
		show_fd(out, shown);
		break;
	case RULE_MAPPED:
		show_mapped(out, shown);
		break;
	case RULE_DEVICE:
		put_device(out, arg->i64);
		break;
	case RULE_HANDLE:
		show_handle(out, shown, arg->i64);
		break;
	case RULE_REQUEST:
		put_request(out, arg->i64);
		break;
	case RULE_NUMBER:
		put_number(out, arg->i64);
		break;
	case RULE_STRING:
		text_out_string(out, arg->bytes, arg->count);
		text_out_add(out, arg->original > arg->count ? "..." : "");
		break;
	case RULE_TRUTH:
		text_out_add(out, arg->i64 ? "True" : "False");
		break;
	case RULE_BARE:
		show_bare(out, arg);
		break;
	case RULE_STRINGS:
		put_strings(out, arg);
		break;
	case RULE_DECIMALS:
	case RULE_HANDLES:
	case RULE_FDS:
	case RULE_SYMBOLS:
		put_elements(out, shown, rule);
		break;
	case RULE_STATUSES:
		if (arg->count % 4 == 0)
			show_statuses(out, shown);
		else
			put_elements(out, shown, RULE_DECIMALS);
		break;
	case RULE_OBJECT:
		show_object(out, shown);
		break;
	case RULE_NUMBERED:
		show_numbered(out, shown);
		break;
	case RULE_UNKNOWN:
		text_out_char(out, '?');
		break;
	}
}

static const struct function *function_of(const struct reader *trace,
					  const struct recorder_record *record)
{
	return record->func_id < trace->functions.count ? trace->functions.items[record->func_id]
							: NULL;
}

size_t reader_arg_text(const struct reader *trace, const struct recorder_record *record,
		       unsigned index, char *buffer, size_t size)
{
	const struct function *function = function_of(trace, record);
	struct text_out out = {buffer, size, 0};
	struct shown shown;

	if (!function || index >= record->arg_count || index >= function->info.arg_count ||
	    record->stream >= trace->stream_count)
		return text_out_end(&out);
	shown = (struct shown){
		.stream = trace->streams[record->stream],
		.arg = &record->args[index],
		.kind_name = function->info.args[index].kind,
		.kind = function->kinds[index],
	};
	follow_command(&shown, record);
	if (shown.arg->state == RECORDER_ARG_ABSENT)
		text_out_add(&out, shown.kind == KIND_value ? "None" : "NULL");
	else if (shown.arg->state != RECORDER_ARG_PRESENT)
		text_out_char(&out, '?');
	else
		put_value(&out, &shown, rule_of(shown.kind, function->info.args[index].class_));
	return text_out_end(&out);
}

/* Where no result is kept, or of what is no call: "instant", "counter". */
static const char *word_for_none(const struct shown *shown)
{
	return shown->kind == KIND_none ? "-" : shown->kind_name;
}

size_t reader_result_text(const struct reader *trace, const struct recorder_record *record,
			  char *buffer, size_t size)
{
	const struct function *function = function_of(trace, record);
	struct recorder_arg result = {.i64 = record->ret, .id = record->ret_id};
	struct text_out out = {buffer, size, 0};
	struct shown shown;
	enum rule rule;

	if (!function || record->stream >= trace->stream_count)
		return text_out_end(&out);
	memcpy(&result.f64, &record->ret, sizeof(result.f64));
	shown = (struct shown){
		.stream = trace->streams[record->stream],
		.arg = &result,
		.kind_name = function->info.result.kind,
		.kind = function->result_kind,
	};
	follow_command(&shown, record);
	rule = rule_of(shown.kind, function->info.result.class_);
	if (rule == RULE_UNKNOWN) {
		text_out_char(&out, '?');
		return text_out_end(&out);
	}
	if (rule == RULE_NONE) {
		text_out_add(&out, word_for_none(&shown));
		return text_out_end(&out);
	}
	/* The name of the error is shown behind the result anyway. */
	put_value(&out, &shown, rule == RULE_ERRNO ? RULE_DECIMAL : rule);
	return text_out_end(&out);
}

const char *reader_errno_name(const struct reader *trace, const struct recorder_record *record)
{
	static __thread char number[16];
	const struct symbols *own = NULL;
	const char *name;

	if (record->stream < trace->stream_count)
		own = trace->streams[record->stream]->symbols;
	name = symbol_name(symbols_of(own, KIND_errnum), record->err);
	if (name)
		return name;
	snprintf(number, sizeof(number), "%d", record->err);
	return number;
}
