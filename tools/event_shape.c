/* SPDX-License-Identifier: MIT */
/* event_shape.c - see event_shape.h */
#include "event_shape.h"

#include <string.h>

#include "event_values.h"
#include "meaning.h"

static bool is_of_kind(const struct reader_parameter *parameter, const char *kind)
{
	return strcmp(parameter->kind, kind) == 0;
}

/* Whether another number in its place makes no other difference. */
static bool is_number_alone(const struct out_events *events, unsigned id,
			    const struct reader_parameter *parameter)
{
	if (meaning_has(events->meaning, (uint16_t)id))
		return is_of_kind(parameter, "tag") || is_of_kind(parameter, "request");
	return event_value_is_number(events, value_rule(parameter));
}

static bool fits(const struct out_events *events, unsigned id)
{
	const struct reader_function_info *function = reader_function_by_id(events->trace, id);
	bool fit =
		function->arg_count <= EVENT_SHAPE_ARGS &&
		(function->result.class_ == READER_INT || function->result.class_ == READER_PAIR) &&
		(!meaning_has(events->meaning, (uint16_t)id) ||
		 meaning_is_of_arguments(events->meaning, (uint16_t)id));

	for (unsigned i = 0; i < function->arg_count; i++)
		fit = fit && function->args[i].class_ != READER_STRING &&
		      function->args[i].class_ != READER_DOUBLE;
	return fit;
}

struct event_shape event_shape_of(const struct out_events *events, unsigned id)
{
	const struct reader_function_info *function = reader_function_by_id(events->trace, id);
	struct event_shape shape = {.fits = fits(events, id), .arg_count = function->arg_count};

	if (!shape.fits)
		return shape;
	shape.has_result = value_rule(&function->result) != VALUE_NONE;
	shape.result = shape.has_result && is_number_alone(events, id, &function->result);
	for (unsigned i = 0; i < function->arg_count; i++) {
		const struct reader_parameter *arg = &function->args[i];

		shape.arrays |= (uint32_t)(arg->class_ == READER_ARRAY) << i;
		if (arg->class_ == READER_ARRAY || !is_number_alone(events, id, arg) ||
		    shape.result + shape.source_count == EVENT_NUMBERS)
			continue;
		shape.numbers |= 1u << i;
		shape.named |= (uint32_t)(value_rule(arg) == VALUE_REQUEST) << i;
		shape.sources[shape.source_count++] = (uint8_t)i;
	}
	shape.has_same = !shape.result || shape.named || shape.source_count < shape.arg_count;
	return shape;
}
