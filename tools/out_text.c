/* SPDX-License-Identifier: MIT */
/*
 * out_text.c - recorder2text's lines.
 *
 *	0 20117 0.000123450 0.000130120 1 posix pwrite(fd=5 "/scratch/out.0", count=8, offset=16) = 8
 *
 * What is the same in every call of a function is put together once.
 */
#include "outputs.h"

#include <errno.h>
#include <stdlib.h>

#include "callsites.h"
#include "callstacks.h"
#include "calltags.h"
#include "harmless.h"
#include "meaning.h"
#include "text_more.h"
#include "values.h"

struct piece {
	char *bytes;
	size_t size;
	enum value_rule rule; /* of the value that follows */
};

struct text_function {
	struct piece head;  /* " posix pwrite(" */
	struct piece *args; /* ", count=" of each argument */
	unsigned arg_count;
	enum value_rule result;
};

static int piece_make(struct piece *piece, const char *before, const char *word,
		      const char *between, const char *name, const char *after)
{
	size_t room =
		strlen(before) + strlen(word) + strlen(between) + strlen(name) + strlen(after);

	piece->bytes = malloc(room + 1);
	if (!piece->bytes)
		return -ENOMEM;
	piece->size = (size_t)snprintf(piece->bytes, room + 1, "%s%s%s%s%s", before, word, between,
				       name, after);
	make_harmless(piece->bytes, piece->size, '?');
	return 0;
}

static int function_make(struct text_function *made, const struct reader_function_info *function)
{
	made->args = calloc(function->arg_count + 1, sizeof(*made->args));
	if (!made->args || piece_make(&made->head, " ", function->layer, " ", function->name, "("))
		return -ENOMEM;
	for (; made->arg_count < function->arg_count; made->arg_count++) {
		unsigned i = made->arg_count;

		if (piece_make(&made->args[i], i ? ", " : "", function->args[i].name, "=", "", ""))
			return -ENOMEM;
		made->args[i].rule = value_rule(&function->args[i]);
	}
	made->result = value_rule(&function->result);
	return 0;
}

void out_text_release(struct out_text *text)
{
	for (unsigned i = 0; i < text->function_count; i++) {
		struct text_function *function = &text->functions[i];

		for (unsigned k = 0; k < function->arg_count; k++)
			free(function->args[k].bytes);
		free(function->args);
		free(function->head.bytes);
	}
	free(text->functions);
	meaning_free(text->meaning);
	callstacks_free(text->callstacks);
	calltags_free(text->tags);
	text->callstacks = NULL;
	text->meaning = NULL;
	text->functions = NULL;
	text->function_count = 0;
}

static int text_begin(void *self, const struct walk *walk)
{
	struct out_text *text = self;
	unsigned count = reader_function_count(walk->trace);

	text->trace = walk->trace;
	text->functions = calloc(count + 1, sizeof(*text->functions));
	if (!text->functions)
		return -ENOMEM;
	for (; text->function_count < count; text->function_count++)
		if (function_make(&text->functions[text->function_count],
				  reader_function_by_id(walk->trace, text->function_count)))
			return -ENOMEM;
	text->shows_more = text->show_callsite || text->show_mpi || text->show_phase ||
			   text->show_stack || text->show_tags || text->show_thread;
	if (text->show_callsite)
		text->callsites = callsites_shared(walk->trace);
	if (text->show_stack) {
		text->callstacks = callstacks_new(walk->trace, callsites_shared(walk->trace));
		if (!text->callstacks)
			return -ENOMEM;
	}
	if (text->show_tags)
		text->tags = calltags_new(walk->trace, true);
	if (text->show_tags && !text->tags && errno)
		return -errno;
	if (text->show_mpi)
		text->meaning = meaning_new(walk->trace);
	return text->show_mpi && !text->meaning ? -ENOMEM : 0;
}

/* A value that only the reader can name; most fit at once into the room that is there. */
static void put_arg(struct out_text *text, const struct recorder_record *record, unsigned index)
{
	struct output *output = text->output;
	size_t room, size;

	output_room(output, 512);
	room = (size_t)(output->end - output->next);
	size = reader_arg_text(text->trace, record, index, output->next, room);
	if (size >= room) {
		output_flush(output);
		room = (size_t)(output->end - output->next);
		size = reader_arg_text(text->trace, record, index, output->next, room);
		size = size < room ? size : room - 1;
	}
	output->next += size;
}

static void put_result(struct out_text *text, const struct recorder_record *record)
{
	struct output *output = text->output;
	size_t size;

	output_room(output, 4096 + 1);
	size = reader_result_text(text->trace, record, output->next, 4096);
	output->next += size < 4096 ? size : 4095;
}

static void put_outcome(struct out_text *text, const struct text_function *function,
			const struct recorder_record *record)
{
	struct output *output = text->output;

	output_text(output, ") = ");
	if (record->flags & RECORDER_IN_FLIGHT) {
		output_text(output, "? in_flight");
		return;
	}
	if (record->flags & RECORDER_LEFT)
		output_text(output, "? left");
	else if (record->flags & RECORDER_NORETURN)
		output_char(output, '?');
	else if (function->result == VALUE_DECIMAL)
		output_i64(output, record->ret);
	else
		put_result(text, record);
	if (record->err) {
		output_char(output, ' ');
		output_text(output, reader_errno_name(text->trace, record));
	}
}

/* Seconds; `~` if they are made up. */
static void put_time(struct output *output, const struct recorder_record *record, int64_t ns)
{
	if (record->flags & RECORDER_TIMES_SUMMED)
		output_char(output, '~');
	output_decimal(output, ns, 9);
}

void out_text_place(struct output *output, const struct recorder_record *record)
{
	if (record->world > 0) {
		output_i64(output, record->world);
		output_char(output, ':');
	}
	output_i64(output, record->rank);
	output_char(output, ' ');
	output_u64(output, record->tid);
	output_char(output, ' ');
	put_time(output, record, record->tstart);
	output_char(output, ' ');
	put_time(output, record, record->tend);
	output_char(output, ' ');
	output_u64(output, record->level);
}

void out_text_run(struct output *output, const struct recorder_record *record)
{
	if (record->repeat < 2)
		return;
	output_text(output, " repeat=");
	output_u64(output, record->repeat);
	output_text(output, " busy=");
	output_decimal(output, record->busy, 9);
}

static int text_call(void *self, const struct recorder_record *record)
{
	struct out_text *text = self;
	const struct text_function *function = &text->functions[record->func_id];
	struct output *output = text->output;

	out_text_place(output, record);
	output_bytes(output, function->head.bytes, function->head.size);
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		const struct piece *piece = &function->args[i];
		const struct recorder_arg *arg = &record->args[i];

		output_bytes(output, piece->bytes, piece->size);
		if (piece->rule == VALUE_DECIMAL && arg->state == RECORDER_ARG_PRESENT)
			output_i64(output, arg->i64);
		else
			put_arg(text, record, i);
	}
	put_outcome(text, function, record);
	out_text_run(output, record);
	if (text->shows_more && text_more(text, record))
		return -ENOMEM;
	output_char(output, '\n');
	return output->error;
}

const struct walk_ops out_text_ops = {
	.begin = text_begin,
	.call = text_call,
};
