/* SPDX-License-Identifier: MIT */
/* rowmaker.c - see rowmaker.h */
#include "rowmaker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/filtered.h"
#include "analysis/operation.h"
#include "analysis/positions.h"
#include "analysis/sumvalues.h"
#include "buffer.h"
#include "events.h"
#include "json.h"
#include "meaning.h"
#include "message.h"
#include "options.h"
#include "rownames.h"

#define NO_ARG 0xffu
#define ARGS_MAX 64u

/* ---- functions ---- */

static char *copy_utf8(struct row_maker *maker, const char *text)
{
	struct output *output = &maker->json;
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

static enum row_failure failure_of(const char *kind)
{
	static const char *const unless_zero[] = {"mpi_error", "nc_error", "errnum", NULL};
	static const char *const below_zero[] = {"herr", "hid", NULL};

	if (is_one_of(kind, unless_zero))
		return FAILS_UNLESS_ZERO;
	return is_one_of(kind, below_zero) ? FAILS_BELOW_ZERO : FAILS_BY_ERRNO;
}

static void find_arguments(struct row_function *made, const struct reader_function_info *info,
			   bool moves)
{
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

static void function_make(struct row_maker *maker, struct row_function *made,
			  const struct reader_function_info *info)
{
	enum analysis_operation operation = operation_of(info->layer, info->name);

	*made = (struct row_function){.offset = NO_ARG, .tag = NO_ARG, .status = NO_ARG};
	made->layer = copy_utf8(maker, info->layer);
	made->name = copy_utf8(maker, info->name);
	made->category = copy_utf8(maker, info->category);
	made->operation = analysis_operation_name(operation);
	made->aside = operation_layer_is_aside(info->layer);
	made->sum = sum_is(info);
	made->sum_alone = sum_is_alone(maker->trace, info);
	made->of_mpi = meaning_has(maker->events.meaning, info->id);
	made->height =
		operation_moves(operation) ? operation_layer_height(info->layer) : HEIGHT_NONE;
	made->failure = failure_of(info->result.kind);
	made->result = !strcmp(info->result.kind, "none")     ? RESULT_NONE
		       : info->result.class_ == READER_DOUBLE ? RESULT_REAL
							      : RESULT_INTEGER;
	made->position = position_facts_of(info);
	made->copy = copy_facts_of(info);
	/* that of a copy may be of the file which is not in its row */
	find_arguments(made, info,
		       operation_moves(operation) && made->position.role != POSITION_PASSES);
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

static void set_result(const struct row_function *function, const struct recorder_record *record,
		       struct call_row *row)
{
	row->ret = ROW_NONE;
	if (!returned(record) || function->result == RESULT_NONE)
		return;
	row->real = function->result == RESULT_REAL;
	if (row->real)
		memcpy(&row->ret_real, &record->ret, sizeof(row->ret_real));
	else
		row->ret = record->ret;
}

static void set_failure(const struct row_maker *maker, const struct row_function *function,
			const struct recorder_record *record, struct call_row *row)
{
	const struct reader *trace = maker->trace;
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
		return ROW_NONE;
	return __builtin_mul_overflow(bytes, (int64_t)calls, &all) ? INT64_MAX : all;
}

static int64_t known_or_none(int64_t value)
{
	return value < 0 ? ROW_NONE : value;
}

static void set_tag(const struct row_function *function, const struct recorder_record *record,
		    struct call_row *row)
{
	const struct recorder_arg *tag = argument(record, function->tag);
	const struct recorder_arg *status = argument(record, function->status);

	if (tag && tag->i64 >= 0)
		row->tag = tag->i64;
	else if (tag && status && status->count == 4 && status->elements[1] >= 0)
		row->tag = status->elements[1];
}

/* What a call of MPI says beyond its arguments. */
static void set_meaning(struct row_maker *maker, const struct row_function *function,
			const struct recorder_record *record, struct call_row *row)
{
	struct reader_process peer = {-1, -1};
	struct meaning_call call;
	int64_t sent, received, both;

	if (meaning_of(maker->events.meaning, record, &call))
		die("out of memory");
	row->comm = rownames_comm(maker->names, record);
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
	if (sent == ROW_NONE)
		row->bytes = received;
	else if (received == ROW_NONE)
		row->bytes = sent;
	else
		row->bytes = __builtin_add_overflow(sent, received, &both) ? INT64_MAX : both;
}

/* Where it says, or where its descriptor stands. */
static void set_offset(struct row_maker *maker, const struct row_function *function,
		       const struct recorder_record *record, struct call_row *row)
{
	const struct recorder_arg *offset = argument(record, function->offset);
	int64_t bytes = row->bytes > 0 ? row->bytes : 0, begin = POSITION_UNKNOWN;

	if (function->position.role != POSITION_NONE &&
	    positions_take(&maker->positions, &function->position, record, bytes, &begin))
		die("out of memory");
	if (offset && offset->i64 >= 0)
		row->offset = offset->i64;
	else if (row->bytes != ROW_NONE && (function->position.role == POSITION_MOVES ||
					    function->position.role == POSITION_GIVEN))
		row->offset = known_or_none(begin);
}

/* How near to the kernel the row's bytes, if any, are moved; those of calls for which another record stands nowhere. */
static enum layer_height height_of(const struct row_maker *maker,
				   const struct row_function *function, const struct call_row *row)
{
	return row->bytes > 0 && !maker->aside ? function->height : HEIGHT_NONE;
}

/* What it works on, and of a copy what it writes. */
static void set_files(struct row_maker *maker, const struct row_function *function,
		      const struct recorder_record *record, struct call_row *row)
{
	enum layer_height height = height_of(maker, function, row);
	struct copy_call copy;

	if (!copy_of(&function->copy, record, &copy)) {
		row->file = rownames_file(maker->names, record, height);
		return;
	}
	row->file = rownames_file_of(maker->names, record, copy.from, height);
	row->to_file = rownames_file_of(maker->names, record, copy.to, height);
	if (row->offset == ROW_NONE)
		row->offset = known_or_none(copy.from_begin);
	row->to_offset = known_or_none(copy.to_begin);
}

static void set_transfer(struct row_maker *maker, const struct row_function *function,
			 const struct recorder_record *record, struct call_row *row)
{
	row->bytes = row->offset = row->to_offset = row->peer = row->peer_world = ROW_NONE;
	row->tag = row->sent = row->received = ROW_NONE;
	if (function->of_mpi)
		set_meaning(maker, function, record, row);
	else
		row->bytes = times(reader_bytes(maker->trace, record), row->calls);
	set_offset(maker, function, record, row);
	set_files(maker, function, record, row);
}

/* Where calls are there, too, they count, and sums stand beside them. */
static void set_sum(struct row_maker *maker, const struct row_function *function,
		    const struct recorder_record *record, struct call_row *row)
{
	struct sum_values sum = sum_values_of(maker->trace, record);

	if (!function->sum_alone) {
		row->calls = 0;
		row->bytes = ROW_NONE;
		return;
	}
	row->calls = sum.count > 0 && sum.count < UINT32_MAX ? (uint32_t)sum.count : 0;
	row->duration = row->self = sum.time;
	row->bytes = sum.has_bytes ? sum.bytes : ROW_NONE;
	rownames_file(maker->names, record, height_of(maker, function, row));
}

static void set_tags(struct row_maker *maker, const struct recorder_record *record,
		     struct call_row *row)
{
	struct reader_tag_values tags;

	reader_tags_of(maker->tags, record, &tags);
	for (unsigned tag = 0; tag < READER_TAGS; tag++)
		row->tags[tag] = tags.has >> tag & 1 ? tags.values[tag] : ROW_NONE;
}

static void set_args(struct row_maker *maker, const struct row_function *function,
		     const struct recorder_record *record, struct call_row *row)
{
	struct output *json = &maker->json;
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
	event_values(&maker->events, record, without);
	output_char(json, '}');
	if (json->error)
		die("out of memory");
	buffer_add(&row->args, json->buffer, (size_t)(json->next - json->buffer));
}

int row_maker_begin(struct row_maker *maker, const struct walk *walk)
{
	unsigned count = reader_function_count(walk->trace);

	maker->trace = walk->trace;
	maker->functions = calloc(count + 1, sizeof(*maker->functions));
	if (!maker->functions || output_memory(&maker->json))
		return -ENOMEM;
	maker->events = (struct out_events){.output = &maker->json, .own_names = true};
	if (events_begin(&maker->events, walk, false))
		return -ENOMEM;
	if (!maker->names)
		maker->names = rownames_new(walk->trace);
	maker->numbers = batches_numbers(walk->trace);
	for (; maker->function_count < count; maker->function_count++)
		function_make(maker, &maker->functions[maker->function_count],
			      reader_function_by_id(walk->trace, maker->function_count));
	maker->follows_positions =
		!(filtered_by(walk->trace, &options.filter) & (FILTERED_CALLS | FILTERED_LAYERS));
	return 0;
}

static void begin_stream(struct row_maker *maker, uint32_t stream)
{
	struct reader_stream about = {.sz = sizeof(about)};

	row_maker_end(maker);
	if (meaning_restart(maker->events.meaning))
		die("out of memory");
	maker->tags = reader_tags_new(maker->trace, stream);
	if (!maker->tags)
		die("%s", strerror(errno));
	maker->in_stream = true;
	positions_begin(&maker->positions, maker->trace, stream, maker->follows_positions);
	maker->aside = reader_stream(maker->trace, stream, &about) == 0 && about.aside;
	maker->stream = stream;
	maker->rows.last = (int64_t)maker->numbers[stream];
}

void row_maker_call(struct row_maker *maker, const struct recorder_record *record)
{
	const struct row_function *function = &maker->functions[record->func_id];
	struct call_row *row;

	if (!maker->in_stream || maker->stream != record->stream)
		begin_stream(maker, record->stream);
	row = call_rows_next(&maker->rows, record, function->aside);
	row->layer = function->layer;
	row->function = function->name;
	row->operation = function->operation;
	set_result(function, record, row);
	set_failure(maker, function, record, row);
	set_transfer(maker, function, record, row);
	if (function->sum)
		set_sum(maker, function, record, row);
	set_tags(maker, record, row);
	if (maker->fills_callsites && !function->sum) /* of these it is a place in the recorder */
		row->callsite = rownames_callsite(maker->names, record);
	if (maker->fills_args)
		set_args(maker, function, record, row);
}

void row_maker_end(struct row_maker *maker)
{
	call_rows_end(&maker->rows);
	positions_release(&maker->positions);
	reader_tags_free(maker->tags);
	maker->tags = NULL;
	maker->in_stream = false;
}

void row_maker_release(struct row_maker *maker)
{
	rownames_free(maker->names);
	free(maker->numbers);
	positions_release(&maker->positions);
	reader_tags_free(maker->tags);
	for (unsigned i = 0; i < maker->function_count; i++) {
		free(maker->functions[i].layer);
		free(maker->functions[i].name);
		free(maker->functions[i].category);
	}
	free(maker->functions);
	out_events_release(&maker->events);
	output_cancel(&maker->json);
}
