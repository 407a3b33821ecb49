/* SPDX-License-Identifier: MIT */
/* out_columns.c - see out_columns.h */
#include "out_columns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/kernel_events.h"
#include "callpresets.h"

/* A record whose line is made. */
struct line {
	struct out_columns *columns;
	const struct recorder_record *record;
	const struct reader_function_info *function;
};

struct column_cell {
	const char *name;
	void (*put)(const struct line *line);
};

#define CELLS_MAX 9

struct column_table {
	const char *name;
	const char *preset; /* of calls; NULL: requests to block devices */
	const char *only;   /* this call of it; NULL: all */
	struct column_cell cells[CELLS_MAX + 1];
};

/* Values --------------------------------------------------------------------------- */

static const struct recorder_arg *argument(const struct line *line, const char *name,
					   enum reader_class class_)
{
	for (unsigned i = 0; i < line->record->arg_count && i < line->function->arg_count; i++)
		if (!strcmp(line->function->args[i].name, name) &&
		    line->function->args[i].class_ == class_ &&
		    line->record->args[i].state == RECORDER_ARG_PRESENT)
			return &line->record->args[i];
	return NULL;
}

static void put_unknown(const struct line *line)
{
	output_char(line->columns->output, '-');
}

/* No blank, as one is between columns. */
static void put_text(const struct line *line, const char *text, size_t size)
{
	struct output *output = line->columns->output;
	const char *end = text + size;

	if (size == 0)
		put_unknown(line);
	while (text < end) {
		const char *blank = memchr(text, ' ', (size_t)(end - text));
		const char *until = blank ? blank : end;

		output_escaped(output, text, (size_t)(until - text));
		if (blank)
			output_text(output, "\\040");
		text = blank ? blank + 1 : end;
	}
}

static void put_number(const struct line *line, const char *name)
{
	const struct recorder_arg *arg = argument(line, name, READER_INT);

	if (arg && arg->i64 >= 0)
		output_i64(line->columns->output, arg->i64);
	else
		put_unknown(line);
}

static void put_hex(const struct line *line, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, (uint64_t)value);
	output_text(line->columns->output, text);
}

static void put_string(const struct line *line, const char *name)
{
	const struct recorder_arg *arg = argument(line, name, READER_STRING);

	put_text(line, arg ? arg->bytes : "", arg ? arg->count : 0);
}

/* Cells ---------------------------------------------------------------------------- */

static void put_timestamp(const struct line *line)
{
	output_i64(line->columns->output,
		   line->record->tend + line->columns->to_mono[line->record->stream]);
}

static void put_pid(const struct line *line)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	if (reader_stream(line->columns->trace, line->record->stream, &stream))
		put_unknown(line);
	else
		output_u64(line->columns->output, stream.pid);
}

static void put_tid(const struct line *line)
{
	output_u64(line->columns->output, line->record->tid);
}

static void put_comm(const struct line *line)
{
	struct reader_thread thread = {.sz = sizeof(thread)};

	if (argument(line, "comm", READER_STRING))
		put_string(line, "comm");
	else if (reader_thread_of(line->columns->trace, line->record->stream, line->record->thread,
				  &thread) < 0)
		put_unknown(line);
	else
		put_text(line, thread.name, strlen(thread.name));
}

static void put_latency(const struct line *line)
{
	output_i64(line->columns->output, line->record->tend > line->record->tstart
						  ? line->record->tend - line->record->tstart
						  : 0);
}

static void put_return(const struct line *line)
{
	output_i64(line->columns->output,
		   line->record->err ? -(int64_t)line->record->err : line->record->ret);
}

static void put_address(const struct line *line)
{
	if (line->record->err)
		put_unknown(line);
	else
		put_hex(line, line->record->ret);
}

/* Of read and write the kernel says where the file stood, of pread and pwrite the program. */
static void put_offset(const struct line *line)
{
	put_number(line, argument(line, "offset", READER_INT) ? "offset" : "position");
}

static void put_fd(const struct line *line)
{
	const struct recorder_arg *arg = argument(line, "fd", READER_PAIR);

	if (!arg)
		arg = argument(line, "first", READER_INT); /* close_range */
	if (arg)
		output_i64(line->columns->output, arg->i64);
	else
		put_unknown(line);
}

static const struct recorder_arg *path_of(const struct line *line)
{
	static const char *const names[] = {"path", "from", "target"};
	const struct recorder_arg *arg = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !arg; i++)
		arg = argument(line, names[i], READER_STRING);
	return arg;
}

static void put_full_path(const struct line *line)
{
	const struct recorder_arg *arg = path_of(line);

	put_text(line, arg ? arg->bytes : "", arg ? arg->count : 0);
}

/* The last name of a path. */
static void put_file_name(const struct line *line)
{
	const struct recorder_arg *arg = path_of(line);
	struct reader_file file;
	const char *text = arg ? arg->bytes : "", *slash;
	size_t size = arg ? arg->count : 0;

	if (!reader_record_file(line->columns->trace, line->record, &file)) {
		text = file.path;
		size = strlen(text);
	}
	while (size > 1 && text[size - 1] == '/')
		size--;
	slash = size > 1 ? memrchr(text, '/', size) : NULL;
	put_text(line, slash ? slash + 1 : text, slash ? (size_t)(text + size - slash - 1) : size);
}

static void put_function(const struct line *line)
{
	output_text(line->columns->output, line->function->name);
}

static void put_mode(const struct line *line)
{
	const struct recorder_arg *arg = argument(line, "mode", READER_INT);
	char text[32];

	if (!arg) {
		put_unknown(line);
		return;
	}
	snprintf(text, sizeof(text), "%04" PRIo64, (uint64_t)arg->i64);
	output_text(line->columns->output, text);
}

static void put_hint(const struct line *line)
{
	const struct recorder_arg *arg = argument(line, "address", READER_INT);

	if (arg)
		put_hex(line, arg->i64);
	else
		put_unknown(line);
}

static void put_length(const struct line *line)
{
	put_number(line, "length");
}

static void put_protection(const struct line *line)
{
	put_number(line, "protection");
}

static void put_flags(const struct line *line)
{
	put_number(line, "flags");
}

static void put_disk(const struct line *line)
{
	put_string(line, "disk");
}

/* As block traces have it: R, W, and F, D for what moves no data. */
static void put_direction(const struct line *line)
{
	const char *name = line->function->name;

	output_text(line->columns->output, !strcmp(name, "block_read")         ? "R"
					   : !strncmp(name, "block_write", 11) ? "W"
					   : !strcmp(name, "block_flush")      ? "F"
					   : !strcmp(name, "block_discard")    ? "D"
									       : "-");
}

static void put_bytes(const struct line *line)
{
	put_number(line, "bytes");
}

static void put_sector(const struct line *line)
{
	put_number(line, "sector");
}

static void put_queue_latency(const struct line *line)
{
	put_number(line, "queue_ns");
}

static void put_device_latency(const struct line *line)
{
	const struct recorder_arg *flags = argument(line, "flags", READER_INT);

	if (flags && flags->i64 & BLOCK_END_UNSEEN)
		put_unknown(line);
	else
		put_number(line, "device_ns");
}

/* Tables --------------------------------------------------------------------------- */

#define TIMESTAMP                                                                                  \
	{                                                                                          \
		"TIMESTAMP", put_timestamp                                                         \
	}
#define PID                                                                                        \
	{                                                                                          \
		"PID", put_pid                                                                     \
	}
#define COMM                                                                                       \
	{                                                                                          \
		"COMM", put_comm                                                                   \
	}
#define LAT                                                                                        \
	{                                                                                          \
		"LAT", put_latency                                                                 \
	}
#define FILENAME                                                                                   \
	{                                                                                          \
		"FILENAME", put_file_name                                                          \
	}
#define BLOCK                                                                                      \
	TIMESTAMP, PID, COMM, {"DISK", put_disk}, {"T", put_direction},                            \
	{                                                                                          \
		"BYTES", put_bytes                                                                 \
	}

static const struct column_table tables[] = {
	{"bio", NULL, NULL, {BLOCK, {"SECTOR", put_sector}, {"LAT", put_device_latency}}},
	{"bio:explore",
	 NULL,
	 NULL,
	 {BLOCK, {"QLAT", put_queue_latency}, {"LAT", put_device_latency}}},
	{"read",
	 "read",
	 NULL,
	 {TIMESTAMP, PID, {"OFFSET", put_offset}, {"RET", put_return}, LAT, FILENAME}},
	{"read:explore",
	 "read",
	 NULL,
	 {TIMESTAMP, PID, COMM, {"OFFSET", put_offset}, {"RET", put_return}, FILENAME}},
	{"write",
	 "write",
	 NULL,
	 {TIMESTAMP, PID, {"OFFSET", put_offset}, {"SIZE", put_return}, LAT, FILENAME}},
	{"write:explore", "write", NULL, {TIMESTAMP, PID, {"TID", put_tid}, COMM, LAT, FILENAME}},
	{"openat",
	 "openat",
	 NULL,
	 {TIMESTAMP, PID, COMM, LAT, {"FULLPATH", put_full_path}, FILENAME}},
	{"close", "close", NULL, {TIMESTAMP, PID, {"FD", put_fd}, LAT, FILENAME}},
	{"create-del",
	 "create-del",
	 NULL,
	 {TIMESTAMP,
	  PID,
	  {"FUNCTION", put_function},
	  {"MODE", put_mode},
	  LAT,
	  FILENAME,
	  {"FULLPATH", put_full_path}}},
	{"mmap",
	 "mmap",
	 "mmap",
	 {TIMESTAMP,
	  {"FD", put_fd},
	  {"ADDRESS", put_address},
	  {"HINT", put_hint},
	  {"LEN", put_length},
	  {"PROT", put_protection},
	  {"FLAGS", put_flags},
	  LAT,
	  FILENAME}},
	{"mmap:munmap",
	 "mmap",
	 "munmap",
	 {TIMESTAMP, {"TID", put_tid}, {"ADDRESS", put_hint}, {"LEN", put_length}, LAT}},
};

const char column_table_names[] = "bio bio:explore openat close create-del mmap mmap:munmap read "
				  "read:explore write write:explore";

const struct column_table *column_table(const char *name)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].name, name))
			return &tables[i];
	return NULL;
}

static bool is_in(const struct column_table *table, const struct reader_function_info *function)
{
	if (!strcmp(function->result.kind, "sum"))
		return false;
	if (!table->preset)
		return !strcmp(function->layer, "block");
	return !strcmp(function->layer, "kernel") &&
	       (table->only ? !strcmp(function->name, table->only)
			    : callpreset_has(table->preset, strlen(table->preset), function->name));
}

/* Clocks ---------------------------------------------------------------------------- */

static bool read_anchor(const struct reader *trace, unsigned stream, int64_t *mono, int64_t *real)
{
	struct reader_value a, b;

	if (reader_meta(trace, stream, "anchor.0.mono", &a) ||
	    reader_meta(trace, stream, "anchor.0.real", &b))
		return false;
	*mono = a.i64;
	*real = b.i64;
	return true;
}

/* What is to be added to a stream's times, which are those of the machine's first stream, as its machine's first anchor says. */
static int64_t mono_of(const struct reader *trace, const struct walk *walk, unsigned stream)
{
	struct reader_stream own = {.sz = sizeof(own)}, other = {.sz = sizeof(other)};
	int64_t mono, real, first = INT64_MAX, offset = 0;

	if (reader_stream(trace, stream, &own))
		return 0;
	for (unsigned i = 0; i < walk->info.streams; i++) {
		if (reader_stream(trace, i, &other) || strcmp(other.host, own.host) ||
		    !read_anchor(trace, i, &mono, &real) || mono >= first)
			continue;
		first = mono;
		offset = mono - real;
	}
	return walk->info.start + offset;
}

/* Streams of a host are asked for once. */
static int find_clocks(struct out_columns *columns, const struct walk *walk)
{
	struct reader_stream last = {.sz = sizeof(last)}, stream = {.sz = sizeof(stream)};
	char host[256] = "";

	columns->to_mono = calloc((size_t)walk->info.streams + 1, sizeof(*columns->to_mono));
	if (!columns->to_mono)
		return -ENOMEM;
	for (unsigned i = 0; i < walk->info.streams; i++) {
		if (reader_stream(columns->trace, i, &stream))
			continue;
		if (i > 0 && !strcmp(host, stream.host)) {
			columns->to_mono[i] = columns->to_mono[i - 1];
			continue;
		}
		columns->to_mono[i] = mono_of(columns->trace, walk, i);
		snprintf(host, sizeof(host), "%s", stream.host);
	}
	return 0;
}

/* The walk --------------------------------------------------------------------------- */

static int begin(void *self, const struct walk *walk)
{
	struct out_columns *columns = self;
	unsigned count = reader_function_count(walk->trace);
	uint8_t *shown = calloc((size_t)count + 1, sizeof(*shown));

	columns->trace = walk->trace;
	columns->shown = shown;
	if (!shown)
		return -ENOMEM;
	for (unsigned i = 0; i < count; i++)
		shown[i] = is_in(columns->table, reader_function_by_id(walk->trace, i));
	for (const struct column_cell *cell = columns->table->cells; cell->name; cell++) {
		output_text(columns->output, cell == columns->table->cells ? "" : " ");
		output_text(columns->output, cell->name);
	}
	output_char(columns->output, '\n');
	return find_clocks(columns, walk);
}

static int call(void *self, const struct recorder_record *record)
{
	struct out_columns *columns = self;
	struct line line = {columns, record, reader_function(columns->trace, record)};

	if (!columns->shown[record->func_id] ||
	    record->flags & (RECORDER_IN_FLIGHT | RECORDER_LEFT | RECORDER_NORETURN))
		return 0;
	for (const struct column_cell *cell = columns->table->cells; cell->name; cell++) {
		if (cell != columns->table->cells)
			output_char(columns->output, ' ');
		cell->put(&line);
	}
	output_char(columns->output, '\n');
	return columns->output->error;
}

const struct walk_ops out_columns_ops = {.begin = begin, .call = call};

void out_columns_release(struct out_columns *columns)
{
	free(columns->to_mono);
	free((void *)(uintptr_t)columns->shown);
	columns->to_mono = NULL;
	columns->shown = NULL;
}
