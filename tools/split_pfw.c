/* SPDX-License-Identifier: MIT */
/* split_pfw.c - see split_pfw.h */
#include "split_pfw.h"

#include <errno.h>
#include <stdlib.h>

#include "follow.h"
#include "hashes.h"
#include "message.h"
#include "names.h"
#include "options.h"
#include "outputs.h"
#include "parcels.h"
#include "progress.h"

#define HELD (64u << 10) /* bytes of lines until they are written, behind the names that they use */

struct splitting {
	struct walk *walk;
	struct fileset *set;
	struct parcels parcels;
	struct reader_cursor *cursor;
	struct out_events events;
	struct output text;     /* lines of the current file */
	struct names names;     /* of the current file */
	struct hash_set *known; /* names of all files */
};

static size_t text_size(const struct output *output)
{
	return (size_t)(output->next - output->buffer);
}

static int write_held(struct splitting *splitting)
{
	const struct name *names = (const struct name *)splitting->names.list.bytes;
	struct output *current = splitting->set->current;

	if (splitting->text.error || splitting->names.text.error)
		return -ENOMEM;
	for (size_t i = 0; i < splitting->names.list.size / sizeof(*names); i++)
		hash_set_add(splitting->known, names[i].key);
	output_bytes(current, splitting->names.text.buffer, text_size(&splitting->names.text));
	output_bytes(current, splitting->text.buffer, text_size(&splitting->text));
	names_clear(&splitting->names);
	splitting->text.next = splitting->text.buffer;
	return current->error;
}

static int begin_file(struct splitting *splitting)
{
	int error = fileset_next(splitting->set);

	if (!error)
		error = names_forget(&splitting->names);
	if (!error && !splitting->events.later)
		output_text(splitting->set->current, "[\n");
	out_pfw_file(&splitting->events);
	return error;
}

static int end_file(struct splitting *splitting)
{
	int error = write_held(splitting);

	if (!splitting->events.later)
		output_text(splitting->set->current, "]\n");
	return error;
}

static bool is_full(const struct splitting *splitting)
{
	return output_size(splitting->set->current) + text_size(&splitting->text) +
		       text_size(&splitting->names.text) >=
	       splitting->set->size;
}

static int put_record(struct splitting *splitting, const struct recorder_record *record)
{
	int error = 0;

	if (is_full(splitting)) {
		error = end_file(splitting);
		if (!error)
			error = begin_file(splitting);
	}
	if (!error)
		error = out_pfw_form.call(&splitting->events, record);
	splitting->walk->records += !(record->flags & RECORDER_IN_FLIGHT);
	if (!error && text_size(&splitting->text) >= HELD)
		error = write_held(splitting);
	return error;
}

static int put_piece(struct splitting *splitting, const struct reader_piece *piece)
{
	struct reader_filter filter = options.filter;
	const struct recorder_record *record;
	int error = 0;

	filter.piece = piece;
	if (!splitting->cursor)
		splitting->cursor = reader_cursor_new(splitting->walk->trace, &filter);
	else if (reader_move(splitting->cursor, piece))
		die("%s", reader_error(splitting->walk->trace));
	if (!splitting->cursor)
		die("%s", reader_error(splitting->walk->trace));
	follow_piece(splitting->events.follow, piece);
	while (!error && (record = reader_next(splitting->cursor)))
		error = put_record(splitting, record);
	if (reader_cursor_status(splitting->cursor))
		die("%s", reader_error(splitting->walk->trace));
	return error;
}

static int put_parcels(struct splitting *splitting)
{
	const struct parcels *parcels = &splitting->parcels;
	int error = 0;

	for (uint32_t i = 0; i < parcels->count && !error; i++) {
		out_pfw_form.part(&splitting->events, false);
		for (uint32_t k = parcels->items[i].first; k < parcels->items[i].end && !error; k++)
			error = put_piece(splitting, &parcels->pieces[k]);
		progress_report("reading", i + 1, parcels->count);
	}
	progress_clear();
	return error;
}

static int begin(struct splitting *splitting, const struct convert_options *convert_options)
{
	struct out_events *events = &splitting->events;
	int error = names_init(&splitting->names);

	if (!error)
		error = output_memory(&splitting->text);
	splitting->known = hash_set_new();
	if (!splitting->known)
		error = -ENOMEM;
	if (error)
		return error;
	events->no_args = convert_options->no_args;
	events->show_stacks = convert_options->show_stacks;
	events->later = convert_options->later;
	events->output = &splitting->text;
	events->names = &splitting->names;
	error = out_pfw_form.begin(events, splitting->walk);
	if (error)
		return error;
	events->follow = follow_new(splitting->walk->trace, &options.filter, events->meaning);
	return events->follow ? begin_file(splitting) : -ENOMEM;
}

int split_pfw(struct walk *walk, struct fileset *set, const struct convert_options *convert_options)
{
	struct splitting splitting = {.walk = walk, .set = set};
	int error;

	parcels_init(&splitting.parcels, walk->trace, &options.filter);
	error = begin(&splitting, convert_options);
	if (!error)
		error = put_parcels(&splitting);
	if (!error)
		error = write_held(&splitting);
	if (!error)
		error = out_pfw_form.end(&splitting.events, splitting.known);
	if (!error)
		error = write_held(&splitting);
	follow_free(splitting.events.follow);
	out_events_release(&splitting.events);
	reader_cursor_free(splitting.cursor);
	output_cancel(&splitting.text);
	names_release(&splitting.names);
	hash_set_free(splitting.known);
	parcels_release(&splitting.parcels);
	return error;
}
