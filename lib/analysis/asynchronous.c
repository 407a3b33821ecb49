/* SPDX-License-Identifier: MIT */
/* asynchronous.c - see asynchronous.h */
#include "analysis/asynchronous.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/wire.h"

#define LIST_READS 0 /* LIO_READ, LIO_WRITE */
#define LIST_WRITES 1

/* ---- functions ---- */

static unsigned arg_of_kind(const struct reader_function_info *function, const char *kind,
			    enum reader_class class_)
{
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].kind, kind) && function->args[i].class_ == class_)
			return i;
	return ~0u;
}

static enum asynchronous_role role_of(const struct reader_function_info *function)
{
	if (strcmp(function->layer, "posix") != 0)
		return ASYNC_NONE;
	if (!strcmp(function->name, "aio_read") || !strcmp(function->name, "aio_write"))
		return ASYNC_SUBMITS;
	if (!strcmp(function->name, "lio_listio"))
		return ASYNC_SUBMITS_LIST;
	return !strcmp(function->name, "aio_return") ? ASYNC_RETURNS : ASYNC_NONE;
}

struct asynchronous_facts asynchronous_facts_of(const struct reader_function_info *function)
{
	struct asynchronous_facts facts = {.role = role_of(function)};

	facts.writes = !strcmp(function->name, "aio_write");
	if (facts.role == ASYNC_SUBMITS_LIST) {
		facts.request = arg_of_kind(function, "aios", READER_ARRAY);
		facts.operation = arg_of_kind(function, "lio_ops", READER_ARRAY);
		facts.file = arg_of_kind(function, "files", READER_ARRAY);
		facts.offset = arg_of_kind(function, "offsets", READER_ARRAY);
	} else {
		facts.request = arg_of_kind(function, "aio", READER_INT);
		facts.file = arg_of_kind(function, "fd", READER_PAIR);
		facts.offset = arg_of_kind(function, "offset", READER_INT);
	}
	return facts;
}

/* ---- calls ---- */

static const struct recorder_arg *arg_at(const struct recorder_record *record, unsigned index)
{
	return index < record->arg_count && record->args[index].state == RECORDER_ARG_PRESENT
		       ? &record->args[index]
		       : NULL;
}

static struct asynchronous_request *place_of(const struct asynchronous *asynchronous,
					     int64_t number)
{
	return &asynchronous->requests[(uint64_t)number % ASYNCHRONOUS_REQUESTS];
}

static void submit(const struct asynchronous *asynchronous, int64_t number, uint32_t file,
		   int64_t offset, bool write)
{
	if (number > 0 && file)
		*place_of(asynchronous, number) =
			(struct asynchronous_request){number, offset, file, write};
}

static void submit_one(const struct asynchronous *asynchronous,
		       const struct asynchronous_facts *facts, const struct recorder_record *record)
{
	const struct recorder_arg *request = arg_at(record, facts->request);
	const struct recorder_arg *file = arg_at(record, facts->file);
	const struct recorder_arg *offset = arg_at(record, facts->offset);

	if (request && file && offset)
		submit(asynchronous, request->i64, file->id, offset->i64, facts->writes);
}

static void submit_list(const struct asynchronous *asynchronous,
			const struct asynchronous_facts *facts,
			const struct recorder_record *record)
{
	const struct recorder_arg *requests = arg_at(record, facts->request);
	const struct recorder_arg *operations = arg_at(record, facts->operation);
	const struct recorder_arg *files = arg_at(record, facts->file);
	const struct recorder_arg *offsets = arg_at(record, facts->offset);

	if (!requests || !operations || !files || !offsets)
		return;
	for (uint32_t i = 0;
	     i < requests->count && i < operations->count && i < files->count && i < offsets->count;
	     i++)
		if (operations->elements[i] == LIST_READS || operations->elements[i] == LIST_WRITES)
			submit(asynchronous, requests->elements[i],
			       pair_id((uint64_t)files->elements[i]), offsets->elements[i],
			       operations->elements[i] == LIST_WRITES);
}

static const struct asynchronous_request *taken_by(const struct asynchronous *asynchronous,
						   const struct asynchronous_facts *facts,
						   const struct recorder_record *record)
{
	const struct recorder_arg *arg = arg_at(record, facts->request);
	struct asynchronous_request *request;

	if (!arg || arg->i64 <= 0)
		return NULL;
	request = place_of(asynchronous, arg->i64);
	return request->number == arg->i64 ? request : NULL;
}

int asynchronous_take(struct asynchronous *asynchronous, const struct asynchronous_facts *facts,
		      const struct recorder_record *record,
		      const struct asynchronous_request **returned)
{
	*returned = NULL;
	if (!asynchronous->requests)
		asynchronous->requests =
			calloc(ASYNCHRONOUS_REQUESTS, sizeof(*asynchronous->requests));
	if (!asynchronous->requests)
		return -ENOMEM;
	if (facts->role == ASYNC_SUBMITS)
		submit_one(asynchronous, facts, record);
	else if (facts->role == ASYNC_SUBMITS_LIST)
		submit_list(asynchronous, facts, record);
	else
		*returned = taken_by(asynchronous, facts, record);
	return 0;
}

void asynchronous_release(struct asynchronous *asynchronous)
{
	free(asynchronous->requests);
	asynchronous->requests = NULL;
}
