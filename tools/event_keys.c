/* SPDX-License-Identifier: MIT */
/* event_keys.c - see event_keys.h */
#include "event_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

static bool is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* Argument names that would hide one of our own keys; those of files and messages are none in calls of functions that a program or its user has named. */
static bool is_reserved(const struct reader_function_info *function, const char *name)
{
	static const char *const of_all[] = {"hhash", "level", "ret",       "errno", "pid",
					     "left",  "phase", "no_return", "stack", NULL};
	static const char *const of_calls[] = {"fhash", "file", "sent", "received", NULL};
	static const char *const named[] = {"user", "native", "python", NULL};

	return is_among(name, of_all) ||
	       (is_among(name, of_calls) && !is_among(function->layer, named));
}

void event_key_text(const struct out_events *events, struct output *output,
		    const struct reader_function_info *function,
		    const struct reader_parameter *parameter)
{
	char name[256];

	output_char(output, ',');
	snprintf(name, sizeof(name), "%s%s",
		 !events->own_names && is_reserved(function, parameter->name) ? "arg_" : "",
		 parameter->name);
	json_string(output, name, strlen(name), events->ascii);
	output_char(output, ':');
}

static void put_layer(const struct out_events *events, struct output *output, const char *layer,
		      bool upper)
{
	char name[256];

	snprintf(name, sizeof(name), "%s", layer);
	for (char *p = name; upper && *p; p++)
		*p = (char)toupper((unsigned char)*p);
	json_string(output, name, strlen(name), events->ascii);
}

/* What DFTracer 2 calls the kind of an event. */
static int type_of(const char *layer)
{
	static const struct {
		const char *layer;
		int type;
	} types[] = {{"posix", 3}, {"stdio", 3},  {"net", 3},  {"thread", 3}, {"mem", 3},
		     {"mpi", 10},  {"mpiio", 10}, {"hdf5", 5}, {"python", 6}};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].layer, layer))
			return types[i].type;
	return 9; /* of the program */
}

void event_head_text(const struct out_events *events, struct output *output,
		     const struct reader_function_info *function, bool upper)
{
	output_text(output, "\"name\":");
	json_string(output, function->name, strlen(function->name), events->ascii);
	output_text(output, ",\"cat\":");
	if (*function->category)
		json_string(output, function->category, strlen(function->category), events->ascii);
	else
		put_layer(events, output, function->layer, upper);
	if (events->later) {
		output_text(output, ",\"type\":");
		output_i64(output, type_of(function->layer));
	}
}
