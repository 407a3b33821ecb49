/* SPDX-License-Identifier: MIT */
/*
 * text_more.c - what recorder2text shows in braces behind a record if it is asked for.
 *
 *	... MPI_Wait(request=17, status={source=1, tag=7, bytes=4}) = MPI_SUCCESS {status_world=5, sent=0, received=4, completes=[17 MPI_Irecv 1.250000100]}
 */
#include "text_more.h"

#include <errno.h>
#include <string.h>

#include "callsites.h"
#include "callstacks.h"
#include "calltags.h"
#include "meaning.h"

/* What goes before the next word: " {" or ", ". */
struct more {
	struct output *output;
	bool begun;
};

static void put_key(struct more *more, const char *name, const char *end)
{
	output_text(more->output, more->begun ? ", " : " {");
	more->begun = true;
	output_text(more->output, name);
	output_text(more->output, end);
}

static void put_number(struct more *more, const char *name, const char *end, int64_t value)
{
	put_key(more, name, end);
	output_i64(more->output, value);
}

static void put_string(struct more *more, const char *name, const char *text)
{
	put_key(more, name, "=");
	output_char(more->output, '"');
	output_escaped(more->output, text, strlen(text));
	output_char(more->output, '"');
}

/* As records have it: the world only where it is another one. */
static void put_process(struct more *more, struct reader_process process, int32_t own_world)
{
	if (process.rank < 0) {
		output_char(more->output, '?');
		return;
	}
	if (process.world != own_world) {
		output_i64(more->output, process.world);
		output_char(more->output, ':');
	}
	output_i64(more->output, process.rank);
}

static void put_sources(struct more *more, const char *name, const struct meaning_call *call,
			int32_t own_world)
{
	put_key(more, name, call->status_list ? "_world=[" : "_world=");
	for (unsigned at = 0; at < call->status_count; at++) {
		output_text(more->output, at ? ", " : "");
		put_process(more, call->sources[at], own_world);
	}
	if (call->status_list)
		output_char(more->output, ']');
}

static void put_completed(struct more *more, const struct out_text *text, const char *verb)
{
	struct reader_request request;
	unsigned at = 0;
	int64_t number;

	while (meaning_completed(text->meaning, at, &number, &request)) {
		if (at++)
			output_text(more->output, ", ");
		else
			put_key(more, verb, "=[");
		output_i64(more->output, number);
		output_char(more->output, ' ');
		output_text(more->output,
			    reader_function_by_id(text->trace, request.func_id)->name);
		output_char(more->output, ' ');
		output_decimal(more->output, request.tstart, 9);
	}
	if (at)
		output_char(more->output, ']');
}

static int put_meaning(struct more *more, const struct out_text *text,
		       const struct recorder_record *record)
{
	const struct reader_parameter *args = reader_function(text->trace, record)->args;
	struct meaning_call call;

	if (meaning_of(text->meaning, record, &call))
		return -ENOMEM;
	for (unsigned i = 0; i < call.peer_count; i++) {
		put_key(more, args[call.peers[i].arg].name, "_world=");
		put_process(more, call.peers[i].process, record->world);
	}
	if (call.sources)
		put_sources(more, args[call.status_arg].name, &call, record->world);
	if (call.traffic.sent >= 0)
		put_number(more, "sent", "=", call.traffic.sent);
	if (call.traffic.received >= 0)
		put_number(more, "received", "=", call.traffic.received);
	if (call.comm)
		put_string(more, "comm", call.comm);
	put_completed(more, text, call.verb);
	return 0;
}

static void put_thread(struct more *more, const struct out_text *text,
		       const struct recorder_record *record)
{
	struct reader_thread thread = {.sz = sizeof(thread)};

	if (reader_thread_of(text->trace, record->stream, record->thread, &thread) >= 0 &&
	    *thread.name)
		put_string(more, "thread", thread.name);
}

static int put_callsite(struct more *more, const struct out_text *text,
			const struct recorder_record *record)
{
	const struct callsite *site;

	if (!record->module && !record->callsite)
		return 0;
	site = callsites_of(text->callsites, record);
	if (site)
		put_string(more, "callsite", site->text);
	return site ? 0 : -ENOMEM;
}

static int put_stack(struct more *more, const struct out_text *text,
		     const struct recorder_record *record)
{
	const struct callstack *stack;

	if (!record->stack)
		return 0;
	stack = callstacks_find(text->callstacks, record->stream, record->stack);
	if (!stack)
		return -ENOMEM;
	if (stack->count == 0) {
		put_key(more, "stack", "=?");
		return 0;
	}
	put_key(more, "stack", "=[");
	output_text(more->output, stack->text);
	output_char(more->output, ']');
	return 0;
}

static void put_tag(void *more, const char *name, int64_t value)
{
	put_number(more, name, "=", value);
}

/* Epoch and step that hold in the call. */
static int put_tags(struct more *more, const struct out_text *text,
		    const struct recorder_record *record)
{
	int found = calltags_find(text->tags, record);

	if (found > 0)
		calltags_each(text->tags, put_tag, more);
	return found < 0 ? found : 0;
}

int text_more(const struct out_text *text, const struct recorder_record *record)
{
	struct more more = {.output = text->output};
	int error = 0;

	if (text->show_mpi && meaning_has(text->meaning, record->func_id))
		error = put_meaning(&more, text, record);
	if (!error && text->show_callsite)
		error = put_callsite(&more, text, record);
	if (!error && text->show_stack)
		error = put_stack(&more, text, record);
	if (!error && text->tags)
		error = put_tags(&more, text, record);
	if (text->show_thread)
		put_thread(&more, text, record);
	if (text->show_phase && (record->flags & (RECORDER_BEFORE_MAIN | RECORDER_AFTER_MAIN)))
		put_key(&more, "phase=",
			record->flags & RECORDER_BEFORE_MAIN ? "before_main" : "after_main");
	if (more.begun)
		output_char(text->output, '}');
	return error;
}
