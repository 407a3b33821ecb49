/* SPDX-License-Identifier: MIT */
/* sqlshare.c - see sqlshare.h */
#include "sqlshare.h"

#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "damage.h"
#include "message.h"
#include "rownames_told.h"
#include "sqlschema.h"
#include "streamshare.h"
#include "temporary.h"

enum { PLACE = CREW_FIRST_TYPE, NAMES, ROWS, COPIED, INDEXED };

struct sql_share {
	struct ranks who;
	struct crew *crew;
	unsigned known;   /* problems of the trace, at first */
	const char *path; /* of the database, as it is shown */
	char *file;       /* as it is called until it is whole */
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
	share->path = path;
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

	for (unsigned i = 0; i < share->who.count; i++) {
		while (!crew_hear(share->crew, i, 0, NAMES, &body))
			crew_wait(share->crew, i);
		if (!rownames_learn(names, body.bytes, body.size))
			die("what rank %u found is not of this trace", i);
	}
	buffer_release(&body);
	return names;
}

/* ---- taking turns ---- */

/* Until rank `number` has done its turn `turn` of a kind. */
static void await(struct sql_share *share, unsigned number, uint32_t kind, uint32_t turn)
{
	struct buffer body = {0};
	uint32_t done = UINT32_MAX;

	while (number != share->who.number && done != turn) {
		while (!crew_hear(share->crew, number, 0, kind, &body))
			crew_wait(share->crew, number);
		if (body.size == sizeof(done))
			memcpy(&done, body.bytes, sizeof(done));
	}
	buffer_release(&body);
}

static void say_done(struct sql_share *share, uint32_t kind, uint32_t turn)
{
	crew_say(share->crew, kind, &turn, sizeof(turn));
}

static void run_alone(const struct sql_share *share, const char *sql)
{
	struct sqlbase base;

	sqlbase_open(&base, share->file, share->path);
	sqlbase_run(&base, sql);
	sqlbase_close(&base);
}

/* Those of this rank; turn 0 was the first rank's, when all rows were there. */
static void make_indices(struct sql_share *share)
{
	uint32_t count = share->who.count;

	for (uint32_t turn = 1; sql_indices[turn - 1]; turn++) {
		if (turn % count != share->who.number)
			continue;
		await(share, (turn - 1) % count, INDEXED, turn - 1);
		run_alone(share, sql_indices[turn - 1]);
		say_done(share, INDEXED, turn);
	}
}

/* ---- all but the first rank ---- */

static void hear_place(struct sql_share *share)
{
	struct buffer body = {0};

	while (!crew_hear(share->crew, 0, 0, PLACE, &body))
		crew_wait(share->crew, 0);
	share->file = strndup((const char *)body.bytes, body.size);
	if (!share->file)
		die("out of memory");
	buffer_release(&body);
}

/* A database of this rank's rows, called `name`. */
static void make_part(struct walk *walk, struct rownames *names, const char *name, bool no_args)
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
	int error;

	output_begin(&output, name, &output_options);
	sqlbase_open(&base, output.temporary, name);
	out_sql_schema(&base);
	error = walk_run(walk, &out_sql_ops, &sql);
	if (error)
		output_die(name, error);
	sqlbase_close(&base);
	output_end(&output);
	if (temporary_add(name))
		die("cannot keep '%s'", name);
}

/* The tables are the same: SQLite copies their rows without looking into them. */
static void copy_part(const struct sql_share *share, const char *name)
{
	sqlite3_stmt *attach;
	struct sqlbase base;

	sqlbase_open(&base, share->file, share->path);
	sqlbase_run(&base, "COMMIT");
	attach = sqlbase_prepare(&base, "ATTACH ? AS part");
	sqlbase_check(&base, sqlite3_bind_text(attach, 1, name, -1, SQLITE_STATIC));
	sqlbase_check(&base, sqlite3_step(attach));
	sqlite3_finalize(attach);
	sqlbase_run(&base, "BEGIN;"
			   "INSERT INTO main.records SELECT * FROM part.records;"
			   "INSERT INTO main.in_flight SELECT * FROM part.in_flight;"
			   "COMMIT; DETACH part; BEGIN");
	sqlbase_close(&base);
}

void sql_share_leave(struct sql_share *share, struct walk *walk, bool no_args)
{
	char name[4096];

	hear_place(share);
	ranks_file(&share->who, share->who.number, ".part", name, sizeof(name));
	walk_by_stream(walk, share->who.count, share->who.number);
	say_names(share, walk);
	make_part(walk, hear_names(share, walk), name, no_args);
	crew_say(share->crew, ROWS, &walk->records, sizeof(walk->records));
	damage_tell(share->crew, walk->trace, share->known);
	await(share, share->who.number - 1, COPIED, 0);
	copy_part(share, name);
	say_done(share, COPIED, 0);
	make_indices(share);
	crew_leave(share->crew);
	exit(EXIT_DONE); /* removes the part */
}

/* ---- the first rank ---- */

/* All tables but those that tell of the trace, with this rank's rows. */
static void begin_database(struct sql_share *share, struct walk *walk, bool no_args)
{
	struct sqlbase base;
	struct out_sql sql = {.base = &base,
			      .walk = walk,
			      .wanted = UINT64_MAX,
			      .wanted_open = UINT64_MAX,
			      .no_args = no_args,
			      .names = hear_names(share, walk)};
	int error;

	sqlbase_open(&base, share->file, share->path);
	out_sql_schema(&base);
	error = walk_run(walk, &out_sql_ops, &sql);
	if (error)
		output_die(share->path, error);
	sqlbase_close(&base);
}

/* What the other ranks have found. */
static void hear_rows(struct sql_share *share, struct walk *walk)
{
	struct buffer body = {0};
	uint64_t records;

	for (unsigned i = 1; i < share->who.count; i++) {
		while (!crew_hear(share->crew, i, 0, ROWS, &body))
			crew_wait(share->crew, i);
		if (body.size != sizeof(records))
			die("rank %u has made something else", i);
		memcpy(&records, body.bytes, sizeof(records));
		walk->records += records;
		damage_learn(share->crew, i, walk->trace);
	}
	buffer_release(&body);
}

void sql_share_make(struct sql_share *share, struct walk *walk, const char *file, const char *path,
		    bool no_args)
{
	struct sqlbase base;
	uint32_t turns = 0;

	share->path = path;
	share->file = strdup(file);
	if (!share->file)
		die("out of memory");
	crew_say(share->crew, PLACE, file, strlen(file));
	walk_by_stream(walk, share->who.count, 0);
	say_names(share, walk);
	begin_database(share, walk, no_args);
	say_done(share, COPIED, 0);
	hear_rows(share, walk);
	await(share, share->who.count - 1, COPIED, 0);
	sqlbase_open(&base, file, path);
	out_sql_trace(&base, walk);
	sqlbase_close(&base);
	say_done(share, INDEXED, 0);
	make_indices(share);
	while (sql_indices[turns])
		turns++;
	await(share, turns % share->who.count, INDEXED, turns);
	run_alone(share, sql_statistics);
}

void sql_share_end(struct sql_share *share)
{
	if (!share)
		return;
	crew_gather(share->crew);
	crew_end(share->crew);
	ranks_release(&share->who);
	free(share->file);
	free(share);
}
