/* SPDX-License-Identifier: MIT */
/* failures.c - see failures.h */
#include "analysis/failures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/rows.h"

/* The name is part of the key: the same number may mean something else on another machine. */
struct failure_key {
	uint32_t function;
	int32_t err;
	char name[32];
};

#define NAME_AT offsetof(struct failure_key, name)

/* The row of a key, which is new or has counted before; NULL: no memory. */
static struct failure_row *row_of(struct failures *failures, const void *key, size_t size)
{
	struct failure_row *rows = rows_grown_zeroed(failures->rows, &failures->room,
						     failures->keys.count, sizeof(*rows));
	uint32_t number;

	if (!rows)
		return NULL;
	failures->rows = rows;
	if (dictionary_number(&failures->keys, key, size, &number))
		return NULL;
	return &failures->rows[number];
}

int failures_count(struct failures *failures, const struct reader *trace,
		   const struct recorder_record *record, bool apart)
{
	const char *name = reader_errno_name(trace, record);
	struct failure_key key = {.function = record->func_id, .err = record->err};
	size_t length = strlen(name);
	struct failure_row *row;

	if (length >= sizeof(key.name))
		length = sizeof(key.name) - 1;
	memcpy(key.name, name, length);
	row = row_of(failures, &key, NAME_AT + length);
	if (!row)
		return -ENOMEM;
	row->function = record->func_id;
	row->err = record->err;
	row->calls += record->repeat;
	add_to(&row->time, record->busy);
	if (apart) {
		row->calls_apart += record->repeat;
		add_to(&row->time_apart, record->busy);
	}
	return 0;
}

const char *failures_name(const struct failures *failures, uint32_t number)
{
	size_t size;

	return dictionary_key(&failures->keys, number, &size) + NAME_AT;
}

int failures_merge(struct failures *into, const struct failures *from)
{
	for (uint32_t i = 0; i < from->keys.count; i++) {
		size_t size;
		const char *key = dictionary_key(&from->keys, i, &size);
		struct failure_row *row = row_of(into, key, size);

		if (!row)
			return -ENOMEM;
		row->function = from->rows[i].function;
		row->err = from->rows[i].err;
		row->calls += from->rows[i].calls;
		row->calls_apart += from->rows[i].calls_apart;
		add_to(&row->time, from->rows[i].time);
		add_to(&row->time_apart, from->rows[i].time_apart);
	}
	return 0;
}

void failures_release(struct failures *failures)
{
	dictionary_release(&failures->keys);
	free(failures->rows);
}
