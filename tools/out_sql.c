/* SPDX-License-Identifier: MIT */
/* out_sql.c - see out_sql.h */
#include "out_sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/operation.h"
#include "analysis/positions.h"
#include "buffer.h"
#include "events.h"
#include "json.h"
#include "meaning.h"
#include "message.h"
#include "options.h"
#include "sqlnames.h"
#include "sqlschema.h"

#define NO_ARG 0xffu
#define ARGS_MAX 64u

enum sql_result { RESULT_NONE, RESULT_INTEGER, RESULT_REAL };

/* What makes a value of a failed call. */
enum sql_failure { FAILS_BY_ERRNO, FAILS_UNLESS_ZERO, FAILS_BELOW_ZERO };

struct sql_function {
	char *layer, *name; /* UTF-8 */
	const char *operation;
	bool of_mpi;
	enum sql_height height; /* of what moves data of files, else HEIGHT_NONE */
	enum sql_result result;
	enum sql_failure failure;
	uint8_t offset, tag, status; /* arguments, or NO_ARG */
	uint64_t in_columns;         /* bit i: argument i has a column of its own */
	struct position_facts position;
	unsigned layer_number; /* of the functions, the first one of its layer */
};

/* ---- functions ---- */

static char *copy_utf8(struct sqlbase *base, const char *text)
{
	struct output *output = base->text;
	char *copy;

	output->next = output->buffer;
	utf8_string(output, text, strlen(text));
	copy = strndup(output->buffer, (size_t)(output->next - output->buffer));
	if (!copy)
		die("out of memory");
	return copy;
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

static enum sql_failure failure_of(const char *kind)
{
	static const char *const unless_zero[] = {"mpi_error", "nc_error", "errnum", NULL};
	static const char *const below_zero[] = {"herr", "hid", NULL};

	if (is_one_of(kind, unless_zero))
		return FAILS_UNLESS_ZERO;
	return is_one_of(kind, below_zero) ? FAILS_BELOW_ZERO : FAILS_BY_ERRNO;
}

static void find_arguments(struct sql_function *made, const struct reader_function_info *info)
{
	static const char *const transfers[] = {"read", "write", "copy", NULL};
	bool moves = is_one_of(made->operation, transfers);

	for (unsigned i = 0; i < info->arg_count && i < ARGS_MAX; i++) {
		const struct reader_parameter *arg = &info->args[i];
		bool has_column = !strcmp(arg->kind, "comm");

		if (!strcmp(arg->kind, "mpi_status") && made->status == NO_ARG)
			made->status = (uint8_t)i;
		if (arg->class_ == READER_INT && !strcmp(arg->kind, "tag") && made->tag == NO_ARG) {
			made->tag = (uint8_t)i;
			has_column = true;
		}
		if (!moves || arg->class_ != READER_INT)
			;
		else if (!strcmp(arg->kind, "position"))
			made->offset = (uint8_t)i;
		else if (!strcmp(arg->kind, "offset") && !strcmp(arg->name, "offset") &&
			 made->offset == NO_ARG)
			made->offset = (uint8_t)i;
		if (has_column)
			made->in_columns |= UINT64_C(1) << i;
	}
	if (made->offset != NO_ARG)
		made->in_columns |= UINT64_C(1) << made->offset;
}

static enum sql_height height_of(const char *layer)
{
	if (operation_layer_use(layer) != ANALYSIS_USE_STORAGE)
		return HEIGHT_NONE;
	if (!strcmp(layer, "posix") || !strcmp(layer, "stdio"))
		return HEIGHT_SYSTEM;
	return !strcmp(layer, "mpiio") ? HEIGHT_MPIIO : HEIGHT_ABOVE;
}

static void function_make(struct out_sql *sql, struct sql_function *made,
			  const struct reader_function_info *info)
{
	static const char *const transfers[] = {"read", "write", "copy", NULL};

	*made = (struct sql_function){.offset = NO_ARG, .tag = NO_ARG, .status = NO_ARG};
	made->layer = copy_utf8(sql->base, info->layer);
	made->name = copy_utf8(sql->base, info->name);
	made->operation = analysis_operation_name(operation_of(info->layer, info->name));
	made->of_mpi = meaning_has(sql->events.meaning, info->id);
	made->height = is_one_of(made->operation, transfers) ? height_of(info->layer) : HEIGHT_NONE;
	made->failure = failure_of(info->result.kind);
	made->result = !strcmp(info->result.kind, "none")     ? RESULT_NONE
		       : info->result.class_ == READER_DOUBLE ? RESULT_REAL
							      : RESULT_INTEGER;
	made->position = position_facts_of(info);
	while (strcmp(sql->functions[made->layer_number].layer, made->layer) != 0)
		made->layer_number++;
	find_arguments(made, info);
}

static void write_functions(struct out_sql *sql)
{
	struct sqlbase *base = sql->base;
	sqlite3_stmt *insert =
		sqlbase_prepare(base, "INSERT INTO functions VALUES (?, ?, ?, ?, ?, ?)");
	unsigned count = reader_function_count(sql->walk->trace);

	for (unsigned id = 0; id < count; id++) {
		const struct reader_function_info *info =
			reader_function_by_id(sql->walk->trace, id);
		struct buffer names = {0};

		for (unsigned i = 0; i < info->arg_count; i++) {
			buffer_add_text(&names, i ? "," : "");
			buffer_add_text(&names, info->args[i].name);
		}
		buffer_add(&names, "", 1);
		sqlbase_integer(base, insert, 1, id + 1);
		sqlbase_word(base, insert, 2, sql->functions[id].layer);
		sqlbase_word(base, insert, 3, sql->functions[id].name);
		sqlbase_word(base, insert, 4, sql->functions[id].operation);
		sqlbase_text(base, insert, 5, info->result.kind);
		sqlbase_text(base, insert, 6, (const char *)names.bytes);
		sqlbase_step(base, insert);
		buffer_release(&names);
	}
	sqlite3_finalize(insert);
}

/* ---- records ---- */

static const struct recorder_arg *argument(const struct recorder_record *record, uint8_t at)
{
	if (at == NO_ARG || at >= record->arg_count ||
	    record->args[at].state != RECORDER_ARG_PRESENT)
		return NULL;
	return &record->args[at];
}

static bool returned(const struct recorder_record *record)
{
	return !(record->flags & (RECORDER_LEFT | RECORDER_NORETURN | RECORDER_IN_FLIGHT));
}

static void set_result(const struct sql_function *function, const struct recorder_record *record,
		       struct sql_row *row)
{
	row->ret = SQL_NONE;
	if (!returned(record) || function->result == RESULT_NONE)
		return;
	row->real = function->result == RESULT_REAL;
	if (row->real)
		memcpy(&row->ret_real, &record->ret, sizeof(row->ret_real));
	else
		row->ret = record->ret;
}

static void set_failure(const struct out_sql *sql, const struct sql_function *function,
			const struct recorder_record *record, struct sql_row *row)
{
	const struct reader *trace = sql->walk->trace;
	char text[sizeof(row->failure)];

	if (record->err)
		snprintf(text, sizeof(text), "%s", reader_errno_name(trace, record));
	else if (!returned(record) || function->result != RESULT_INTEGER)
		return;
	else if (function->failure == FAILS_UNLESS_ZERO && record->ret != 0)
		reader_result_text(trace, record, text, sizeof(text));
	else if (function->failure == FAILS_BELOW_ZERO && record->ret < 0)
		snprintf(text, sizeof(text), "failed");
	else
		return;
	memcpy(row->failure, text, sizeof(text));
}

/* Of all calls that the record stands for. */
static int64_t times(int64_t bytes, uint32_t calls)
{
	int64_t all;

	if (bytes < 0)
		return SQL_NONE;
	return __builtin_mul_overflow(bytes, (int64_t)calls, &all) ? INT64_MAX : all;
}

static int64_t known_or_none(int64_t value)
{
	return value < 0 ? SQL_NONE : value;
}

static void set_tag(const struct sql_function *function, const struct recorder_record *record,
		    struct sql_row *row)
{
	const struct recorder_arg *tag = argument(record, function->tag);
	const struct recorder_arg *status = argument(record, function->status);

	if (tag && tag->i64 >= 0)
		row->tag = tag->i64;
	else if (tag && status && status->count == 4 && status->elements[1] >= 0)
		row->tag = status->elements[1];
}

/* What a call of MPI says beyond its arguments. */
static void set_meaning(struct out_sql *sql, const struct sql_function *function,
			const struct recorder_record *record, struct sql_row *row)
{
	struct reader_process peer = {-1, -1};
	struct meaning_call call;
	int64_t sent, received, both;

	if (meaning_of(sql->events.meaning, record, &call))
		die("out of memory");
	row->comm = sqlnames_comm(sql->names, record);
	set_tag(function, record, row);
	if (call.peer_count > 0)
		peer = call.peers[0].process;
	else if (call.sources && call.status_count == 1)
		peer = call.sources[0];
	row->peer = known_or_none(peer.rank);
	if (peer.rank >= 0 && peer.world != record->world)
		row->peer_world = peer.world;
	sent = times(call.traffic.sent, row->calls);
	received = times(call.traffic.received, row->calls);
	row->sent = sent;
	row->received = received;
	if (sent == SQL_NONE)
		row->bytes = received;
	else if (received == SQL_NONE)
		row->bytes = sent;
	else
		row->bytes = __builtin_add_overflow(sent, received, &both) ? INT64_MAX : both;
}

/* Where it says, or where its descriptor stands. */
static void set_offset(struct out_sql *sql, const struct sql_function *function,
		       const struct recorder_record *record, struct sql_row *row)
{
	const struct recorder_arg *offset = argument(record, function->offset);
	int64_t bytes = row->bytes > 0 ? row->bytes : 0, begin = POSITION_UNKNOWN;
	void **positions = NULL;

	if (sql->follows_positions && function->position.role != POSITION_NONE) {
		positions = numbered_at(&sql->positions, record->stream, 0);
		if (positions && !*positions)
			*positions = calloc(1, sizeof(struct positions));
		if (!positions || !*positions ||
		    positions_take(*positions, &function->position, record, function->layer_number,
				   bytes, &begin))
			die("out of memory");
	}
	if (offset)
		row->offset = known_or_none(offset->i64);
	else if (function->position.role == POSITION_MOVES && row->bytes != SQL_NONE)
		row->offset = known_or_none(begin);
}

static void free_positions(void *value)
{
	if (value)
		positions_release(value);
	free(value);
}

/* False: what moves descriptors may have been left out. */
static bool sees_all_moves(void)
{
	const struct reader_filter *filter = &options.filter;

	return !filter->functions && !filter->layers && !filter->levels && !filter->tids &&
	       !filter->min_duration && !filter->accept;
}

static void set_transfer(struct out_sql *sql, const struct sql_function *function,
			 const struct recorder_record *record, struct sql_row *row)
{
	row->bytes = row->offset = row->peer = row->peer_world = SQL_NONE;
	row->tag = row->sent = row->received = SQL_NONE;
	if (function->of_mpi)
		set_meaning(sql, function, record, row);
	else
		row->bytes = times(reader_bytes(sql->walk->trace, record), row->calls);
	set_offset(sql, function, record, row);
	row->file =
		sqlnames_file(sql->names, record, row->bytes > 0 ? function->height : HEIGHT_NONE);
}

static void set_args(struct out_sql *sql, const struct sql_function *function,
		     const struct recorder_record *record, struct sql_row *row)
{
	struct output *json = &sql->json;
	uint64_t without = function->in_columns;
	const struct recorder_arg *offset = argument(record, function->offset);
	const struct recorder_arg *tag = argument(record, function->tag);

	/* what the column does not say stays: a tag that may be any, an offset below 0 */
	if (function->offset != NO_ARG && (!offset || offset->i64 < 0))
		without &= ~(UINT64_C(1) << function->offset);
	if (function->tag != NO_ARG && (!tag || tag->i64 < 0))
		without &= ~(UINT64_C(1) << function->tag);
	if (record->arg_count == 0)
		return;
	json->next = json->buffer;
	output_char(json, '{');
	event_values(&sql->events, record, without);
	output_char(json, '}');
	if (json->error)
		die("out of memory");
	buffer_add(&row->args, json->buffer, (size_t)(json->next - json->buffer));
}

static int sql_call(void *self, const struct recorder_record *record)
{
	struct out_sql *sql = self;
	const struct sql_function *function = &sql->functions[record->func_id];
	struct sql_row *row = sql_rows_next(&sql->rows, record);

	row->layer = function->layer;
	row->function = function->name;
	row->operation = function->operation;
	set_result(function, record, row);
	set_failure(sql, function, record, row);
	set_transfer(sql, function, record, row);
	if (sql->fills_callsites)
		row->callsite = sqlnames_callsite(sql->names, record);
	if (sql->fills_args)
		set_args(sql, function, record, row);
	return 0;
}

static int sql_begin(void *self, const struct walk *walk)
{
	struct out_sql *sql = self;
	unsigned count = reader_function_count(walk->trace);

	sql->functions = calloc(count + 1, sizeof(*sql->functions));
	if (!sql->functions || output_memory(&sql->json))
		return -ENOMEM;
	sql->events = (struct out_events){.output = &sql->json, .own_names = true};
	if (events_begin(&sql->events, walk, false))
		return -ENOMEM;
	sql->names = sqlnames_new(walk->trace);
	for (unsigned i = 0; i < count; i++)
		function_make(sql, &sql->functions[i], reader_function_by_id(walk->trace, i));
	write_functions(sql);
	sql->follows_positions = sees_all_moves();
	sql_rows_begin(&sql->rows, sql->base, sql->wanted, sql->wanted_open);
	sql->fills_args = !sql->no_args && sql_rows_want(&sql->rows, "args");
	sql->fills_callsites = sql->names_callsites || sql_rows_want(&sql->rows, "callsite");
	return 0;
}

static int sql_end(void *self)
{
	struct out_sql *sql = self;
	unsigned count = reader_function_count(sql->walk->trace);

	sql_rows_end(&sql->rows);
	sqlnames_write(sql->names, sql->base);
	sqlnames_free(sql->names);
	numbered_release(&sql->positions, free_positions);
	for (unsigned i = 0; i < count; i++) {
		free(sql->functions[i].layer);
		free(sql->functions[i].name);
	}
	free(sql->functions);
	out_events_release(&sql->events);
	output_cancel(&sql->json);
	return 0;
}

const struct walk_ops out_sql_ops = {
	.begin = sql_begin,
	.call = sql_call,
	.end = sql_end,
};

void out_sql_schema(struct sqlbase *base)
{
	char version[64];

	snprintf(version, sizeof(version), "PRAGMA user_version = %d", SQL_SCHEMA_VERSION);
	sqlbase_run(base, version);
	sqlbase_run(base, sql_tables);
	for (const struct sql_view *view = sql_views; view->name; view++) {
		char *text;

		if (asprintf(&text, "CREATE VIEW %s AS\n%s", view->name, view->query) < 0)
			die("out of memory");
		sqlbase_run(base, text);
		free(text);
	}
}
