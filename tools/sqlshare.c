/* SPDX-License-Identifier: MIT */
/* sqlshare.c - see sqlshare.h */
#include "sqlshare.h"

#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "damage.h"
#include "message.h"
#include "streamshare.h"
#include "temporary.h"

enum { NAMES = CREW_FIRST_TYPE, ROWS };

struct sql_share {
	struct ranks who;
	struct crew *crew;
	unsigned known; /* problems of the trace, at first */
};

struct sql_share *sql_share_begin(const char *path, struct walk *walk)
{
	struct sql_share *share = calloc(1, sizeof(*share));

	if (!share)
		die("out of memory");
	ranks_init(&share->who, path, 1, 1);
	if (!share->who.launched) {
		ranks_release(&share->who);
		free(share);
		return NULL;
	}
	share->known = reader_problem_count(walk->trace);
	share->crew = crew_start(&share->who, streams_fingerprint(walk->trace));
	return share;
}

/* ---- names ---- */

static void pass_row(void *data, const struct call_row *row)
{
	(void)data;
	(void)row;
}

static int names_begin(void *self, const struct walk *walk)
{
	struct row_maker *maker = self;

	maker->rows.take = pass_row;
	maker->fills_callsites = true;
	return row_maker_begin(maker, walk);
}

static int names_call(void *self, const struct recorder_record *record)
{
	row_maker_call(self, record);
	return 0;
}

static int names_end(void *self)
{
	row_maker_end(self);
	return 0;
}

static const struct walk_ops names_ops = {.begin = names_begin,
					  .call = names_call,
					  .end = names_end};

static void say_names(struct sql_share *share, struct walk *walk)
{
	struct row_maker maker = {0};
	struct buffer names = {0};

	if (walk_run(walk, &names_ops, &maker))
		die("out of memory");
	rownames_tell(maker.names, &names);
	row_maker_release(&maker);
	crew_say(share->crew, NAMES, names.bytes, names.size);
	buffer_release(&names);
}

/* In the order of streams, which is that of ranks. */
static struct rownames *hear_names(struct sql_share *share, const struct walk *walk)
{
	struct rownames *names = rownames_new(walk->trace);
	struct buffer body = {0};

	for (unsigned i = 1; i < share->who.count; i++) {
		while (!crew_hear(share->crew, i, 0, NAMES, &body))
			crew_wait(share->crew, i);
		if (!rownames_learn(names, body.bytes, body.size))
			die("what rank %u found is not of this trace", i);
	}
	buffer_release(&body);
	return names;
}

/* ---- rows ---- */

static void part_name(const struct sql_share *share, unsigned number, char *name, size_t size)
{
	ranks_file(&share->who, number, ".part", name, size);
}

static void write_part(struct sql_share *share, struct walk *walk, struct rownames *names,
		       bool no_args)
{
	static const struct output_options output_options = {.force = true, .jobs = 1};
	struct sqlbase base;
	struct out_sql sql = {.base = &base,
			      .walk = walk,
			      .wanted = UINT64_MAX,
			      .wanted_open = UINT64_MAX,
			      .no_args = no_args,
			      .names = names,
			      .rows_alone = true};
	struct output output;
	char name[4096];
	int error;

	part_name(share, share->who.number, name, sizeof(name));
	error = output_open(&output, name, &output_options);
	if (error)
		output_die(name, error);
	sqlbase_open(&base, output.temporary, name);
	out_sql_schema(&base);
	error = walk_run(walk, &out_sql_ops, &sql);
	if (!error) {
		sqlbase_close(&base);
		error = output_commit(&output);
	}
	if (error)
		output_die(name, error);
	if (temporary_add(name))
		die("cannot keep '%s'", name);
}

void sql_share_leave(struct sql_share *share, struct walk *walk, bool no_args)
{
	walk_by_stream(walk, share->who.count - 1, share->who.number - 1);
	say_names(share, walk);
	write_part(share, walk, hear_names(share, walk), no_args);
	crew_say(share->crew, ROWS, &walk->records, sizeof(walk->records));
	damage_tell(share->crew, walk->trace, share->known);
	crew_leave(share->crew);
	exit(EXIT_DONE); /* removes the part */
}

/* Nothing may be open but the transaction. */
static void copy_part(struct sqlbase *base, const char *name)
{
	sqlite3_stmt *attach = NULL;

	sqlbase_run(base, "COMMIT");
	attach = sqlbase_prepare(base, "ATTACH ? AS part");
	sqlbase_check(base, sqlite3_bind_text(attach, 1, name, -1, SQLITE_STATIC));
	sqlbase_check(base, sqlite3_step(attach));
	sqlite3_finalize(attach);
	/* the same tables: SQLite copies rows without looking into them */
	sqlbase_run(base, "BEGIN;"
			  "INSERT INTO main.records SELECT * FROM part.records;"
			  "INSERT INTO main.in_flight SELECT * FROM part.in_flight;"
			  "COMMIT;"
			  "DETACH part; BEGIN");
}

int sql_share_join(struct sql_share *share, struct out_sql *sql)
{
	struct walk *walk = sql->walk;
	struct buffer body = {0};
	char name[4096];
	int error;

	sql->names = hear_names(share, walk);
	error = out_sql_ops.begin(sql, walk);
	walk->records = 0;
	for (unsigned i = 1; i < share->who.count && !error; i++) {
		uint64_t records;

		while (!crew_hear(share->crew, i, 0, ROWS, &body))
			crew_wait(share->crew, i);
		if (body.size != sizeof(records))
			die("rank %u has made something else", i);
		memcpy(&records, body.bytes, sizeof(records));
		walk->records += records;
		damage_learn(share->crew, i, walk->trace);
		part_name(share, i, name, sizeof(name));
		copy_part(sql->base, name);
	}
	buffer_release(&body);
	return error ? error : out_sql_ops.end(sql);
}

void sql_share_end(struct sql_share *share)
{
	if (!share)
		return;
	crew_gather(share->crew);
	crew_end(share->crew);
	ranks_release(&share->who);
	free(share);
}
