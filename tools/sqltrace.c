/* SPDX-License-Identifier: MIT */
/* sqltrace.c - the tables of a database that tell of the trace itself, see out_sql.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "completeness.h"
#include "message.h"
#include "options.h"
#include "out_sql.h"
#include "sqlschema.h"

/* ---- trace: name, value ---- */

struct pairs {
	struct sqlbase *base;
	sqlite3_stmt *insert;
};

static void pair_text(struct pairs *pairs, const char *name, const char *text)
{
	sqlbase_word(pairs->base, pairs->insert, 1, name);
	sqlbase_text(pairs->base, pairs->insert, 2, text);
	sqlbase_step(pairs->base, pairs->insert);
}

static void pair_number(struct pairs *pairs, const char *name, int64_t number)
{
	sqlbase_word(pairs->base, pairs->insert, 1, name);
	sqlbase_integer(pairs->base, pairs->insert, 2, number);
	sqlbase_step(pairs->base, pairs->insert);
}

static void add_condition(char **text, const char *name, const char *value)
{
	char *longer;

	if (!value)
		return;
	if (asprintf(&longer, "%s%s--%s %s", *text ? *text : "", *text ? " " : "", name, value) < 0)
		die("out of memory");
	free(*text);
	*text = longer;
}

/* The filter as it was given, times in seconds; NULL: none. To be freed. */
static char *filter_text(void)
{
	const struct reader_filter *filter = &options.filter;
	char *text = NULL, window[80], least[40];

	snprintf(window, sizeof(window), "%.9f..%.9f", (double)filter->after / 1e9,
		 (double)filter->before / 1e9);
	if (!filter->before)
		snprintf(window, sizeof(window), "%.9f..", (double)filter->after / 1e9);
	snprintf(least, sizeof(least), "%" PRId64 "ns", filter->min_duration);
	add_condition(&text, "ranks", filter->ranks);
	add_condition(&text, "worlds", filter->worlds);
	add_condition(&text, "tids", filter->tids);
	add_condition(&text, "streams", filter->streams);
	add_condition(&text, "levels", filter->levels);
	add_condition(&text, "time", filter->after || filter->before ? window : NULL);
	add_condition(&text, "layers", filter->layers);
	add_condition(&text, "functions", filter->functions);
	add_condition(&text, "files", filter->files);
	add_condition(&text, "min-duration", filter->min_duration ? least : NULL);
	add_condition(&text, "callers", options.callers);
	return text;
}

static void write_start(struct pairs *pairs, int64_t start)
{
	time_t seconds = (time_t)(start / 1000000000 - (start % 1000000000 < 0));
	struct tm utc;
	char text[64];

	pair_number(pairs, "start", start);
	if (!gmtime_r(&seconds, &utc) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
		return;
	pair_text(pairs, "start_utc", text);
}

static void write_pairs(struct sqlbase *base, const struct walk *walk)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct pairs pairs = {base, sqlbase_prepare(base, "INSERT INTO trace VALUES (?, ?)")};
	char *filter = filter_text(), format[32];

	reader_info(walk->trace, &info);
	snprintf(format, sizeof(format), "%u.%u", info.format_major, info.format_minor);
	pair_number(&pairs, "schema", SQL_SCHEMA_VERSION);
	pair_text(&pairs, "converter", "recorder " RECORDER_VERSION);
	pair_text(&pairs, "dir", info.dir);
	pair_text(&pairs, "run_id", info.run_id);
	pair_text(&pairs, "format", format);
	write_start(&pairs, info.start);
	pair_number(&pairs, "duration", info.duration);
	pair_number(&pairs, "complete", trace_is_whole(walk->trace));
	pair_number(&pairs, "running", info.running);
	pair_number(&pairs, "unverified_clock", info.unverified_clock);
	pair_number(&pairs, "ranks", info.ranks);
	pair_number(&pairs, "worlds", info.worlds);
	pair_number(&pairs, "streams", info.streams);
	pair_number(&pairs, "records", (int64_t)info.records);
	pair_number(&pairs, "stored", (int64_t)info.stored);
	pair_number(&pairs, "in_flight", (int64_t)info.in_flight);
	pair_number(&pairs, "lost", (int64_t)info.lost);
	pair_number(&pairs, "unreadable", (int64_t)info.unreadable);
	pair_number(&pairs, "summed", (int64_t)info.summed);
	pair_number(&pairs, "rows", (int64_t)walk->records);
	pair_text(&pairs, "filter", filter);
	sqlite3_finalize(pairs.insert);
	free(filter);
}

/* ---- streams and threads ---- */

struct identity {
	uint64_t id;
	unsigned stream;
};

static int by_id(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->stream > y->stream) - (x->stream < y->stream);
}

static int same_id(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* The streams by identity. To be freed. */
static struct identity *identities(const struct walk *walk)
{
	struct identity *list = calloc(walk->info.streams + 1, sizeof(*list));
	struct reader_stream stream = {.sz = sizeof(stream)};

	if (!list)
		die("out of memory");
	for (unsigned i = 0; i < walk->info.streams; i++)
		if (!reader_stream(walk->trace, i, &stream))
			list[i] = (struct identity){stream.id, i};
	qsort(list, walk->info.streams, sizeof(*list), by_id);
	return list;
}

static const char *state_word(enum reader_stream_state state)
{
	switch (state) {
	case READER_CLEAN:
		return "clean";
	case READER_RUNNING:
		return "running";
	case READER_DIED:
		break;
	}
	return "died";
}

static void write_stream(struct sqlbase *base, sqlite3_stmt *to, unsigned index,
			 const struct reader_stream *stream, int64_t parent)
{
	int at = 0;

	sqlbase_integer(base, to, ++at, index);
	sqlbase_text(base, to, ++at, stream->name);
	sqlbase_integer(base, to, ++at, stream->world);
	sqlbase_integer(base, to, ++at, stream->rank);
	sqlbase_known(base, to, ++at, stream->size, -1);
	sqlbase_integer(base, to, ++at, stream->main);
	sqlbase_integer(base, to, ++at, stream->pid);
	sqlbase_integer(base, to, ++at, stream->ppid);
	sqlbase_known(base, to, ++at, parent, -1);
	sqlbase_integer(base, to, ++at, stream->image);
	sqlbase_text(base, to, ++at, stream->host);
	sqlbase_text(base, to, ++at, stream->exe);
	sqlbase_text(base, to, ++at, stream->argv);
	sqlbase_text(base, to, ++at, stream->cwd);
	sqlbase_word(base, to, ++at, state_word(stream->state));
	sqlbase_text(base, to, ++at, *stream->reason ? stream->reason : NULL);
	sqlbase_known(base, to, ++at, stream->exit_status, -1);
	sqlbase_integer(base, to, ++at, (int64_t)stream->records);
	sqlbase_integer(base, to, ++at, (int64_t)stream->stored);
	sqlbase_integer(base, to, ++at, (int64_t)stream->in_flight);
	sqlbase_integer(base, to, ++at, (int64_t)stream->lost);
	sqlbase_integer(base, to, ++at, (int64_t)stream->unreadable);
	sqlbase_integer(base, to, ++at, stream->threads);
	sqlbase_integer(base, to, ++at, stream->start);
	sqlbase_integer(base, to, ++at, stream->end);
	sqlbase_known(base, to, ++at, stream->clock_error, -1);
	sqlbase_integer(base, to, ++at, stream->aside);
	sqlbase_integer(base, to, ++at, stream->outer_pid);
	sqlbase_step(base, to);
}

static void write_streams(struct sqlbase *base, const struct walk *walk)
{
	struct identity *list = identities(walk);
	struct reader_stream stream = {.sz = sizeof(stream)};
	sqlite3_stmt *insert = sqlbase_prepare(
		base, "INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		      "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	for (unsigned i = 0; i < walk->info.streams; i++) {
		struct identity wanted;
		const struct identity *parent;

		if (reader_stream(walk->trace, i, &stream))
			continue;
		wanted = (struct identity){stream.parent, 0};
		parent = bsearch(&wanted, list, walk->info.streams, sizeof(*list), same_id);
		write_stream(base, insert, i, &stream,
			     stream.parent && parent ? (int64_t)parent->stream : -1);
	}
	sqlite3_finalize(insert);
	free(list);
}

static void write_threads(struct sqlbase *base, const struct walk *walk)
{
	struct reader_thread thread = {.sz = sizeof(thread)};
	sqlite3_stmt *insert =
		sqlbase_prepare(base,
				"INSERT OR IGNORE INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");

	for (unsigned i = 0; i < walk->info.streams; i++)
		for (unsigned k = 0; !reader_thread(walk->trace, i, k, &thread); k++) {
			sqlbase_integer(base, insert, 1, i);
			sqlbase_integer(base, insert, 2, thread.index);
			sqlbase_integer(base, insert, 3, thread.tid);
			sqlbase_text(base, insert, 4, *thread.name ? thread.name : NULL);
			sqlbase_integer(base, insert, 5, thread.main);
			sqlbase_integer(base, insert, 6, (int64_t)thread.records);
			sqlbase_integer(base, insert, 7, (int64_t)thread.lost);
			sqlbase_integer(base, insert, 8, thread.start);
			sqlbase_text(base, insert, 9, *thread.module ? thread.module : NULL);
			sqlbase_step(base, insert);
		}
	sqlite3_finalize(insert);
}

/* ---- metadata ---- */

static void write_metadata_of(struct sqlbase *base, const struct reader *trace,
			      sqlite3_stmt *insert, unsigned stream)
{
	struct reader_value value;
	const char *key;

	for (unsigned i = 0; (key = reader_meta_key(trace, stream, i)); i++) {
		if (reader_meta(trace, stream, key, &value))
			continue;
		sqlbase_known(base, insert, 1, stream, READER_GLOBAL);
		sqlbase_text(base, insert, 2, key);
		switch (value.type) {
		case READER_U64:
			sqlbase_integer(base, insert, 3, (int64_t)value.u64);
			break;
		case READER_I64:
			sqlbase_integer(base, insert, 3, value.i64);
			break;
		case READER_F64:
			sqlbase_check(base, sqlite3_bind_double(insert, 3, value.f64));
			break;
		case READER_BYTES:
			sqlbase_bytes(base, insert, 3, value.bytes, value.size);
			break;
		}
		sqlbase_step(base, insert);
	}
}

static void write_metadata(struct sqlbase *base, const struct walk *walk)
{
	sqlite3_stmt *insert = sqlbase_prepare(base, "INSERT INTO metadata VALUES (?, ?, ?)");

	write_metadata_of(base, walk->trace, insert, READER_GLOBAL);
	for (unsigned i = 0; i < walk->info.streams; i++)
		write_metadata_of(base, walk->trace, insert, i);
	sqlite3_finalize(insert);
}

/* ---- what is missing ---- */

static void write_losses(struct sqlbase *base, const struct walk *walk)
{
	sqlite3_stmt *insert = sqlbase_prepare(base, "INSERT INTO losses VALUES (?, ?, ?)");
	const char *reason;
	uint64_t count;

	for (unsigned i = 0; i < walk->info.streams; i++)
		for (unsigned k = 0; !reader_loss(walk->trace, i, k, &reason, &count); k++) {
			sqlbase_integer(base, insert, 1, i);
			sqlbase_text(base, insert, 2, reason);
			sqlbase_known(base, insert, 3, (int64_t)count, 0);
			sqlbase_step(base, insert);
		}
	sqlite3_finalize(insert);
}

static void write_absences(struct sqlbase *base, const struct walk *walk)
{
	sqlite3_stmt *insert = sqlbase_prepare(base, "INSERT INTO absent VALUES (?, ?, ?, ?)");
	struct absences absences = {0};

	absences_collect(&absences, walk->trace);
	for (size_t i = 0; i < absences.count; i++) {
		sqlbase_integer(base, insert, 1, absences.list[i].world);
		sqlbase_integer(base, insert, 2, absences.list[i].first);
		sqlbase_integer(base, insert, 3, absences.list[i].last);
		sqlbase_known(base, insert, 4, absences.list[i].size, -1);
		sqlbase_step(base, insert);
	}
	absences_release(&absences);
	sqlite3_finalize(insert);
}

static void write_problems(struct sqlbase *base, const struct walk *walk)
{
	sqlite3_stmt *insert = sqlbase_prepare(base, "INSERT INTO problems VALUES (?)");
	const char *text;

	for (unsigned i = 0; (text = reader_problem(walk->trace, i)); i++) {
		sqlbase_text(base, insert, 1, text);
		sqlbase_step(base, insert);
	}
	sqlite3_finalize(insert);
}

void out_sql_trace(struct sqlbase *base, struct walk *walk)
{
	write_pairs(base, walk);
	write_streams(base, walk);
	write_threads(base, walk);
	write_metadata(base, walk);
	write_losses(base, walk);
	write_absences(base, walk);
	write_problems(base, walk);
}
