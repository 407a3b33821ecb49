/* SPDX-License-Identifier: MIT */
/* sqlrows.c - see sqlrows.h */
#include "sqlrows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define NOTE_ROOM 96              /* all words */
#define ID_BIT (UINT64_C(1) << 1) /* of the first column */
#define LOOK_AFTER 65536u         /* rows: by then it is seen which threads have ended */

/* The rows of a thread that wait, the outermost first. */
struct nest {
	unsigned count, room;
	struct sql_row *rows;
};

static const char insert_record[] =
	"INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
	"?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_open[] = "INSERT INTO in_flight VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
				  "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

void sql_rows_begin(struct sql_rows *rows, struct sqlbase *base, uint64_t wanted,
		    uint64_t wanted_open)
{
	rows->base = base;
	rows->insert = sqlbase_prepare(base, insert_record);
	rows->insert_open = sqlbase_prepare(base, insert_open);
	/* the number is the row's place */
	rows->wanted = wanted | (wanted ? ID_BIT : 0);
	rows->wanted_open = wanted_open | (wanted_open ? ID_BIT : 0);
}

static bool wants(struct sql_rows *rows, const char *query, uint64_t wanted, const char *column)
{
	sqlite3_stmt *all = sqlbase_prepare(rows->base, query);
	bool found = false;

	for (int i = 0; i < sqlite3_column_count(all); i++)
		found |= !strcmp(sqlite3_column_name(all, i), column) && wanted >> (i + 1) & 1;
	sqlite3_finalize(all);
	return found;
}

bool sql_rows_want(struct sql_rows *rows, const char *column)
{
	return wants(rows, "SELECT * FROM records", rows->wanted, column) ||
	       wants(rows, "SELECT * FROM in_flight", rows->wanted_open, column);
}

/* ---- into the table ---- */

static const char *note_of(uint16_t flags, char note[NOTE_ROOM])
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
			used += snprintf(note + used, NOTE_ROOM - (size_t)used, "%s%s",
					 used ? "," : "", words[i].word);
	return used ? note : NULL;
}

struct binder {
	struct sqlbase *base;
	sqlite3_stmt *to;
	int at;
	uint64_t wanted;
};

/* The number of the next column; 0: nobody wants it, and it stays NULL. */
static int next(struct binder *binder)
{
	binder->at++;
	return binder->wanted >> binder->at & 1 ? binder->at : 0;
}

static void put(struct binder *binder, int64_t value)
{
	int at = next(binder);

	if (at)
		sqlbase_integer(binder->base, binder->to, at, value);
}

static void put_known(struct binder *binder, int64_t value, int64_t none)
{
	int at = next(binder);

	if (at)
		sqlbase_known(binder->base, binder->to, at, value, none);
}

static void put_word(struct binder *binder, const char *word)
{
	int at = next(binder);

	if (at)
		sqlbase_word(binder->base, binder->to, at, word);
}

/* What both tables begin with. */
static void put_place(struct binder *binder, const struct sql_row *row)
{
	put(binder, row->id);
	put_known(binder, row->parent, 0);
	put(binder, row->stream);
	put(binder, row->world);
	put(binder, row->rank);
	put(binder, row->tid);
	put(binder, row->thread);
	put(binder, row->level);
	put_word(binder, row->layer);
	put_word(binder, row->function);
	put_word(binder, row->operation);
	put(binder, row->tstart);
	put(binder, row->tend);
	put(binder, row->duration);
}

static void put_args(struct binder *binder, const struct sql_row *row)
{
	int at = next(binder);

	if (at)
		sqlbase_check(binder->base,
			      sqlite3_bind_text(binder->to, at,
						row->args.size ? (const char *)row->args.bytes
							       : NULL,
						(int)row->args.size, SQLITE_STATIC));
}

static void put_ret(struct binder *binder, const struct sql_row *row)
{
	int at;

	if (!row->real) {
		put_known(binder, row->ret, SQL_NONE);
		return;
	}
	at = next(binder);
	if (at)
		sqlbase_check(binder->base, sqlite3_bind_double(binder->to, at, row->ret_real));
}

static void write_open(struct sql_rows *rows, const struct sql_row *row)
{
	struct binder binder = {rows->base, rows->insert_open, 0, rows->wanted_open};

	if (!rows->wanted_open)
		return;

	put_place(&binder, row);
	put_known(&binder, row->file, 0);
	put_known(&binder, row->peer, SQL_NONE);
	put_known(&binder, row->peer_world, SQL_NONE);
	put_known(&binder, row->tag, SQL_NONE);
	put_known(&binder, row->comm, 0);
	put_known(&binder, row->callsite, 0);
	put_args(&binder, row);
	sqlbase_step(rows->base, rows->insert_open);
}

static void write_record(struct sql_rows *rows, const struct sql_row *row)
{
	struct binder binder = {rows->base, rows->insert, 0, rows->wanted};
	char note[NOTE_ROOM];

	if (!rows->wanted)
		return;
	put_place(&binder, row);
	put(&binder, row->self);
	put(&binder, row->calls);
	put_ret(&binder, row);
	put_word(&binder, row->failure[0] ? row->failure : NULL);
	put_known(&binder, row->file, 0);
	put_known(&binder, row->bytes, SQL_NONE);
	put_known(&binder, row->offset, SQL_NONE);
	put_known(&binder, row->peer, SQL_NONE);
	put_known(&binder, row->peer_world, SQL_NONE);
	put_known(&binder, row->tag, SQL_NONE);
	put_known(&binder, row->comm, 0);
	put_known(&binder, row->sent, SQL_NONE);
	put_known(&binder, row->received, SQL_NONE);
	put_known(&binder, row->callsite, 0);
	put_word(&binder, note_of(row->flags, note));
	put_args(&binder, row);
	sqlbase_step(rows->base, rows->insert);
}

/* The innermost row of a thread. */
static void let_go(struct sql_rows *rows, struct nest *nest)
{
	const struct sql_row *row = &nest->rows[--nest->count];

	if (row->flags & RECORDER_IN_FLIGHT)
		write_open(rows, row);
	else
		write_record(rows, row);
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
static void look_at_all(struct sql_rows *rows, int64_t now)
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

static struct nest *nest_of(struct sql_rows *rows, const struct recorder_record *record)
{
	void **nest = numbered_at(&rows->nests, record->stream, record->thread);

	if (nest && !*nest)
		*nest = calloc(1, sizeof(struct nest));
	if (!nest || !*nest)
		die("out of memory");
	return *nest;
}

/* A row at the end; its buffer is that of the one that was there before. */
static struct sql_row *push(struct nest *nest)
{
	struct sql_row *row;
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
	*row = (struct sql_row){.args = args};
	return row;
}

/* The call around it, as far as the filter has left it: the innermost that had not ended. */
static struct sql_row *parent_of(const struct nest *nest, const struct recorder_record *record)
{
	for (unsigned i = nest->count; i-- > 0;)
		if (nest->rows[i].level < record->level && nest->rows[i].tend >= record->tend)
			return &nest->rows[i];
	return NULL;
}

/* Up to the smallest number: traces may say anything. */
static void take_off(int64_t *time, int64_t part)
{
	if (__builtin_sub_overflow(*time, part, time))
		*time = part > 0 ? INT64_MIN : INT64_MAX;
}

struct sql_row *sql_rows_next(struct sql_rows *rows, const struct recorder_record *record)
{
	struct nest *nest = nest_of(rows, record);
	struct sql_row *row, *parent;
	int64_t around = 0;

	while (nest->count > 0 && (nest->rows[nest->count - 1].level >= record->level ||
				   nest->rows[nest->count - 1].tend < record->tstart))
		let_go(rows, nest);
	if (++rows->since == LOOK_AFTER)
		look_at_all(rows, record->tstart);
	parent = parent_of(nest, record);
	if (parent) {
		around = parent->id;
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

void sql_rows_end(struct sql_rows *rows)
{
	for (size_t i = 0; i < rows->nests.room; i++) {
		struct nest *nest = rows->nests.entries[i].value;

		while (nest && nest->count > 0)
			let_go(rows, nest);
	}
	numbered_release(&rows->nests, free_nest);
	sqlite3_finalize(rows->insert);
	sqlite3_finalize(rows->insert_open);
}
