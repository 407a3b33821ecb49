/* SPDX-License-Identifier: MIT */
/* operations.c - see operations.h */
#include "analysis/operations.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/message_args.h"

struct operations {
	const struct reader *trace;
	const struct role_of_function *roles; /* by id */
	operations_sink *sink;
	void *data;
	struct outstanding_table table;
};

/* A call that is taken. */
struct taken {
	const struct recorder_record *record;
	const struct role_of_function *role;
	bool shown;
};

struct operations *operations_new(const struct reader *trace, const struct role_of_function *roles,
				  operations_sink *sink, void *data)
{
	struct operations *operations = calloc(1, sizeof(*operations));

	if (!operations)
		return NULL;
	operations->trace = trace;
	operations->roles = roles;
	operations->sink = sink;
	operations->data = data;
	return operations;
}

void operations_free(struct operations *operations)
{
	if (!operations)
		return;
	outstanding_release(&operations->table);
	free(operations);
}

/* ---- requests ---- */

static struct outstanding_key key_of(const struct taken *taken, int64_t number)
{
	enum outstanding_kind kind = OUTSTANDING_REQUEST;

	if (taken->role->roles & ROLE_HALF)
		kind = OUTSTANDING_FILE;
	else if (taken->role->roles & ROLE_AIO)
		kind = OUTSTANDING_AIO;
	return (struct outstanding_key){number, taken->record->stream, kind};
}

static void start(struct outstanding *item, const struct taken *taken)
{
	item->active = true;
	item->start = (struct operation_start){taken->record->stream, taken->record->thread,
					       taken->record->sequence, taken->record->tstart,
					       taken->shown};
}

static int tell(const struct operations *operations, const struct outstanding *item, int64_t end,
		bool ended)
{
	struct operation operation = {
		.start = item->start,
		.end = end,
		.ended = ended,
		.io = item->io,
		.func_id = item->func_id,
		.number = item->key.number,
	};

	return operations->sink(operations->data, &operation);
}

static int make_one(struct operations *operations, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, number);
	struct outstanding *item;

	if (number <= 0)
		return 0;
	item = outstanding_find(&operations->table, &key);
	if (item) /* what it was is not told any more */
		outstanding_remove(&operations->table, item);
	item = outstanding_add(&operations->table, &key);
	if (!item)
		return -errno;
	item->func_id = taken->record->func_id;
	item->io = taken->role->roles & ROLE_IO;
	item->persistent = taken->role->roles & ROLE_INACTIVE;
	if (!item->persistent)
		start(item, taken);
	return 0;
}

static int start_one(struct operations *operations, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, number);
	struct outstanding *item = outstanding_find(&operations->table, &key);

	if (item && item->persistent && !item->active)
		start(item, taken);
	return 0;
}

static int end_one(struct operations *operations, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, number);
	struct outstanding *item = outstanding_find(&operations->table, &key);
	int error;

	if (!item || !item->active)
		return 0;
	error = tell(operations, item, taken->record->tend, true);
	item->active = false;
	if (!item->persistent)
		outstanding_remove(&operations->table, item);
	return error;
}

static int free_one(struct operations *operations, const struct taken *taken, int64_t number)
{
	struct outstanding_key key = key_of(taken, number);
	struct outstanding *item = outstanding_find(&operations->table, &key);
	int error = 0;

	if (!item)
		return 0;
	if (item->active)
		error = tell(operations, item, taken->record->tend, true);
	outstanding_remove(&operations->table, item);
	return error;
}

typedef int request_act(struct operations *operations, const struct taken *taken, int64_t number);

/* For the request of a call, or each of them. */
static int each_request(struct operations *operations, const struct taken *taken, request_act *act)
{
	const struct recorder_arg *arg = message_arg(taken->record, taken->role->at.request);
	uint32_t count = arg ? arg->count : 0;
	int error = 0;

	if (!arg)
		return 0;
	if (!taken->role->list)
		return act(operations, taken, arg->i64);
	if (taken->role->roles & ROLE_COUNTED && taken->record->ret < count)
		count = taken->record->ret > 0 ? (uint32_t)taken->record->ret : 0;
	for (uint32_t i = 0; i < count && !error; i++)
		error = act(operations, taken, arg->elements[i]);
	return error;
}

/* A test that has found nothing completed leaves requests as they are. */
static bool completes(const struct taken *taken)
{
	const struct recorder_arg *flag = message_arg(taken->record, taken->role->at.flag);

	return taken->role->roles & ROLE_COMPLETES && !(flag && !flag->i64);
}

/* ---- calls ---- */

/* A call that began something did so if it returned and did not fail; one that completes does that also with errors of requests. */
static bool succeeded(const struct taken *taken)
{
	unsigned roles = taken->role->roles;

	if (roles & ROLE_AIO)
		return roles & ROLE_COUNTED
			       ? taken->record->ret > 0
			       : taken->record->err != EINPROGRESS &&
					 (roles & ROLE_COMPLETES || taken->record->ret == 0);
	return roles & ROLE_COMPLETES || taken->record->ret == 0;
}

int operations_take(struct operations *operations, const struct recorder_record *record, bool shown)
{
	struct taken taken = {record, &operations->roles[record->func_id], shown};
	unsigned roles = taken.role->roles;
	int error = 0;

	if (!roles || !succeeded(&taken))
		return 0;
	/* several starts in one record have no times of their own */
	if (record->repeat > 1 && roles & (ROLE_SENDS | ROLE_RECEIVES | ROLE_STARTS))
		return 0;
	if (roles & ROLE_MAKES)
		error = each_request(operations, &taken, make_one);
	if (!error && roles & ROLE_STARTS)
		error = each_request(operations, &taken, start_one);
	if (!error && completes(&taken))
		error = each_request(operations, &taken, end_one);
	if (!error && roles & ROLE_FREES)
		error = each_request(operations, &taken, free_one);
	return error;
}

int operations_end(struct operations *operations)
{
	struct outstanding **items;
	struct reader_stream stream = {.sz = sizeof(stream)};
	int error = 0;

	if (operations->table.count == 0)
		return 0;
	items = outstanding_sorted(&operations->table);
	if (!items)
		return -ENOMEM;
	for (uint32_t i = 0; !error && items[i]; i++) {
		if (!items[i]->active ||
		    reader_stream(operations->trace, items[i]->key.stream, &stream))
			continue;
		error = tell(operations, items[i], stream.end, false);
	}
	free(items);
	outstanding_release(&operations->table);
	return error;
}
