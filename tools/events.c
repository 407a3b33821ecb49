/* SPDX-License-Identifier: MIT */
/* events.c - see events.h */
#include "events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bandwidth.h"
#include "callstacks.h"
#include "calltags.h"
#include "causes.h"
#include "event_keys.h"
#include "event_meaning.h"
#include "event_values.h"
#include "follow.h"
#include "json.h"
#include "lines.h"
#include "links.h"
#include "marks.h"
#include "meaning.h"
#include "names.h"
#include "value_texts.h"
#include "values.h"

struct event_key {
	char *bytes; /* ,"count": */
	size_t size;
	enum value_rule rule;
};

struct event_function {
	char *head; /* "name":"pwrite","cat":"POSIX" */
	size_t head_size;
	struct event_key *args;
	unsigned arg_count;
	enum value_rule result;
	struct event_shape shape;
};

/* Preparing ------------------------------------------------------------------- */

static char *scratch_copy(const struct output *scratch, size_t *size)
{
	char *copy;

	*size = (size_t)(scratch->next - scratch->buffer);
	copy = malloc(*size + 1);
	if (copy)
		memcpy(copy, scratch->buffer, *size);
	return copy;
}

/* Six times a name of 64 KiB, the longest there is. */
#define SCRATCH_SIZE (6 * (64u << 10) * 2 + 64)

static int key_make(struct out_events *events, struct event_key *key, char *buffer,
		    const struct reader_function_info *function,
		    const struct reader_parameter *parameter)
{
	struct output scratch = output_scratch(buffer, SCRATCH_SIZE);

	event_key_text(events, &scratch, function, parameter);
	key->bytes = scratch_copy(&scratch, &key->size);
	key->rule = value_rule(parameter);
	return key->bytes ? 0 : -ENOMEM;
}

static int function_make(struct out_events *events, struct event_function *made, char *buffer,
			 const struct reader_function_info *function, bool upper)
{
	struct output scratch = output_scratch(buffer, SCRATCH_SIZE);

	event_head_text(events, &scratch, function, upper);
	made->head = scratch_copy(&scratch, &made->head_size);
	made->args = calloc(function->arg_count + 1, sizeof(*made->args));
	if (!made->head || !made->args)
		return -ENOMEM;
	for (; made->arg_count < function->arg_count; made->arg_count++)
		if (key_make(events, &made->args[made->arg_count], buffer, function,
			     &function->args[made->arg_count]))
			return -ENOMEM;
	made->result = value_rule(&function->result);
	return 0;
}

int events_begin(struct out_events *events, const struct walk *walk, bool upper)
{
	unsigned count = reader_function_count(walk->trace);
	char *buffer = malloc(SCRATCH_SIZE);
	int error = buffer ? 0 : -ENOMEM;

	events->trace = walk->trace;
	events->info = walk->info;
	events->start = walk->info.start;
	events->lanes = lanes_new(walk->trace);
	events->meaning = meaning_new(walk->trace);
	events->value_texts = value_texts_new();
	events->hosts = calloc(walk->info.streams + 1, sizeof(*events->hosts));
	events->functions = calloc(count + 1, sizeof(*events->functions));
	events->marks = marks_of(walk->trace);
	if (!events->lanes || !events->meaning || !events->value_texts || !events->hosts ||
	    !events->functions || !events->marks)
		error = -ENOMEM;
	for (; events->function_count < count && !error; events->function_count++)
		error = function_make(events, &events->functions[events->function_count], buffer,
				      reader_function_by_id(walk->trace, events->function_count),
				      upper);
	for (unsigned i = 0; i < count && !error; i++)
		events->functions[i].shape = event_shape_of(events, i);
	if (!events->no_args && !events->own_names)
		events->tags = calltags_new(walk->trace, events->files != NULL);
	if (!events->no_args && !events->own_names && !events->tags && errno)
		error = -errno;
	if (events->show_stacks)
		events->callstacks = callstacks_new(walk->trace, callsites_shared(walk->trace));
	if (events->show_stacks && !events->callstacks)
		error = -ENOMEM;
	free(buffer);
	return error;
}

void out_events_release(struct out_events *events)
{
	for (unsigned i = 0; i < events->function_count; i++) {
		struct event_function *function = &events->functions[i];

		for (unsigned k = 0; k < function->arg_count; k++)
			free(function->args[k].bytes);
		free(function->args);
		free(function->head);
	}
	free(events->functions);
	free(events->marks);
	free(events->hosts);
	free(events->given);
	lanes_free(events->lanes);
	lines_free(events->line_cache);
	meaning_free(events->meaning);
	value_texts_free(events->value_texts);
	callstacks_free(events->callstacks);
	calltags_free(events->tags);
	links_free(events->links);
	bandwidth_free(events->bandwidth);
	causes_free(events->causes);
	events->callstacks = NULL;
	events->tags = NULL;
	events->links = NULL;
	events->bandwidth = NULL;
	events->causes = NULL;
	events->functions = NULL;
	events->marks = NULL;
	events->function_count = 0;
	events->hosts = NULL;
	events->given = NULL;
	events->lanes = NULL;
	events->line_cache = NULL;
	events->meaning = NULL;
	events->value_texts = NULL;
}

/* Events ------------------------------------------------------------------------ */

void event_name(struct out_events *events, const struct recorder_record *record)
{
	const struct event_function *function = &events->functions[record->func_id];

	output_bytes(events->output, function->head, function->head_size);
}

void event_number(struct out_events *events, const char *key, int64_t value)
{
	output_text(events->output, key);
	output_i64(events->output, value);
}

void event_string(struct out_events *events, const char *key, const char *bytes, size_t size)
{
	output_text(events->output, key);
	json_string(events->output, bytes, size, events->ascii);
}

bool event_begin_name(struct out_events *events, uint64_t key)
{
	if (!names_begin(events->names, key))
		return false;
	events->body = events->output;
	events->output = &events->names->text;
	return true;
}

void event_end_name(struct out_events *events, uint64_t key)
{
	events->output = events->body;
	names_add(events->names, key);
}

static void put_times_summed(struct output *output, const struct recorder_record *record)
{
	if (record->flags & RECORDER_TIMES_SUMMED)
		output_text(output, ",\"times\":\"summed\"");
}

static void put_outcome(struct out_events *events, const struct event_function *function,
			const struct recorder_record *record)
{
	struct output *output = events->output;

	if (record->flags & RECORDER_LEFT) {
		output_text(output, ",\"left\":true");
	} else if (record->flags & (RECORDER_NORETURN | RECORDER_IN_FLIGHT)) {
		output_text(output, ",\"no_return\":true");
	} else if (function->result != VALUE_NONE) {
		output_text(output, ",\"ret\":");
		event_result_value(events, record, function->result);
	}
	if (record->flags & (RECORDER_BEFORE_MAIN | RECORDER_AFTER_MAIN))
		output_text(output, record->flags & RECORDER_BEFORE_MAIN
					    ? ",\"phase\":\"before_main\""
					    : ",\"phase\":\"after_main\"");
	put_times_summed(output, record);
	if (record->err) {
		const char *name = reader_errno_name(events->trace, record);

		event_string(events, ",\"errno\":", name, strlen(name));
	}
}

/* Microseconds, rounded down also before 1970. */
int64_t event_unix_us(const struct out_events *events, int64_t ns)
{
	ns += events->start;
	return ns / 1000 - (ns % 1000 < 0);
}

/* Of the key of an argument another one: ,"path": gives ,"path_length": */
static void put_derived(struct out_events *events, const struct event_key *key, const char *end)
{
	output_bytes(events->output, key->bytes, key->size - 2);
	output_text(events->output, end);
}

/* A cut value says how long it was: ,"path_length":9000 or ,"counts_length":1000. */
static void put_original(struct out_events *events, const struct event_key *key,
			 const struct recorder_arg *arg)
{
	put_derived(events, key, "_length\":");
	output_u64(events->output, arg->original);
}

void event_derived_key(struct out_events *events, uint16_t func_id, unsigned arg, const char *end)
{
	put_derived(events, &events->functions[func_id].args[arg], end);
}

/* ,"count":8 or, as the first one, without the comma. */
static void put_arg(struct out_events *events, const struct event_key *key,
		    const struct recorder_record *record, unsigned index, bool first)
{
	const struct recorder_arg *arg = &record->args[index];

	output_bytes(events->output, key->bytes + first, key->size - first);
	event_arg_value(events, record, index, key->rule);
	if (arg->original > arg->count && arg->state == RECORDER_ARG_PRESENT)
		put_original(events, key, arg);
}

void event_values(struct out_events *events, const struct recorder_record *record, uint64_t without)
{
	const struct event_function *function = &events->functions[record->func_id];
	bool first = true;

	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		if (i < 64 && without >> i & 1)
			continue;
		put_arg(events, &function->args[i], record, i, first);
		first = false;
	}
}

/* What a call of MPI means. 0 or a negative errno. */
static int put_meaning(struct out_events *events, const struct recorder_record *record)
{
	struct meaning_call call;

	if (!meaning_has(events->meaning, record->func_id))
		return 0;
	if (meaning_of_taken(events->meaning, record, &call))
		return -ENOMEM;
	events->traffic = call.traffic;
	event_meaning(events, record, &call);
	return 0;
}

int event_args(struct out_events *events, const struct recorder_record *record)
{
	const struct event_function *function = &events->functions[record->func_id];
	int error;

	events->traffic = (struct reader_traffic){-1, -1};
	output_text(events->output, "\"level\":");
	output_u64(events->output, record->level);
	put_outcome(events, function, record);
	if (record->repeat > 1) {
		event_number(events, ",\"repeat\":", record->repeat);
		event_number(events, ",\"busy\":", record->busy / 1000);
	}
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++)
		put_arg(events, &function->args[i], record, i, false);
	error = put_meaning(events, record);
	if (error)
		return error;
	if (events->tags) {
		int found = calltags_find(events->tags, record);

		if (found < 0)
			return found;
		calltags_json(events->tags, events->output);
	}
	if (events->callstacks && record->stack) {
		const struct callstack *stack =
			callstacks_find(events->callstacks, record->stream, record->stack);

		return stack ? callstack_json(stack, events->output, events->ascii) : -ENOMEM;
	}
	return 0;
}

int events_note(struct out_events *events, const struct recorder_record *record)
{
	if (events->follow && meaning_follows(events->meaning, record->func_id))
		return follow_take(events->follow, record);
	return meaning_has(events->meaning, record->func_id) ? meaning_take(events->meaning, record)
							     : 0;
}

int events_pass(struct out_events *events, const struct recorder_record *record)
{
	struct lane lane;

	if (!(events->top && lane_behind(events->top, record)) &&
	    lanes_place(events->lanes, record, &lane))
		return -ENOMEM;
	return events->no_args ? 0 : follow_take(events->follow, record);
}

/* Calls that differ in numbers alone --------------------------------------------- */

const struct event_shape *event_shape(const struct out_events *events, uint16_t func_id)
{
	return &events->functions[func_id].shape;
}

size_t events_line_size(const struct out_events *events, uint16_t func_id)
{
	const struct event_function *function = &events->functions[func_id];
	size_t size = function->head_size + 24;

	for (unsigned i = 0; i < function->arg_count; i++)
		size += function->args[i].size + 24;
	return size;
}

int event_shape_args(struct out_events *events, const struct recorder_record *record,
		     const char *places[2 * EVENT_NUMBERS])
{
	const struct event_function *function = &events->functions[record->func_id];
	struct output *output = events->output;
	const char **place = places;
	int error;

	event_number(events, "\"level\":", record->level);
	if (function->shape.has_result) {
		output_text(output, ",\"ret\":");
		if (function->shape.result)
			*place++ = output->next;
		event_result_value(events, record, function->result);
		if (function->shape.result)
			*place++ = output->next;
	}
	put_times_summed(output, record);
	for (unsigned i = 0; i < record->arg_count; i++) {
		output_bytes(output, function->args[i].bytes, function->args[i].size);
		if (!(function->shape.numbers >> i & 1)) {
			event_arg_value(events, record, i, function->args[i].rule);
			continue;
		}
		*place++ = output->next;
		json_integer(output, record->args[i].i64);
		*place++ = output->next;
	}
	error = put_meaning(events, record);
	return error ? error : (int)(place - places) / 2;
}

void event_rank_name(const struct reader_stream *stream, const char *word, char *name, size_t size)
{
	int used = stream->world > 0 ? snprintf(name, size, "world %d ", (int)stream->world) : 0;

	snprintf(name + used, size - (size_t)used, "%s %d%s", word, (int)stream->rank,
		 stream->main ? "" : " child");
}

void event_lane_name(const struct lane *lane, uint32_t tid, char *name, size_t size)
{
	const char *suffix = lane->signal                    ? ", signal handlers"
			     : lane->number && lane->beneath ? ", from outside"
			     : lane->number                  ? ", overlapping"
							     : "";

	const char *of = *lane->library ? " of " : "";

	if (*lane->thread_name)
		snprintf(name, size, "%s%s%s%s", lane->thread_name, of, lane->library, suffix);
	else
		snprintf(name, size, "thread %u%s%s%s", tid, of, lane->library, suffix);
}
