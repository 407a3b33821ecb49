/* SPDX-License-Identifier: MIT */
/* recorder2parquet.c - a trace as a table of Apache Parquet */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "message.h"
#include "options.h"
#include "parquet.h"
#include "ranks.h"
#include "rowmaker.h"
#include "sharedout.h"

#define GROUP_ROWS 16384u /* rows of a row group at most */

static const char *output_path;
static bool force, no_args;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE",
	 "write to FILE, '-' for stdout (default: NAME.parquet here)", &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	{OPTION_FLAG, 0, "no-args", NULL, "leave the column args empty: a smaller file", &no_args,
	 NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder2parquet",
	.synopsis = "[options] [DIR]",
	.summary = "Converts a trace to a table of Apache Parquet, a row for each record, for "
		   "Spark, Dask, DuckDB,\n"
		   "pandas and the like. DIR defaults to the newest trace in the working "
		   "directory.",
	.groups = groups,
	.examples = "  recorder2parquet trace                           trace.parquet\n"
		    "  recorder2parquet -o io.parquet --layers posix,mpiio trace\n"
		    "  duckdb -c \"SELECT function, sum(self) FROM 'trace.parquet' GROUP BY 1\"\n",
};

static const struct parquet_column columns[] = {
	{"id", PARQUET_INT64, false},        {"parent", PARQUET_INT64, true},
	{"stream", PARQUET_INT32, false},    {"world", PARQUET_INT32, false},
	{"rank", PARQUET_INT32, false},      {"tid", PARQUET_INT32, false},
	{"thread", PARQUET_INT32, false},    {"level", PARQUET_INT32, false},
	{"layer", PARQUET_TEXT, false},      {"function", PARQUET_TEXT, false},
	{"operation", PARQUET_TEXT, false},  {"tstart", PARQUET_INT64, false},
	{"tend", PARQUET_INT64, false},      {"duration", PARQUET_INT64, false},
	{"self", PARQUET_INT64, false},      {"calls", PARQUET_INT64, false},
	{"ret", PARQUET_INT64, true},        {"ret_real", PARQUET_DOUBLE, true},
	{"errno", PARQUET_TEXT, true},       {"path", PARQUET_TEXT, true},
	{"class", PARQUET_TEXT, true},       {"bytes", PARQUET_INT64, true},
	{"offset", PARQUET_INT64, true},     {"peer", PARQUET_INT32, true},
	{"peer_world", PARQUET_INT32, true}, {"tag", PARQUET_INT64, true},
	{"comm", PARQUET_INT32, true},       {"comm_name", PARQUET_TEXT, true},
	{"sent", PARQUET_INT64, true},       {"received", PARQUET_INT64, true},
	{"place", PARQUET_TEXT, true},       {"epoch", PARQUET_INT64, true},
	{"step", PARQUET_INT64, true},       {"sample", PARQUET_INT64, true},
	{"note", PARQUET_TEXT, true},        {"args", PARQUET_TEXT, true},
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct out_parquet {
	struct parquet *parquet;
	struct row_maker maker;
	struct output text; /* for texts on their way to UTF-8 */
	uint64_t rows;      /* of the group */
};

/* ---- rows ---- */

static void put_known(struct parquet *to, int64_t value, int64_t none)
{
	if (value == none)
		parquet_null(to);
	else
		parquet_integer(to, value);
}

static void put_word(struct parquet *to, const char *word)
{
	if (word && *word)
		parquet_text(to, word, strlen(word));
	else
		parquet_null(to);
}

/* Any bytes, by the rule of json.h. */
static void put_bytes(struct out_parquet *out, const char *bytes)
{
	struct output *text = &out->text;

	text->next = text->buffer;
	utf8_string(text, bytes, strlen(bytes));
	if (text->error)
		die("out of memory");
	parquet_text(out->parquet, text->buffer, (size_t)(text->next - text->buffer));
}

static void put_place(struct parquet *to, const struct call_row *row)
{
	parquet_integer(to, row->id);
	put_known(to, row->parent, 0);
	parquet_integer(to, row->stream);
	parquet_integer(to, row->world);
	parquet_integer(to, row->rank);
	parquet_integer(to, row->tid);
	parquet_integer(to, row->thread);
	parquet_integer(to, row->level);
	parquet_text(to, row->layer, strlen(row->layer));
	parquet_text(to, row->function, strlen(row->function));
	parquet_text(to, row->operation, strlen(row->operation));
	parquet_integer(to, row->tstart);
	parquet_integer(to, row->tend);
	parquet_integer(to, row->duration);
	parquet_integer(to, row->self);
	parquet_integer(to, row->calls);
}

static void put_result(struct parquet *to, const struct call_row *row)
{
	put_known(to, row->real ? ROW_NONE : row->ret, ROW_NONE);
	if (row->real)
		parquet_double(to, row->ret_real);
	else
		parquet_null(to);
	put_word(to, row->failure);
}

static void put_file(struct out_parquet *out, const struct call_row *row)
{
	struct row_file file;

	if (!rownames_file_at(out->maker.names, (uint32_t)row->file, &file)) {
		parquet_null(out->parquet);
		parquet_null(out->parquet);
		return;
	}
	put_bytes(out, file.path);
	put_word(out->parquet, file.class);
}

static void put_message(struct out_parquet *out, const struct call_row *row)
{
	struct parquet *to = out->parquet;
	struct row_comm comm;

	put_known(to, row->peer, ROW_NONE);
	put_known(to, row->peer_world, ROW_NONE);
	put_known(to, row->tag, ROW_NONE);
	put_known(to, row->comm, 0);
	if (rownames_comm_at(out->maker.names, (uint32_t)row->comm, &comm) && *comm.name)
		put_bytes(out, comm.name);
	else
		parquet_null(to);
	put_known(to, row->sent, ROW_NONE);
	put_known(to, row->received, ROW_NONE);
}

static void take_row(void *data, const struct call_row *row)
{
	struct out_parquet *out = data;
	struct parquet *to = out->parquet;
	const struct callsite *site;
	char note[ROW_NOTE_ROOM];

	/* they are no records */
	if (row->flags & RECORDER_IN_FLIGHT)
		return;
	if (out->rows++ == GROUP_ROWS) {
		parquet_cut(to);
		out->rows = 1;
	}
	put_place(to, row);
	put_result(to, row);
	put_file(out, row);
	put_known(to, row->bytes, ROW_NONE);
	put_known(to, row->offset, ROW_NONE);
	put_message(out, row);
	site = rownames_callsite_at(out->maker.names, (uint32_t)row->callsite);
	if (site)
		put_bytes(out, site->text);
	else
		parquet_null(to);
	for (unsigned tag = 0; tag < READER_TAGS; tag++)
		put_known(to, row->tags[tag], ROW_NONE);
	put_word(to, row_note(row->flags, note));
	if (row->args.size)
		parquet_text(to, (const char *)row->args.bytes, row->args.size);
	else
		parquet_null(to);
}

/* ---- the walk ---- */

static int parquet_walk_begin(void *self, const struct walk *walk)
{
	struct out_parquet *out = self;

	out->maker.rows.take = take_row;
	out->maker.rows.data = out;
	out->maker.fills_args = !no_args;
	out->maker.fills_callsites = true;
	if (output_memory(&out->text))
		return -ENOMEM;
	return row_maker_begin(&out->maker, walk);
}

static int parquet_walk_call(void *self, const struct recorder_record *record)
{
	struct out_parquet *out = self;

	row_maker_call(&out->maker, record);
	return 0;
}

/* Groups end with batches, so that they are the same whoever makes them. */
static int parquet_walk_batch(void *self)
{
	struct out_parquet *out = self;

	row_maker_end(&out->maker);
	if (out->rows > 0)
		parquet_cut(out->parquet);
	out->rows = 0;
	return 0;
}

static int parquet_walk_end(void *self)
{
	struct out_parquet *out = self;

	row_maker_release(&out->maker);
	output_cancel(&out->text);
	return 0;
}

static const struct walk_ops ops = {
	.begin = parquet_walk_begin,
	.call = parquet_walk_call,
	.batch = parquet_walk_batch,
	.end = parquet_walk_end,
};

static void note_number(struct parquet *parquet, const char *key, int64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	parquet_note(parquet, key, text);
}

/* What is known of the trace when it has been read. */
static void write_notes(struct parquet *parquet, const struct walk *walk)
{
	struct reader_info info = {.sz = sizeof(info)};

	reader_info(walk->trace, &info);
	parquet_note(parquet, "recorder.run_id", info.run_id);
	note_number(parquet, "recorder.start", info.start);
	note_number(parquet, "recorder.duration", info.duration);
	note_number(parquet, "recorder.ranks", info.ranks);
	note_number(parquet, "recorder.records", (int64_t)info.records);
	note_number(parquet, "recorder.lost", (int64_t)info.lost);
	note_number(parquet, "recorder.unreadable", (int64_t)info.unreadable);
	note_number(parquet, "recorder.in_flight", (int64_t)info.in_flight);
	note_number(parquet, "recorder.complete", trace_is_whole(walk->trace));
}

/* Where parts of ranks go. */
struct whole {
	struct walk *walk;
	struct parquet *parquet;
};

static void adopt(void *data, const void *about, size_t size)
{
	struct whole *whole = data;
	uint64_t records;

	if (size < sizeof(records))
		die("a rank has said nothing of its groups");
	memcpy(&records, about, sizeof(records));
	whole->walk->records += records;
	parquet_adopt(whole->parquet, (const char *)about + sizeof(records),
		      size - sizeof(records));
}

/* Ranks but the first do not come back. */
static int convert_together(struct walk *walk, struct out_parquet *out,
			    struct shared_output *shared, struct output *output)
{
	struct whole whole = {walk, out->parquet};
	struct buffer made, about = {0};
	int error;

	walk_by_stream(walk, shared_output_count(shared), shared_output_number(shared));
	out->parquet = parquet_new_part(shared_output_part(shared, 0), columns, COLUMNS);
	error = walk_run(walk, &ops, out);
	if (error)
		return error;
	parquet_take(out->parquet, &made);
	parquet_free(out->parquet);
	buffer_add(&about, &walk->records, sizeof(walk->records));
	buffer_add(&about, made.bytes, made.size);
	shared_output_end_block(shared, 0, &about);
	buffer_release(&made);
	buffer_release(&about);
	if (shared_output_number(shared) > 0)
		shared_output_leave(shared);
	walk->records = 0;
	return shared_output_join(shared, 0, output, adopt, &whole);
}

static void convert(struct walk *walk, const char *path)
{
	struct output_options output_options = {.force = force, .jobs = 1};
	struct shared_output *shared = shared_output_begin(path, walk->trace, 1);
	struct out_parquet out = {0};
	struct output output;
	int error = ranks_follows() ? output_memory(&output)
				    : output_open(&output, path, &output_options);
	struct parquet *parquet;

	if (error)
		output_die(path, error);
	parquet = parquet_new(&output, columns, COLUMNS);
	out.parquet = parquet;
	error = shared ? convert_together(walk, &out, shared, &output) : walk_run(walk, &ops, &out);
	if (!error) {
		write_notes(parquet, walk);
		parquet_end(parquet);
		error = output_commit(&output);
	} else {
		output_cancel(&output);
	}
	parquet_free(parquet);
	if (error)
		output_die(path, error);
	shared_output_end(shared);
}

int main(int argc, char **argv)
{
	struct walk walk;
	int at = options_parse(&command, argc, argv);
	char *path = NULL;
	bool whole;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	options.filter.in_flight = 1;
	message_quiet |= ranks_follows(); /* the first tells of what all find */
	walk_open(&walk, argv[at]);
	walk_by_stream(&walk, 1, 0);
	if (!output_path)
		output_path = path = trace_output_path(walk.info.dir, "parquet");
	convert(&walk, output_path);
	if (strcmp(output_path, "-") != 0)
		message_note("%" PRIu64 " records in %s", walk.records, output_path);
	whole = trace_is_whole(walk.trace);
	walk_close(&walk);
	free(path);
	return options.strict && !whole ? EXIT_FAILED : EXIT_DONE;
}
