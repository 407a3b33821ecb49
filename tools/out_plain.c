/* SPDX-License-Identifier: MIT */
/*
 * out_plain.c - lines as out_text.c, with every value by its class alone: numbers, escaped strings, arrays. Nothing of it
 * needs to know what a value means, so the tests' second reader can print the same.
 *
 *	INT 8   PAIR 5:1   DOUBLE 0.5   STRING "a"   ARRAY [1, 2]   NULL   unreadable
 *
 * What is cut shows what the program passed: "a"...9000 and [1, 2...100 sum=5050]. errno is a number.
 */
#include "outputs.h"

#include <math.h>
#include <stdio.h>

static void put_double(struct output *output, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.17g", value);
	output_text(output, isnan(value) ? "nan" : text);
}

static void put_string(struct output *output, const struct recorder_arg *arg)
{
	output_char(output, '"');
	output_escaped(output, arg->bytes, arg->count);
	output_char(output, '"');
	if (arg->original != arg->count) {
		output_text(output, "...");
		output_u64(output, arg->original);
	}
}

static void put_array(struct output *output, const struct recorder_arg *arg)
{
	output_char(output, '[');
	for (uint32_t i = 0; i < arg->count; i++) {
		output_text(output, i ? ", " : "");
		output_i64(output, arg->elements[i]);
	}
	if (arg->original != arg->count) {
		output_text(output, "...");
		output_u64(output, arg->original);
		output_text(output, " sum=");
		output_i64(output, arg->sum);
	}
	output_char(output, ']');
}

static void put_pair(struct output *output, int64_t value, uint32_t id)
{
	output_i64(output, value);
	output_char(output, ':');
	output_u64(output, id);
}

static void put_value(struct output *output, enum reader_class class_,
		      const struct recorder_arg *arg)
{
	if (arg->state == RECORDER_ARG_ABSENT)
		output_text(output, "NULL");
	else if (arg->state == RECORDER_ARG_UNREADABLE)
		output_text(output, "unreadable");
	else if (arg->state == RECORDER_ARG_UNSET)
		output_text(output, "unset");
	else if (class_ == READER_INT)
		output_i64(output, arg->i64);
	else if (class_ == READER_PAIR)
		put_pair(output, arg->i64, arg->id);
	else if (class_ == READER_DOUBLE)
		put_double(output, arg->f64);
	else if (class_ == READER_STRING)
		put_string(output, arg);
	else if (class_ == READER_ARRAY)
		put_array(output, arg);
	else
		output_char(output, '?');
}

static void put_outcome(struct output *output, const struct reader_function_info *function,
			const struct recorder_record *record)
{
	struct recorder_arg result = {.i64 = record->ret, .id = record->ret_id};

	memcpy(&result.f64, &record->ret, sizeof(result.f64));
	if (record->flags & RECORDER_IN_FLIGHT)
		output_text(output, "? in_flight");
	else if (record->flags & RECORDER_LEFT)
		output_text(output, "? left");
	else if (record->flags & RECORDER_NORETURN)
		output_char(output, '?');
	else
		put_value(output, function->result.class_, &result);
	if (record->err && !(record->flags & RECORDER_IN_FLIGHT)) {
		output_char(output, ' ');
		output_i64(output, record->err);
	}
	out_text_run(output, record);
	output_char(output, '\n');
}

static int plain_begin(void *self, const struct walk *walk)
{
	((struct out_text *)self)->trace = walk->trace;
	return 0;
}

static int plain_call(void *self, const struct recorder_record *record)
{
	struct out_text *text = self;
	struct output *output = text->output;
	const struct reader_function_info *function = reader_function(text->trace, record);

	out_text_place(output, record);
	output_char(output, ' ');
	output_printable(output, function->layer);
	output_char(output, ' ');
	output_printable(output, function->name);
	output_char(output, '(');
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		output_text(output, i ? ", " : "");
		output_printable(output, function->args[i].name);
		output_char(output, '=');
		put_value(output, function->args[i].class_, &record->args[i]);
	}
	output_text(output, ") = ");
	put_outcome(output, function, record);
	return output->error;
}

const struct walk_ops out_plain_ops = {
	.begin = plain_begin,
	.call = plain_call,
};
