/* SPDX-License-Identifier: MIT */
/*
 * cursors.c DIR [CHUNKS] - filters, seeking and shares give what picking from all records by hand gives. CHUNKS: the trace has at least as many, and
 * seeking reads few of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "read/body.h"

#define SHARES 3u

/* What makes a record the same one. */
struct key {
	int64_t tstart, tend;
	uint32_t stream, thread, tid;
	uint64_t sequence;
	uint16_t level, func_id;
	int32_t world, rank;
	int in_flight;
};

struct list {
	struct key *keys;
	size_t count, capacity;
};

typedef int pick(const struct reader *trace, const struct key *key);

static int failures;

static struct key key_of(const struct recorder_record *record)
{
	return (struct key){
		.tstart = record->tstart,
		.tend = record->tend,
		.stream = record->stream,
		.thread = record->thread,
		.tid = record->tid,
		.sequence = record->sequence,
		.level = record->level,
		.func_id = record->func_id,
		.world = record->world,
		.rank = record->rank,
		.in_flight = (record->flags & RECORDER_IN_FLIGHT) != 0,
	};
}

static void append(struct list *list, struct key key)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity * 2 + 64;
		list->keys = realloc(list->keys, list->capacity * sizeof(*list->keys));
		if (!list->keys)
			abort();
	}
	list->keys[list->count++] = key;
}

static struct list collect(struct reader_cursor *cursor)
{
	const struct recorder_record *record;
	struct list list = {0};

	while (cursor && (record = reader_next(cursor)))
		append(&list, key_of(record));
	return list;
}

static struct list read_all(struct reader *trace, struct reader_filter filter)
{
	struct reader_cursor *cursor;
	struct list list;

	filter.sz = sizeof(filter);
	cursor = reader_cursor_new(trace, &filter);
	if (!cursor)
		printf("cursor: %s\n", reader_error(trace));
	list = collect(cursor);
	reader_cursor_free(cursor);
	return list;
}

static int is_same(const struct key *a, const struct key *b)
{
	return a->tstart == b->tstart && a->tend == b->tend && a->stream == b->stream &&
	       a->thread == b->thread && a->sequence == b->sequence && a->level == b->level &&
	       a->func_id == b->func_id && a->in_flight == b->in_flight;
}

static void compare(const char *what, const struct list *want, const struct list *got)
{
	size_t i = 0;

	while (i < want->count && i < got->count && is_same(&want->keys[i], &got->keys[i]))
		i++;
	if (i == want->count && i == got->count)
		return;
	printf("%s: record %zu differs; %zu wanted, %zu given\n", what, i, want->count, got->count);
	failures++;
}

/* (tstart, world, rank, ...) */
static void check_order(const struct list *all)
{
	for (size_t i = 1; i < all->count; i++) {
		const struct key *a = &all->keys[i - 1], *b = &all->keys[i];

		if (a->tstart > b->tstart ||
		    (a->tstart == b->tstart &&
		     (a->world > b->world || (a->world == b->world && a->rank > b->rank)))) {
			printf("record %zu is out of order\n", i);
			failures++;
			return;
		}
	}
}

static void check_filter(const char *what, struct reader *trace, const struct list *all,
			 struct reader_filter filter, pick *picked)
{
	struct list want = {0}, got = read_all(trace, filter);

	for (size_t i = 0; i < all->count; i++) {
		if (picked(trace, &all->keys[i]))
			append(&want, all->keys[i]);
	}
	printf("%s: %zu records\n", what, want.count);
	compare(what, &want, &got);
	free(want.keys);
	free(got.keys);
}

static void check_seek(struct reader *trace, const struct list *all)
{
	struct reader_filter filter = {.sz = sizeof(filter), .in_flight = 1};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	size_t step = all->count / 50 + 1;

	/* Backwards, so that a seek does not profit from what the last one left. */
	for (size_t i = all->count; i-- > 0; i -= i < step ? i : step) {
		int64_t time = all->keys[i].tstart;
		struct list want = {0}, got;

		for (size_t k = 0; k < all->count; k++) {
			if (all->keys[k].tstart >= time)
				append(&want, all->keys[k]);
		}
		reader_seek(cursor, time);
		got = collect(cursor);
		compare("seek", &want, &got);
		free(want.keys);
		free(got.keys);
	}
	reader_cursor_free(cursor);
}

static int64_t middle, later;

static int in_window(const struct reader *trace, const struct key *key)
{
	(void)trace;
	return key->tend >= middle && key->tstart < later && !key->in_flight;
}

static int is_long(const struct reader *trace, const struct key *key)
{
	(void)trace;
	return key->tend - key->tstart >= 100 && !key->in_flight;
}

static int is_outer(const struct reader *trace, const struct key *key)
{
	(void)trace;
	return key->level == 0 && !key->in_flight;
}

static int is_rank_one(const struct reader *trace, const struct key *key)
{
	(void)trace;
	return key->rank == 1 && !key->in_flight;
}

static int is_mpi(const struct reader *trace, const struct key *key)
{
	return strcmp(reader_function_by_id(trace, key->func_id)->layer, "mpi") == 0 &&
	       !key->in_flight;
}

static int is_write_but_no_open(const struct reader *trace, const struct key *key)
{
	const char *name = reader_function_by_id(trace, key->func_id)->name;

	return strchr(name, 'p') && strncmp(name, "open", 4) != 0 && !key->in_flight;
}

static int is_in_flight(const struct reader *trace, const struct key *key)
{
	(void)trace;
	return key->in_flight;
}

static int by_place(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return x->level < y->level ? -1 : x->level > y->level;
}

/* Shares have each record once, and as even as chunks can be (lib/read/share.c). */
static void check_shares(struct reader *trace, const struct list *all)
{
	struct list want = {0}, got = {0};

	for (size_t i = 0; i < all->count; i++)
		append(&want, all->keys[i]);
	for (unsigned part = 0; part < SHARES; part++) {
		struct list share = read_all(trace, (struct reader_filter){.order = READER_BY_END,
									   .in_flight = 1,
									   .part = part,
									   .parts = SHARES});

		for (size_t i = 0; i < share.count; i++)
			append(&got, share.keys[i]);
		free(share.keys);
	}
	qsort(want.keys, want.count, sizeof(*want.keys), by_place);
	qsort(got.keys, got.count, sizeof(*got.keys), by_place);
	compare("shares", &want, &got);
	free(want.keys);
	free(got.keys);
}

static unsigned bodies; /* that were read */

int __real_body_read(struct body *body, struct tracefiles *files, struct file *file,
		     uint64_t offset, uint32_t size, uint32_t crc);
int __wrap_body_read(struct body *body, struct tracefiles *files, struct file *file,
		     uint64_t offset, uint32_t size, uint32_t crc);

int __wrap_body_read(struct body *body, struct tracefiles *files, struct file *file,
		     uint64_t offset, uint32_t size, uint32_t crc)
{
	bodies++;
	return __real_body_read(body, files, file, offset, size, crc);
}

/* Of a thread without nested calls: two chunks, that of the record and, if it is the first in it, the one before. */
static void check_few_chunks(struct reader *trace, const struct list *all, unsigned least)
{
	struct reader_filter filter = {.sz = sizeof(filter)};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	unsigned most = 0, before;

	for (size_t i = 0; i < all->count; i += all->count / 100 + 1) {
		before = bodies;

		reader_seek(cursor, all->keys[i].tstart);
		if (reader_next(cursor)->tstart != all->keys[i].tstart)
			failures++;
		most = bodies - before > most ? bodies - before : most;
	}
	reader_cursor_free(cursor);
	before = bodies;
	free(read_all(trace, (struct reader_filter){0}).keys);
	printf("seeking: at most %u of %u chunks\n", most, bodies - before);
	failures += most > 2 || bodies - before < least;
}

int main(int argc, char **argv)
{
	struct reader *trace = reader_open(argc > 1 ? argv[1] : ".", NULL);
	struct list all;

	if (!trace) {
		printf("%s\n", reader_error(NULL));
		return 2;
	}
	all = read_all(trace, (struct reader_filter){.in_flight = 1});
	if (all.count == 0)
		return 2;
	middle = all.keys[all.count / 3].tstart;
	later = all.keys[all.count / 3 * 2].tstart;
	check_order(&all);
	check_filter("time", trace, &all, (struct reader_filter){.after = middle, .before = later},
		     in_window);
	check_filter("duration", trace, &all, (struct reader_filter){.min_duration = 100}, is_long);
	check_filter("level", trace, &all, (struct reader_filter){.levels = "0"}, is_outer);
	check_filter("rank", trace, &all, (struct reader_filter){.ranks = "1"}, is_rank_one);
	check_filter("layer", trace, &all, (struct reader_filter){.layers = "mpi"}, is_mpi);
	check_filter("function", trace, &all, (struct reader_filter){.functions = "*p*,-open*"},
		     is_write_but_no_open);
	check_filter("in flight", trace, &all, (struct reader_filter){.in_flight = 2},
		     is_in_flight);
	check_shares(trace, &all);
	if (argc > 2)
		check_few_chunks(trace, &all, (unsigned)strtoul(argv[2], NULL, 10));
	else
		check_seek(trace, &all);
	free(all.keys);
	reader_close(trace);
	return failures > 0;
}
