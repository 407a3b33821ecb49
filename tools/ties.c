/* SPDX-License-Identifier: MIT */
/* ties.c - see ties.h */
#include "ties.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct ties {
	const struct tie_end *list;
	uint32_t count;
	uint32_t *order;  /* of the list, as the pass needs it */
	uint32_t *parent; /* what an end lies in */
	uint32_t *drawn;  /* by call: to what its arrow was drawn last */
	uint32_t *stack;
	struct unwritten *unwritten;
	tie_sink *sink;
	void *self;
	uint32_t target; /* of the ranges that are taken, as is the next one */
	uint32_t around;
	int error;
};

#define COMPARE(x, y)                                                                              \
	if ((x) != (y))                                                                            \
	return (x) < (y) ? -1 : 1

static int by_record(const struct tie_end *x, const struct tie_end *y)
{
	COMPARE(x->stream, y->stream);
	COMPARE(x->thread, y->thread);
	COMPARE(x->sequence, y->sequence);
	COMPARE(x->kind, y->kind);
	COMPARE(x->from, y->from);
	return 0;
}

int ties_by_time(const void *a, const void *b)
{
	const struct tie_end *x = a, *y = b;

	COMPARE(x->begin, y->begin);
	COMPARE(x->level, y->level);
	return by_record(x, y);
}

/* Numbers of ends, which are in the order of time. */
static int by_thread(const void *a, const void *b, void *list)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct tie_end *ends = list, *x = &ends[i], *y = &ends[k];

	COMPARE(x->process, y->process);
	COMPARE(x->tid, y->tid);
	COMPARE(i, k);
	return 0;
}

static int by_flusher(const void *a, const void *b, void *list)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct tie_end *ends = list, *x = &ends[i], *y = &ends[k];

	COMPARE(x->file.machine, y->file.machine);
	COMPARE(x->flusher, y->flusher);
	COMPARE(i, k);
	return 0;
}

static bool is_same_file(const struct tie_end *x, const struct tie_end *y)
{
	return x->has_file && y->has_file && !memcmp(&x->file, &y->file, sizeof(x->file));
}

/* Whether `inner`, which begins in `outer` or behind it, comes from it: the same thread has begun both. */
static bool lies_in(const struct tie_end *inner, const struct tie_end *outer)
{
	if (inner->begin > outer->end)
		return false;
	return !inner->flusher || is_same_file(inner, outer);
}

/* What the ends of a thread lie in, which are `count` in `order`. */
static void nest(struct ties *ties, const uint32_t *order, uint32_t count)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct tie_end *end = &ties->list[order[i]];

		while (depth > 0 && ties->list[ties->stack[depth - 1]].end < end->begin)
			depth--;
		if ((end->kind == TIE_REQUEST || end->kind == TIE_WRITEBACK) &&
		    (end->flusher || end->in_call) && depth > 0 &&
		    lies_in(end, &ties->list[ties->stack[depth - 1]]))
			ties->parent[order[i]] = ties->stack[depth - 1];
		if (end->kind == TIE_CALL || end->kind == TIE_WRITEBACK)
			ties->stack[depth++] = order[i];
	}
}

/* Threads of the program, or of the kernel. */
static void nest_all(struct ties *ties, bool flushers)
{
	int (*compare)(const void *, const void *, void *) = flushers ? by_flusher : by_thread;
	uint32_t count = 0, first = 0;

	for (uint32_t i = 0; i < ties->count; i++)
		if ((ties->list[i].flusher != 0) == flushers)
			ties->order[count++] = i;
	qsort_r(ties->order, count, sizeof(*ties->order), compare, (void *)ties->list);
	for (uint32_t i = 1; i <= count; i++) {
		const struct tie_end *a = &ties->list[ties->order[first]],
				     *b = i < count ? &ties->list[ties->order[i]] : NULL;

		if (b && (flushers ? a->file.machine == b->file.machine && a->flusher == b->flusher
				   : a->process == b->process && a->tid == b->tid))
			continue;
		nest(ties, ties->order + first, i - first);
		first = i;
	}
}

static void draw(struct ties *ties, uint32_t from, uint32_t to)
{
	if (!ties->error && from != NONE)
		ties->error = ties->sink(ties->self, &ties->list[from], &ties->list[to]);
}

/* A write whose bytes go to the device now. */
static void draw_write(void *self, uint32_t who)
{
	struct ties *ties = self;
	uint32_t target = ties->target;

	if (who == ties->around) /* there is one already */
		return;
	if (ties->around != NONE && ties->list[ties->around].kind == TIE_WRITEBACK &&
	    ties->list[who].begin <= ties->list[ties->around].begin)
		target = ties->around;
	if (ties->drawn[who] == target)
		return;
	ties->drawn[who] = target;
	draw(ties, who, target);
}

static void ignore(void *self, uint32_t who)
{
	(void)self;
	(void)who;
}

static void take_request(struct ties *ties, uint32_t number)
{
	const struct tie_end *request = &ties->list[number], *range = request + 1;
	const struct tie_end *end = ties->list + ties->count;
	uint32_t around = ties->parent[number];
	const struct tie_end *call = around == NONE ? NULL : &ties->list[around];

	draw(ties, around, number);
	if (!request->writes)
		return;
	/* it went past the page cache */
	if (!request->has_file && call && call->kind == TIE_CALL && call->until > call->from)
		ties->error = ties->error ? ties->error
					  : unwritten_take(ties->unwritten, &call->file, call->from,
							   call->until, ignore, NULL);
	ties->target = number;
	ties->around = around;
	for (; range < end && range->kind == TIE_RANGE && !ties->error; range++) {
		if (range->stream != request->stream || range->thread != request->thread ||
		    range->sequence != request->sequence)
			break;
		int error = unwritten_take(ties->unwritten, &request->file, range->from,
					   range->until, draw_write, ties);

		ties->error = ties->error ? ties->error : error;
	}
}

static int follow(struct ties *ties)
{
	for (uint32_t i = 0; i < ties->count && !ties->error; i++) {
		const struct tie_end *end = &ties->list[i];

		if (end->kind == TIE_REQUEST)
			take_request(ties, i);
		else if (end->kind == TIE_WRITEBACK)
			draw(ties, ties->parent[i], i);
		else if (end->kind == TIE_CALL && end->until > end->from)
			ties->error = unwritten_add(ties->unwritten, &end->file, end->from,
						    end->until, i);
	}
	return ties->error;
}

int ties_find(struct tie_end *list, uint32_t count, tie_sink *sink, void *self)
{
	uint32_t *numbers = malloc(4 * ((size_t)count + 1) * sizeof(*numbers));
	struct ties ties = {.list = list,
			    .count = count,
			    .unwritten = unwritten_new(),
			    .sink = sink,
			    .self = self};
	int error = -ENOMEM;

	if (numbers && ties.unwritten) {
		ties.order = numbers;
		ties.parent = numbers + count;
		ties.drawn = numbers + 2 * (size_t)count;
		ties.stack = numbers + 3 * (size_t)count;
		memset(ties.parent, 0xff, 2 * (size_t)count * sizeof(*numbers)); /* NONE */
		qsort(list, count, sizeof(*list), ties_by_time);
		nest_all(&ties, false);
		nest_all(&ties, true);
		error = follow(&ties);
	}
	unwritten_free(ties.unwritten);
	free(numbers);
	return error;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

static int note_tie(void *self, const struct tie_end *from, const struct tie_end *to)
{
	char *text = self;

	snprintf(text + strlen(text), 64, "%u>%u ", (unsigned)from->place, (unsigned)to->place);
	return 0;
}

#define FILE_A .has_file = 1, .file = {1, 2, 3}
#define FILE_B .has_file = 1, .file = {1, 2, 4}

TEST_CASE(a_request_comes_from_the_call_of_its_own_thread)
{
	struct tie_end list[] = {
		{.begin = 10, .end = 20, .tid = 1, .place = 1, .until = 4096, FILE_A},
		{.begin = 10, .end = 20, .tid = 2, .place = 2, .until = 4096, FILE_B},
		{.begin = 12,
		 .end = 30,
		 .tid = 2,
		 .place = 3,
		 .in_call = 1,
		 .kind = TIE_REQUEST,
		 .writes = 1},
		/* not in a call: a worker's, that goes by the number of the thread */
		{.begin = 13, .end = 30, .tid = 1, .place = 4, .kind = TIE_REQUEST, .writes = 1},
		/* behind the call */
		{.begin = 21, .end = 30, .tid = 1, .place = 5, .in_call = 1, .kind = TIE_REQUEST},
		/* the bytes of thread 1 are still in the page cache, those of thread 2 went past it */
		{.begin = 40,
		 .end = 50,
		 .tid = 3,
		 .place = 6,
		 .in_call = 1,
		 .kind = TIE_REQUEST,
		 .writes = 1,
		 .sequence = 1,
		 FILE_A},
		{.begin = 40, .tid = 3, .kind = TIE_RANGE, .sequence = 1, .until = 4096},
		{.begin = 41,
		 .end = 50,
		 .tid = 3,
		 .place = 7,
		 .in_call = 1,
		 .kind = TIE_REQUEST,
		 .writes = 1,
		 .sequence = 2,
		 FILE_B},
		{.begin = 41, .tid = 3, .kind = TIE_RANGE, .sequence = 2, .until = 4096},
	};
	char got[512] = "";

	EXPECT_EQ(ties_find(list, sizeof(list) / sizeof(list[0]), note_tie, got), 0);
	EXPECT_STR(got, "2>3 1>6 ");
}

TEST_CASE(a_write_leads_to_the_write_back_of_its_bytes_and_that_to_its_requests)
{
	struct tie_end list[] = {
		{.begin = 10, .end = 20, .tid = 1, .place = 1, .until = 4096, FILE_A},
		{.begin = 11, .end = 20, .tid = 2, .place = 2, .until = 4096, FILE_B},
		{.begin = 21, .end = 22, .tid = 1, .place = 3, .from = 4096, .until = 8192, FILE_A},
		{.begin = 30,
		 .end = 40,
		 .tid = 1,
		 .place = 4,
		 .flusher = 9,
		 .kind = TIE_WRITEBACK,
		 FILE_A},
		{.begin = 33,
		 .end = 50,
		 .tid = 1,
		 .place = 5,
		 .flusher = 9,
		 .kind = TIE_REQUEST,
		 .writes = 1,
		 .sequence = 1,
		 FILE_A},
		{.begin = 33,
		 .tid = 1,
		 .flusher = 9,
		 .kind = TIE_RANGE,
		 .sequence = 1,
		 .until = 8192},
		/* another thread of the kernel meanwhile */
		{.begin = 34,
		 .end = 50,
		 .tid = 2,
		 .place = 6,
		 .flusher = 8,
		 .kind = TIE_REQUEST,
		 .writes = 1,
		 .sequence = 2,
		 FILE_B},
		{.begin = 34,
		 .tid = 2,
		 .flusher = 8,
		 .kind = TIE_RANGE,
		 .sequence = 2,
		 .until = 4096},
		/* of another file than the one that is written back */
		{.begin = 35,
		 .end = 50,
		 .tid = 2,
		 .place = 7,
		 .flusher = 9,
		 .kind = TIE_REQUEST,
		 .writes = 1,
		 .sequence = 3,
		 FILE_B},
	};
	char got[512] = "";

	EXPECT_EQ(ties_find(list, sizeof(list) / sizeof(list[0]), note_tie, got), 0);
	EXPECT_STR(got, "4>5 1>4 3>4 2>6 ");
}
#endif
