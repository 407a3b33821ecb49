/* SPDX-License-Identifier: MIT */
/* sqlinsert.c - see sqlinsert.h */
#include "sqlinsert.h"

#include <string.h>

#define ID_BIT (UINT64_C(1) << 1) /* of the first column */

static const char insert_record[] =
	"INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
	"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_open[] = "INSERT INTO in_flight VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
				  "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

void sql_insert_begin(struct sql_insert *into, struct sqlbase *base, uint64_t wanted,
		      uint64_t wanted_open)
{
	into->base = base;
	into->insert = sqlbase_prepare(base, insert_record);
	into->insert_open = sqlbase_prepare(base, insert_open);
	/* the number is the row's place */
	into->wanted = wanted | (wanted ? ID_BIT : 0);
	into->wanted_open = wanted_open | (wanted_open ? ID_BIT : 0);
}

static bool wants(struct sql_insert *into, const char *query, uint64_t wanted, const char *column)
{
	sqlite3_stmt *all = sqlbase_prepare(into->base, query);
	bool found = false;

	for (int i = 0; i < sqlite3_column_count(all); i++)
		found |= !strcmp(sqlite3_column_name(all, i), column) && wanted >> (i + 1) & 1;
	sqlite3_finalize(all);
	return found;
}

bool sql_insert_wants(struct sql_insert *into, const char *column)
{
	return wants(into, "SELECT * FROM records", into->wanted, column) ||
	       wants(into, "SELECT * FROM in_flight", into->wanted_open, column);
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
static void put_place(struct binder *binder, const struct call_row *row)
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

static void put_args(struct binder *binder, const struct call_row *row)
{
	int at = next(binder);

	if (at)
		sqlbase_check(binder->base,
			      sqlite3_bind_text(binder->to, at,
						row->args.size ? (const char *)row->args.bytes
							       : NULL,
						(int)row->args.size, SQLITE_STATIC));
}

static void put_ret(struct binder *binder, const struct call_row *row)
{
	int at;

	if (!row->real) {
		put_known(binder, row->ret, ROW_NONE);
		return;
	}
	at = next(binder);
	if (at)
		sqlbase_check(binder->base, sqlite3_bind_double(binder->to, at, row->ret_real));
}

static void write_open(struct sql_insert *into, const struct call_row *row)
{
	struct binder binder = {into->base, into->insert_open, 0, into->wanted_open};

	if (!into->wanted_open)
		return;

	put_place(&binder, row);
	put_known(&binder, row->file, 0);
	put_known(&binder, row->peer, ROW_NONE);
	put_known(&binder, row->peer_world, ROW_NONE);
	put_known(&binder, row->tag, ROW_NONE);
	put_known(&binder, row->comm, 0);
	put_known(&binder, row->callsite, 0);
	put_args(&binder, row);
	sqlbase_step(into->base, into->insert_open);
}

static void write_record(struct sql_insert *into, const struct call_row *row)
{
	struct binder binder = {into->base, into->insert, 0, into->wanted};
	char note[ROW_NOTE_ROOM];

	if (!into->wanted)
		return;
	put_place(&binder, row);
	put(&binder, row->self);
	put(&binder, row->calls);
	put_ret(&binder, row);
	put_word(&binder, row->failure[0] ? row->failure : NULL);
	put_known(&binder, row->file, 0);
	put_known(&binder, row->bytes, ROW_NONE);
	put_known(&binder, row->offset, ROW_NONE);
	put_known(&binder, row->to_file, 0);
	put_known(&binder, row->to_offset, ROW_NONE);
	put_known(&binder, row->peer, ROW_NONE);
	put_known(&binder, row->peer_world, ROW_NONE);
	put_known(&binder, row->tag, ROW_NONE);
	put_known(&binder, row->comm, 0);
	put_known(&binder, row->sent, ROW_NONE);
	put_known(&binder, row->received, ROW_NONE);
	put_known(&binder, row->callsite, 0);
	for (unsigned tag = 0; tag < READER_TAGS; tag++)
		put_known(&binder, row->tags[tag], ROW_NONE);
	put_word(&binder, row_note(row->flags, note));
	put_args(&binder, row);
	sqlbase_step(into->base, into->insert);
}

void sql_insert_row(void *into, const struct call_row *row)
{
	if (row->flags & RECORDER_IN_FLIGHT)
		write_open(into, row);
	else
		write_record(into, row);
}

void sql_insert_end(struct sql_insert *into)
{
	sqlite3_finalize(into->insert);
	sqlite3_finalize(into->insert_open);
}
