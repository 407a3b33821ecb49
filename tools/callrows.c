/* SPDX-License-Identifier: MIT */
/* callrows.c - see callrows.h */
#include "callrows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define LOOK_AFTER 65536u /* rows: by then it is seen which threads have ended */

/* The rows of a thread that wait, the outermost first. */
struct nest {
	unsigned count, room;
	struct call_row *rows;
};

const char *row_note(uint16_t flags, char note[ROW_NOTE_ROOM])
{
	static const struct {
		uint16_t flag;
		const char *word;
	} words[] = {{RECORDER_LEFT, "left"},
		     {RECORDER_NORETURN, "no_return"},
		     {RECORDER_IN_SIGNAL, "in_signal"},
		     {RECORDER_BEFORE_MAIN, "before_main"},
		     {RECORDER_AFTER_MAIN, "after_main"},
		     {RECORDER_TIMES_SUMMED, "times_summed"}};

	int used = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (flags & words[i].flag)
			used += snprintf(note + used, ROW_NOTE_ROOM - (size_t)used, "%s%s",
					 used ? "," : "", words[i].word);
	return used ? note : NULL;
}

/* The innermost row of a thread. */
static void let_go(struct call_rows *rows, struct nest *nest)
{
	const struct call_row *row = &nest->rows[--nest->count];

	rows->take(rows->data, row);
}

/* ---- waiting ---- */

static void empty(struct nest *nest)
{
	for (unsigned i = 0; i < nest->room; i++)
		buffer_release(&nest->rows[i].args);
	free(nest->rows);
	*nest = (struct nest){0};
}

/* Threads that make no more calls must not keep theirs, nor the memory, for ever. */
static void look_at_all(struct call_rows *rows, int64_t now)
{
	rows->since = 0;
	for (size_t i = 0; i < rows->nests.room; i++) {
		struct nest *nest = rows->nests.entries[i].value;

		while (nest && nest->count > 0 && nest->rows[nest->count - 1].tend < now)
			let_go(rows, nest);
		if (nest && nest->count == 0)
			empty(nest);
	}
}

static struct nest *nest_of(struct call_rows *rows, const struct recorder_record *record)
{
	void **nest = numbered_at(&rows->nests, record->stream, record->thread);

	if (nest && !*nest)
		*nest = calloc(1, sizeof(struct nest));
	if (!nest || !*nest)
		die("out of memory");
	return *nest;
}

/* A row at the end; its buffer is that of the one that was there before. */
static struct call_row *push(struct nest *nest)
{
	struct call_row *row;
	struct buffer args;

	if (nest->count == nest->room) {
		unsigned room = nest->room ? 2 * nest->room : 4;

		nest->rows = realloc(nest->rows, room * sizeof(*nest->rows));
		if (!nest->rows)
			die("out of memory");
		memset(nest->rows + nest->room, 0, (room - nest->room) * sizeof(*nest->rows));
		nest->room = room;
	}
	row = &nest->rows[nest->count++];
	args = row->args;
	buffer_clear(&args);
	*row = (struct call_row){.args = args};
	return row;
}

/* The call around it, as far as the filter has left it: the innermost that had not ended. Nothing lies in what goes on beside the thread. */
static struct call_row *parent_of(const struct nest *nest, const struct recorder_record *record)
{
	for (unsigned i = nest->count; i-- > 0;)
		if (nest->rows[i].level < record->level && nest->rows[i].tend >= record->tend &&
		    !nest->rows[i].aside)
			return &nest->rows[i];
	return NULL;
}

/* Up to the smallest number: traces may say anything. */
static void take_off(int64_t *time, int64_t part)
{
	if (__builtin_sub_overflow(*time, part, time))
		*time = part > 0 ? INT64_MIN : INT64_MAX;
}

struct call_row *call_rows_next(struct call_rows *rows, const struct recorder_record *record,
				bool aside)
{
	struct nest *nest = nest_of(rows, record);
	struct call_row *row, *parent;
	int64_t around = 0;

	while (nest->count > 0 && (nest->rows[nest->count - 1].level >= record->level ||
				   nest->rows[nest->count - 1].tend < record->tstart))
		let_go(rows, nest);
	if (++rows->since == LOOK_AFTER)
		look_at_all(rows, record->tstart);
	parent = parent_of(nest, record);
	if (parent) {
		around = parent->id;
		if (!aside)
			take_off(&parent->self, record->busy);
	}
	row = push(nest);
	row->id = ++rows->last;
	row->parent = around;
	row->stream = record->stream;
	row->tid = record->tid;
	row->thread = record->thread;
	row->calls = record->repeat > 0 ? record->repeat : 1; /* traces may say anything */
	row->world = record->world;
	row->rank = record->rank;
	row->level = record->level;
	row->aside = aside;
	row->flags = record->flags;
	row->tstart = record->tstart;
	row->tend = record->tend;
	row->duration = row->self = record->busy;
	return row;
}

static void free_nest(void *value)
{
	struct nest *nest = value;

	if (nest)
		empty(nest);
	free(nest);
}

void call_rows_end(struct call_rows *rows)
{
	for (size_t i = 0; i < rows->nests.room; i++) {
		struct nest *nest = rows->nests.entries[i].value;

		while (nest && nest->count > 0)
			let_go(rows, nest);
	}
	numbered_release(&rows->nests, free_nest);
	rows->since = 0;
}
