/* SPDX-License-Identifier: MIT */
/*
 * recorder2csv.c - a trace as a table of text: all records, or the three files that Drishti reads in place of a trace.
 *
 * Drishti looks for TRACE.intervals.csv, TRACE.records.csv and TRACE.filemap.csv beside a trace that it is given, and makes them itself where they are not there. Their
 * columns, and which calls are in which, are its own:
 *
 *	intervals   file_id,rank,function,offset,size,start,end,api,duration    each read and write of POSIX, stdio and MPI-IO
 *	records     fname,rank,function,start,end,duration                      each call of POSIX and stdio; of opens, closes, seeks and syncs with the file
 *	filemap     file_id,file_name
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/analysis.h>

#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "ranks.h"
#include "rowmaker.h"
#include "rownames_told.h"
#include "sharedout.h"

static const char *output_path;
static bool force, no_args, drishti;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE",
	 "write to FILE, '-' for stdout (default: NAME.csv here); with --drishti to "
	 "FILE.intervals.csv "
	 "and so on",
	 &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace files that exist", &force, NULL},
	{OPTION_FLAG, 0, "drishti", NULL, "the three files that Drishti takes for a trace",
	 &drishti, NULL},
	{OPTION_CALL, 0, "files-class", "CLASS",
	 "with --drishti: data (default), software, system, pipe, socket, several, or all", NULL,
	 options_parse_class},
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
	.name = "recorder2csv",
	.synopsis = "[options] [DIR]",
	.summary =
		"Converts a trace to comma-separated values (RFC 4180), a row for each record; "
		"times are seconds\n"
		"since the trace's start. Or to the three files that Drishti takes in place of a "
		"trace.\n"
		"DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder2csv trace                               trace.csv\n"
		    "  recorder2csv -o - --functions 'p*' trace | head\n"
		    "  recorder2csv --drishti trace && drishti trace\n",
};

enum { ROWS, INTERVALS, RECORDS, FILEMAP, OUTPUTS };

static const char *const endings[OUTPUTS] = {"", ".intervals.csv", ".records.csv", ".filemap.csv"};

struct out_csv {
	struct output outputs[OUTPUTS];
	bool open[OUTPUTS];
	char *paths[OUTPUTS];
	/* Where rows go: to their outputs, or this rank's parts of them. Of Drishti's `rows` are the records. */
	struct output *rows, *intervals;
	struct output text; /* for texts on their way to UTF-8 */
	struct row_maker maker;
};

/* ---- fields ---- */

static void put_number(struct output *to, int64_t value, int64_t none)
{
	if (value != none)
		output_i64(to, value);
	output_char(to, ',');
}

static void put_seconds(struct output *to, int64_t ns)
{
	output_decimal(to, ns, 9);
	output_char(to, ',');
}

/* Any bytes, by the rule of json.h, without a comma behind it. */
static void put_last(struct out_csv *out, struct output *to, const char *bytes)
{
	out->text.next = out->text.buffer;
	utf8_string(&out->text, bytes, strlen(bytes));
	output_char(&out->text, '\0');
	if (out->text.error)
		die("out of memory");
	output_csv(to, out->text.buffer);
}

static void put_text(struct out_csv *out, struct output *to, const char *bytes)
{
	if (bytes && *bytes)
		put_last(out, to, bytes);
	output_char(to, ',');
}

static void put_word(struct output *to, const char *word)
{
	output_text(to, word);
	output_char(to, ',');
}

/* The same of a name that programs may choose: "vec<int, 3>::push" */
static void put_name(struct out_csv *out, struct output *to, const char *name)
{
	bool plain = *name != '\0';

	for (const char *at = name; *at && plain; at++)
		plain = *at >= ' ' && *at != ',' && *at != '"' && *at != 0x7f;
	if (plain)
		put_word(to, name);
	else
		put_text(out, to, name);
}

/* ---- all records ---- */

static const char header[] = "id,parent,stream,world,rank,tid,thread,level,layer,function,"
			     "operation,tstart,tend,duration,self,"
			     "calls,ret,errno,path,class,bytes,offset,peer,peer_world,tag,comm,"
			     "comm_name,sent,received,place,"
			     "epoch,step,sample,note,args\n";

static void put_place(struct out_csv *out, struct output *to, const struct call_row *row)
{
	put_number(to, row->id, 0);
	put_number(to, row->parent, 0);
	put_number(to, row->stream, -1);
	put_number(to, row->world, INT64_MIN);
	put_number(to, row->rank, INT64_MIN);
	put_number(to, row->tid, -1);
	put_number(to, row->thread, -1);
	put_number(to, row->level, -1);
	put_name(out, to, row->layer);
	put_name(out, to, row->function);
	put_word(to, row->operation);
	put_seconds(to, row->tstart);
	put_seconds(to, row->tend);
	put_seconds(to, row->duration);
	put_seconds(to, row->self);
	put_number(to, row->calls, -1);
}

static void put_result(struct output *to, const struct call_row *row)
{
	char text[40];

	if (row->real) {
		snprintf(text, sizeof(text), "%.17g", row->ret_real);
		put_word(to, text);
	} else {
		put_number(to, row->ret, ROW_NONE);
	}
	put_word(to, row->failure);
}

static void put_message(struct out_csv *out, struct output *to, const struct call_row *row)
{
	struct row_comm comm = {.name = ""};

	put_number(to, row->peer, ROW_NONE);
	put_number(to, row->peer_world, ROW_NONE);
	put_number(to, row->tag, ROW_NONE);
	put_number(to, row->comm, 0);
	rownames_comm_at(out->maker.names, (uint32_t)row->comm, &comm);
	put_text(out, to, comm.name);
	put_number(to, row->sent, ROW_NONE);
	put_number(to, row->received, ROW_NONE);
}

static void take_row(void *data, const struct call_row *row)
{
	struct out_csv *out = data;
	struct output *to = out->rows;
	const struct callsite *site;
	struct row_file file = {.path = "", .class = ""};
	char note[ROW_NOTE_ROOM];

	/* they are no records */
	if (row->flags & RECORDER_IN_FLIGHT)
		return;
	put_place(out, to, row);
	put_result(to, row);
	rownames_file_at(out->maker.names, (uint32_t)row->file, &file);
	put_text(out, to, file.path);
	put_word(to, file.class);
	put_number(to, row->bytes, ROW_NONE);
	put_number(to, row->offset, ROW_NONE);
	put_message(out, to, row);
	site = rownames_callsite_at(out->maker.names, (uint32_t)row->callsite);
	put_text(out, to, site ? site->text : "");
	for (unsigned tag = 0; tag < READER_TAGS; tag++)
		put_number(to, row->tags[tag], ROW_NONE);
	put_text(out, to, row_note(row->flags, note));
	if (row->args.size > 0) {
		output_char(&out->text, '\0');
		out->text.next = out->text.buffer;
		output_bytes(&out->text, (const char *)row->args.bytes, row->args.size);
		output_char(&out->text, '\0');
		output_csv(to, out->text.buffer);
	}
	output_char(to, '\n');
}

/* ---- Drishti ---- */

static bool has_any(const char *name, const char *const *parts)
{
	for (; *parts; parts++)
		if (strstr(name, *parts))
			return true;
	return false;
}

static bool is_of_posix(const struct call_row *row)
{
	return !strcmp(row->layer, "posix") || !strcmp(row->layer, "stdio") ||
	       !strcmp(row->layer, "kernel");
}

/* As its rows are told apart: by the name. */
static const char *api_of(const char *function)
{
	return strstr(function, "MPI") ? "MPI-IO" : strstr(function, "H5") ? "H5F" : "POSIX";
}

static bool is_shown(const struct row_file *file)
{
	return (options.file_classes & analysis_file_class_set(file->class)) != 0;
}

static void put_interval(struct out_csv *out, struct output *to, const struct call_row *row)
{
	put_number(to, row->file - 1, -1);
	put_number(to, row->rank, INT64_MIN);
	put_name(out, to, row->function);
	put_number(to, row->offset, ROW_NONE);
	put_number(to, row->bytes, ROW_NONE);
	put_seconds(to, row->tstart);
	put_seconds(to, row->tend);
	put_word(to, api_of(row->function));
	output_decimal(to, row->tend - row->tstart, 9);
	output_char(to, '\n');
}

static void put_record(struct out_csv *out, struct output *to, const struct call_row *row,
		       const char *path)
{
	static const char *const named[] = {"open", "close", "creat", "seek", "sync", NULL};

	put_text(out, to, has_any(row->function, named) ? path : "");
	put_number(to, row->rank, INT64_MIN);
	put_name(out, to, row->function);
	put_seconds(to, row->tstart);
	put_seconds(to, row->tend);
	output_decimal(to, row->tend - row->tstart, 9);
	output_char(to, '\n');
}

static bool is_transfer(const struct call_row *row)
{
	return (!strcmp(row->operation, "read") || !strcmp(row->operation, "write")) &&
	       row->bytes > 0 && row->offset != ROW_NONE;
}

/* Calls on files that are not shown are not, either. */
static void take_for_drishti(void *data, const struct call_row *row)
{
	struct out_csv *out = data;
	struct row_file file = {.path = "", .class = ""};
	bool named = rownames_file_at(out->maker.names, (uint32_t)row->file, &file);

	if (row->flags & RECORDER_IN_FLIGHT || (named && !is_shown(&file)))
		return;
	if (is_of_posix(row))
		put_record(out, out->rows, row, file.path);
	/* others were never open, and have numbers that depend on what was read before */
	if (!named || !is_transfer(row) || row->file > rownames_numbered(out->maker.names))
		return;
	if (is_of_posix(row) || !strcmp(row->layer, "mpiio"))
		put_interval(out, out->intervals, row);
}

static void put_filemap(struct out_csv *out)
{
	struct output *to = &out->outputs[FILEMAP];
	struct row_file file;

	for (uint32_t i = 1; rownames_file_at(out->maker.names, i, &file); i++) {
		if (!file.used || !is_shown(&file))
			continue;
		output_u64(to, i - 1);
		output_char(to, ',');
		put_last(out, to, file.path);
		output_char(to, '\n');
	}
}

/* ---- the walk ---- */

static int csv_begin(void *self, const struct walk *walk)
{
	struct out_csv *out = self;

	out->maker.rows.take = drishti ? take_for_drishti : take_row;
	out->maker.rows.data = out;
	out->maker.fills_args = !drishti && !no_args;
	out->maker.fills_callsites = !drishti;
	if (output_memory(&out->text))
		return -ENOMEM;
	if (drishti) {
		out->maker.names = rownames_new(walk->trace);
		rownames_number_files(out->maker.names);
	}
	return row_maker_begin(&out->maker, walk);
}

static int csv_call(void *self, const struct recorder_record *record)
{
	struct out_csv *out = self;

	row_maker_call(&out->maker, record);
	return 0;
}

static int csv_end(void *self)
{
	struct out_csv *out = self;

	row_maker_end(&out->maker);
	return 0;
}

static void csv_release(struct out_csv *out)
{
	row_maker_release(&out->maker);
	output_cancel(&out->text);
}

static const struct walk_ops ops = {.begin = csv_begin, .call = csv_call, .end = csv_end};

/* ---- files ---- */

static void open_output(struct out_csv *out, unsigned which)
{
	static const char *const headers[OUTPUTS] = {
		header, "file_id,rank,function,offset,size,start,end,api,duration\n",
		"fname,rank,function,start,end,duration\n", "file_id,file_name\n"};
	struct output_options output_options = {.force = force, .jobs = 1};

	if (asprintf(&out->paths[which], "%s%s", output_path, endings[which]) < 0)
		die("out of memory");
	output_begin(&out->outputs[which], out->paths[which], &output_options);
	out->open[which] = true;
	output_text(&out->outputs[which], headers[which]);
}

/* Of a block of rows: how many records there were. */
static void add_records(void *data, const void *about, size_t size)
{
	struct walk *walk = data;
	uint64_t records;

	if (size == sizeof(records)) {
		memcpy(&records, about, sizeof(records));
		walk->records += records;
	}
}

/* Of a block of intervals: the names that were found with it. */
static void add_names(void *data, const void *about, size_t size)
{
	struct out_csv *out = data;

	if (!rownames_learn(out->maker.names, about, size))
		die("what another rank found is not of this trace");
}

static void end_blocks(const struct walk *walk, struct out_csv *out, struct shared_output *shared)
{
	struct buffer records = {0}, names = {0};

	buffer_add(&records, &walk->records, sizeof(walk->records));
	shared_output_end_block(shared, 0, &records);
	buffer_release(&records);
	if (!drishti)
		return;
	rownames_tell(out->maker.names, &names);
	shared_output_end_block(shared, 1, &names);
	buffer_release(&names);
}

/* Ranks but the first do not come back. */
static int convert_together(struct walk *walk, struct out_csv *out, struct shared_output *shared)
{
	int error;

	walk_by_stream(walk, shared_output_count(shared), shared_output_number(shared));
	out->rows = shared_output_part(shared, 0);
	out->intervals = shared_output_part(shared, 1);
	error = walk_run(walk, &ops, out);
	if (error)
		return error;
	end_blocks(walk, out, shared);
	if (shared_output_number(shared) > 0)
		shared_output_leave(shared);
	walk->records = 0;
	error = shared_output_join(shared, 0, &out->outputs[drishti ? RECORDS : ROWS], add_records,
				   walk);
	if (!error && drishti)
		error = shared_output_join(shared, 1, &out->outputs[INTERVALS], add_names, out);
	return error;
}

static int convert_alone(struct walk *walk, struct out_csv *out)
{
	out->rows = &out->outputs[drishti ? RECORDS : ROWS];
	out->intervals = &out->outputs[INTERVALS];
	return walk_run(walk, &ops, out);
}

static void convert(struct walk *walk)
{
	struct shared_output *shared =
		shared_output_begin(output_path, walk->trace, drishti ? 2 : 1);
	unsigned first = drishti ? INTERVALS : ROWS, end = drishti ? OUTPUTS : ROWS + 1;
	struct out_csv out = {0};
	int error;

	for (unsigned i = first; i < end && !ranks_follows(); i++)
		open_output(&out, i);
	error = shared ? convert_together(walk, &out, shared) : convert_alone(walk, &out);
	if (!error && drishti)
		put_filemap(&out);
	csv_release(&out);
	for (unsigned i = first; i < end; i++) {
		if (!error)
			error = output_commit(&out.outputs[i]);
		else
			output_cancel(&out.outputs[i]);
		if (error)
			output_die(out.paths[i], error);
		free(out.paths[i]);
	}
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
	if (drishti && output_path && !strcmp(output_path, "-"))
		options_usage_error(&command, "three files cannot go to stdout");
	options.filter.in_flight = 1;     /* as in databases: they have numbers, too */
	message_quiet |= ranks_follows(); /* the first tells of what all find */
	walk_open(&walk, argv[at]);
	walk_by_stream(&walk, 1, 0);
	if (!output_path)
		output_path = path = drishti ? trace_name(walk.info.dir)
					     : trace_output_path(walk.info.dir, "csv");
	convert(&walk);
	if (strcmp(output_path, "-") != 0)
		message_note("%" PRIu64 " records in %s%s", walk.records, output_path,
			     drishti ? ".records.csv and two more" : "");
	whole = trace_is_whole(walk.trace);
	walk_close(&walk);
	free(path);
	return options.strict && !whole ? EXIT_FAILED : EXIT_DONE;
}
