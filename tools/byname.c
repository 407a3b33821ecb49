/* SPDX-License-Identifier: MIT */
/* byname.c - see byname.h */
#include "byname.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"

#define KEPT_MAX (1u << 20) /* calls */

/* ---- which functions there are ---- */

/* Marks, as begin and end of a generator's life, are no calls. */
static bool is_call(const struct reader_function_info *info)
{
	static const char *const marks[] = {"instant",  "counter",  "span_begin",
					    "span_end", "metadata", "sum"};

	if (strcmp(info->layer, "native") != 0 && strcmp(info->layer, "python") != 0)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strcmp(info->result.kind, marks[i]))
			return false;
	return true;
}

bool byname_is_usage(const struct reader_parameter *argument)
{
	return !strcmp(argument->kind, "uint") &&
	       (!strcmp(argument->name, "cpu_start") || !strcmp(argument->name, "cpu_end") ||
		!strcmp(argument->name, "rss"));
}

static bool has_values(const struct reader_function_info *info)
{
	for (unsigned i = 0; i < info->arg_count; i++)
		if (!byname_is_usage(&info->args[i]))
			return true;
	return strcmp(info->result.kind, "none") != 0 && strcmp(info->result.kind, "ending") != 0;
}

static void find_source(const struct byname *byname, unsigned streams, unsigned id,
			struct byname_function *function)
{
	for (unsigned i = 0; i < streams && !function->has_source; i++)
		function->has_source = !reader_source(byname->trace, i, id, &function->source);
}

/* "raw_decode" of "json.decoder.JSONDecoder.raw_decode"; C++ has other dots. */
static const char *last_part(const struct reader_function_info *info)
{
	const char *dot = !strcmp(info->layer, "python") ? strrchr(info->name, '.') : NULL;

	return dot && dot[1] ? dot + 1 : info->name;
}

static void *many(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		die("out of memory");
	return memory;
}

/* ---- names ---- */

static int by_last_part(const void *a, const void *b)
{
	const struct byname_function *x = *(const struct byname_function *const *)a;
	const struct byname_function *y = *(const struct byname_function *const *)b;

	return strcmp(last_part(x->info), last_part(y->info));
}

/* Whether one beside it in that order has the same last part. */
static bool is_shared(struct byname_function *const *sorted, unsigned count, unsigned i)
{
	return (i > 0 && !by_last_part(&sorted[i - 1], &sorted[i])) ||
	       (i + 1 < count && !by_last_part(&sorted[i], &sorted[i + 1]));
}

static void name_all(struct byname *byname)
{
	struct byname_function **sorted = many(byname->count, sizeof(*sorted));

	for (unsigned i = 0; i < byname->count; i++)
		sorted[i] = &byname->functions[i];
	qsort(sorted, byname->count, sizeof(*sorted), by_last_part);
	for (unsigned i = 0; i < byname->count; i++) {
		const struct reader_function_info *info = sorted[i]->info;

		sorted[i]->key =
			strdup(is_shared(sorted, byname->count, i) ? info->name : last_part(info));
		if (!sorted[i]->key)
			die("out of memory");
	}
	free(sorted);
}

/* ---- functions ---- */

/* A function of the trace: each list of kinds that arguments of a name had is one. */
struct called {
	const struct reader_function_info *info;
	unsigned id;
};

static int compare_names(const struct reader_function_info *x, const struct reader_function_info *y)
{
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->layer, y->layer);
}

/* An order that is the same for each copy of a trace. */
static int by_name(const void *a, const void *b)
{
	const struct called *x = a, *y = b;
	int order = compare_names(x->info, y->info);

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static unsigned list_called(struct byname *byname, struct called *called, unsigned ids)
{
	unsigned count = 0;

	for (unsigned id = 0; id < ids; id++) {
		const struct reader_function_info *info = reader_function_by_id(byname->trace, id);

		byname->of_id[id] = -1;
		if (is_call(info))
			called[count++] = (struct called){info, id};
	}
	qsort(called, count, sizeof(*called), by_name);
	return count;
}

static void find_functions(struct byname *byname)
{
	unsigned ids = reader_function_count(byname->trace), count;
	struct called *called = many(ids, sizeof(*called));
	struct reader_info info = {.sz = sizeof(info)};

	reader_info(byname->trace, &info);
	byname->of_id = many(ids, sizeof(*byname->of_id));
	byname->functions = many(ids, sizeof(*byname->functions));
	count = list_called(byname, called, ids);
	for (unsigned i = 0; i < count; i++) {
		struct byname_function *function;

		if (i == 0 || compare_names(called[i - 1].info, called[i].info) != 0)
			byname->functions[byname->count++].info = called[i].info;
		byname->of_id[called[i].id] = (int)byname->count - 1;
		function = &byname->functions[byname->count - 1];
		function->has_values |= has_values(called[i].info);
		find_source(byname, info.streams, called[i].id, function);
	}
	free(called);
	name_all(byname);
}

/* ---- calls ---- */

static int64_t argument(const struct reader_function_info *info,
			const struct recorder_record *record, const char *name)
{
	for (unsigned i = 0; i < info->arg_count && i < record->arg_count; i++)
		if (byname_is_usage(&info->args[i]) && !strcmp(info->args[i].name, name))
			return record->args[i].state == RECORDER_ARG_PRESENT ? record->args[i].i64
									     : -1;
	return -1;
}

static struct byname_call call_of(const struct byname *byname, const struct recorder_record *record)
{
	const struct reader_function_info *info = reader_function(byname->trace, record);

	return (struct byname_call){
		.tstart = record->tstart,
		.tend = record->tend,
		.cpu_start = argument(info, record, "cpu_start"),
		.cpu_end = argument(info, record, "cpu_end"),
		.rss = argument(info, record, "rss"),
		.stream = record->stream,
	};
}

typedef void take_fn(void *data, struct byname_function *function, const struct byname_call *call);

/* Each call of functions `first` to `end`, by time. */
static void read_calls(struct byname *byname, unsigned first, unsigned end, take_fn *take,
		       void *data)
{
	struct reader_filter filter = options.filter;
	struct reader_cursor *cursor;
	const struct recorder_record *record;

	if (!filter.layers)
		filter.layers = "native,python";
	filter.order = READER_BY_TIME;
	cursor = reader_cursor_new(byname->trace, &filter);
	if (!cursor)
		die("%s", reader_error(byname->trace));
	while ((record = reader_next(cursor))) {
		int number = byname->of_id[record->func_id];

		if (number >= (int)first && number < (int)end) {
			struct byname_call call = call_of(byname, record);

			call.record = byname->functions[number].has_values ? record : NULL;
			take(data, &byname->functions[number], &call);
		}
	}
	if (reader_cursor_status(cursor))
		die("%s", reader_error(byname->trace));
	reader_cursor_free(cursor);
}

static void count_call(void *data, struct byname_function *function, const struct byname_call *call)
{
	(void)data;
	function->calls++;
	function->time += call->tend - call->tstart;
}

void byname_open(struct byname *byname, struct reader *trace)
{
	memset(byname, 0, sizeof(*byname));
	byname->trace = trace;
	find_functions(byname);
	read_calls(byname, 0, byname->count, count_call, NULL);
}

static void let_go(struct byname *byname)
{
	for (unsigned i = byname->first; i < byname->end; i++) {
		free(byname->functions[i].kept);
		byname->functions[i].kept = NULL;
		byname->functions[i].kept_count = 0;
	}
	byname->first = byname->end = 0;
}

static void keep_call(void *data, struct byname_function *function, const struct byname_call *call)
{
	(void)data;
	if (function->kept_count < function->calls)
		function->kept[function->kept_count++] = *call;
}

/* This function and as many after it as there is room for. */
static void keep_from(struct byname *byname, unsigned first)
{
	uint64_t calls = 0;

	let_go(byname);
	byname->first = byname->end = first;
	while (byname->end < byname->count && !byname->functions[byname->end].has_values &&
	       byname->functions[byname->end].calls <= KEPT_MAX - calls) {
		struct byname_function *function = &byname->functions[byname->end++];

		calls += function->calls;
		function->kept = many(function->calls, sizeof(*function->kept));
	}
	if (byname->end > first)
		read_calls(byname, first, byname->end, keep_call, NULL);
}

struct visitor {
	void (*visit)(void *data, const struct byname_call *call);
	void *data;
};

static void pass_on(void *data, struct byname_function *function, const struct byname_call *call)
{
	const struct visitor *visitor = data;

	(void)function;
	visitor->visit(visitor->data, call);
}

void byname_calls(struct byname *byname, unsigned number,
		  void (*visit)(void *data, const struct byname_call *call), void *data)
{
	const struct byname_function *function = &byname->functions[number];
	struct visitor visitor = {visit, data};

	if (number < byname->first || number >= byname->end)
		keep_from(byname, number);
	if (number >= byname->end) {
		read_calls(byname, number, number + 1, pass_on, &visitor);
		return;
	}
	for (uint64_t i = 0; i < function->kept_count; i++)
		visit(data, &function->kept[i]);
}

void byname_release(struct byname *byname)
{
	let_go(byname);
	for (unsigned i = 0; i < byname->count; i++)
		free(byname->functions[i].key);
	free(byname->functions);
	free(byname->of_id);
	memset(byname, 0, sizeof(*byname));
}
