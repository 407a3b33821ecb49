/* SPDX-License-Identifier: MIT */
/* waiting.c - see waiting.h */
#include "waiting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inflight.h"

static int add(struct waiting *waiting, int64_t number)
{
	struct awaited *larger;

	if (number <= 0)
		return 0;
	larger = realloc(waiting->list, (waiting->count + 1) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	waiting->list = larger;
	waiting->list[waiting->count++] = (struct awaited){.number = number, .peer = -1};
	return 0;
}

int waiting_note(struct waiting *waiting, const struct recorder_record *record,
		 const struct reader_function_info *function)
{
	int error = 0;

	waiting->stream = record->stream;
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		if (arg->state != RECORDER_ARG_PRESENT)
			continue;
		if (!strcmp(function->args[i].kind, "request"))
			error = add(waiting, arg->i64);
		if (!strcmp(function->args[i].kind, "requests"))
			for (uint32_t at = 0; at < arg->count && !error; at++)
				error = add(waiting, arg->elements[at]);
		if (error)
			return error;
	}
	return 0;
}

/* The number of the request that a call made, 0 none: it has one, and says of what it is. */
static int64_t request_made(const struct recorder_record *record,
			    const struct reader_function_info *function)
{
	static const char *const subjects[] = {"comm", "mpi_file", "win"};
	int64_t number = 0;
	int subject = 0;

	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		for (size_t at = 0; at < sizeof(subjects) / sizeof(subjects[0]); at++)
			subject |= !strcmp(function->args[i].kind, subjects[at]);
		if (!strcmp(function->args[i].kind, "request") &&
		    record->args[i].state == RECORDER_ARG_PRESENT)
			number = record->args[i].i64;
	}
	return subject ? number : 0;
}

/* Of several calls that made a request of that number the last one holds. */
static int describe(const struct reader *trace, const struct recorder_record *record,
		    const struct reader_function_info *function, struct awaited *awaited)
{
	char *target = NULL, *call;
	int length;

	if (inflight_target(trace, record, function, &target))
		return -ENOMEM;
	length = asprintf(&call, "%s(%s)", function->name, target ? target : "");
	free(target);
	if (length < 0)
		return -ENOMEM;
	free(awaited->call);
	awaited->call = call;
	awaited->peer = inflight_peer(trace, record, function);
	return 0;
}

static int look(const struct reader *trace, const struct recorder_record *record,
		struct waiting *const *list, unsigned count)
{
	const struct reader_function_info *function = reader_function(trace, record);
	int64_t number = request_made(record, function);

	for (unsigned i = 0; i < count && number > 0; i++) {
		if (list[i]->stream != record->stream)
			continue;
		for (unsigned at = 0; at < list[i]->count; at++)
			if (list[i]->list[at].number == number &&
			    describe(trace, record, function, &list[i]->list[at]))
				return -ENOMEM;
	}
	return 0;
}

/* Their streams as a filter has it; NULL: out of memory. */
static char *streams_of(struct waiting *const *list, unsigned count)
{
	size_t size = (size_t)count * 12 + 1, length = 0;
	char *text = malloc(size);

	if (text)
		*text = '\0';
	for (unsigned i = 0; text && i < count; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%u", i ? "," : "",
					   list[i]->stream);
	return text;
}

int waiting_find(struct reader *trace, struct waiting *const *list, unsigned count)
{
	struct reader_filter filter = {.sz = sizeof(filter), .layers = "mpi,mpiio"};
	const struct recorder_record *record;
	struct reader_cursor *cursor;
	char *streams;
	int error = 0;

	if (count == 0)
		return 0;
	filter.streams = streams = streams_of(list, count);
	if (!streams)
		return -ENOMEM;
	cursor = reader_cursor_new(trace, &filter);
	error = cursor ? 0 : -errno;
	free(streams);
	while (!error && (record = reader_next(cursor)))
		error = look(trace, record, list, count);
	if (cursor && !error)
		error = reader_cursor_status(cursor);
	reader_cursor_free(cursor);
	return error;
}

void waiting_release(struct waiting *waiting)
{
	for (unsigned i = 0; i < waiting->count; i++)
		free(waiting->list[i].call);
	free(waiting->list);
	memset(waiting, 0, sizeof(*waiting));
}
