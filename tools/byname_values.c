/* SPDX-License-Identifier: MIT */
/* byname_values.c - see byname_values.h */
#include "byname_values.h"

#include <stdbool.h>
#include <string.h>

#include "byname.h"
#include "values.h"

static void put_text(struct json *json, const struct reader *trace,
		     const struct recorder_record *record, const char *key, unsigned index)
{
	char text[1024];
	size_t size = reader_arg_text(trace, record, index, text, sizeof(text));

	json_put_bytes(json, key, text, size < sizeof(text) ? size : sizeof(text) - 1);
}

static void put_value(struct json *json, const struct reader *trace,
		      const struct recorder_record *record, const char *key, unsigned index)
{
	const struct recorder_arg *arg = &record->args[index];

	if (arg->state != RECORDER_ARG_PRESENT) {
		json_put_null(json, key);
		return;
	}
	switch (value_rule(&reader_function(trace, record)->args[index])) {
	case VALUE_TRUTH:
		json_put_bool(json, key, arg->i64 != 0);
		break;
	case VALUE_DECIMAL:
		json_put_integer(json, key, arg->i64);
		break;
	case VALUE_UNSIGNED:
		json_put_unsigned(json, key, (uint64_t)arg->i64);
		break;
	case VALUE_DOUBLE:
		json_put_double(json, key, arg->f64);
		break;
	case VALUE_STRING:
	case VALUE_BARE:
		json_put_bytes(json, key, arg->bytes, arg->count);
		break;
	default:
		put_text(json, trace, record, key, index);
	}
}

static void put_result(struct json *json, const struct reader *trace,
		       const struct recorder_record *record)
{
	const struct reader_parameter *result = &reader_function(trace, record)->result;
	double number;
	char text[1024];

	if (!strcmp(result->kind, "none") || !strcmp(result->kind, "ending"))
		return;
	switch (value_rule(result)) {
	case VALUE_DECIMAL:
		json_put_integer(json, "result", record->ret);
		break;
	case VALUE_UNSIGNED:
		json_put_unsigned(json, "result", (uint64_t)record->ret);
		break;
	case VALUE_DOUBLE:
		memcpy(&number, &record->ret, sizeof(number));
		json_put_double(json, "result", number);
		break;
	default:
		reader_result_text(trace, record, text, sizeof(text));
		json_put_string(json, "result", text);
	}
}

/* "return" is no name that a function of Python can give an argument; "result" is that of native functions that return a string. */
static const char *result_key(const char *argument)
{
	if (!strcmp(argument, "return") || !strcmp(argument, "result"))
		return "result";
	return !strcmp(argument, "yield") ? "yield" : NULL;
}

/* Whether the last argument is no argument. One may be called "result": of native functions that is their result where they have no other. */
static bool ends_in_result(const struct reader_function_info *function, unsigned count)
{
	const char *name = count > 0 ? function->args[count - 1].name : "";

	if (!strcmp(function->layer, "python"))
		return result_key(name) && strcmp(name, "result") != 0;
	return !strcmp(name, "result") && !strcmp(function->result.kind, "none") &&
	       function->args[count - 1].class_ == READER_STRING;
}

void byname_values(struct json *json, const struct reader *trace,
		   const struct recorder_record *record)
{
	const struct reader_function_info *function = reader_function(trace, record);
	unsigned count =
		record->arg_count < function->arg_count ? record->arg_count : function->arg_count;
	bool result = ends_in_result(function, count);

	json_begin(json, "arguments", '{');
	for (unsigned i = 0; i + result < count; i++)
		if (!byname_is_usage(&function->args[i]))
			put_value(json, trace, record, function->args[i].name, i);
	json_end(json, '}');
	if (result)
		put_value(json, trace, record, result_key(function->args[count - 1].name),
			  count - 1);
	else if (!(record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_NORETURN)))
		put_result(json, trace, record);
}
