/* SPDX-License-Identifier: MIT */
/* pnetcdf_lists.c - see pnetcdf_lists.h */
#include "wrap/pnetcdf_lists.h"

#include "record/args.h"
#include "record/readable.h"
#include "wrap/netcdf_books.h"

struct lists {
	const int64_t *const *lists;
	const struct list_lengths *lengths; /* NULL: all have `length` */
	int64_t length;
};

/* Which of their numbers comes next. */
struct walk {
	const struct lists *all;
	struct place {
		int64_t list, at;
	} * next;
};

static bool list_readable(const int64_t *const *lists, int64_t at, int64_t length)
{
	return readable(&lists[at], sizeof(lists[at])) &&
	       (!lists[at] || readable(lists[at], (size_t)length * sizeof(**lists)));
}

/* -1: not known */
static int64_t length_of(const struct lists *all, int64_t list)
{
	const struct list_lengths *lengths = all->lengths;

	if (!lengths)
		return all->length;
	if (!readable(&lengths->varids[list], sizeof(*lengths->varids)))
		return -1;
	return length_pvardims(lengths->real, lengths->ncid, lengths->varids[list]);
}

/* How many numbers there are; -1: not known, or too many. */
static int64_t numbers_in(const struct lists *all, int64_t count)
{
	int64_t numbers = 0;

	for (int64_t list = 0; list < count; list++) {
		int64_t length = length_of(all, list);

		if (length < 0 || length > ARRAY_EACH_MAX - numbers ||
		    !list_readable(all->lists, list, length))
			return -1;
		numbers += length;
	}
	return numbers;
}

/* As arg_each() asks for them: each once, in order. */
static int64_t next_number(const void *data, uint32_t index)
{
	const struct walk *walk = data;
	struct place *next = walk->next;
	const int64_t *list;

	(void)index;
	while (next->at == length_of(walk->all, next->list))
		*next = (struct place){next->list + 1, 0};
	list = walk->all->lists[next->list];
	next->at++;
	return list ? list[next->at - 1] : 1;
}

static void arg_all(struct call *call, unsigned index, const struct lists *all, int64_t count)
{
	struct place next = {0, 0};
	struct walk walk = {all, &next};
	int64_t numbers;

	if (!all->lists) {
		call->record->args[index] = BLOCK_ABSENT;
		return;
	}
	numbers = numbers_in(all, count);
	if (numbers < 0)
		call->record->args[index] = BLOCK_UNREADABLE;
	else
		arg_each(call, index, numbers, next_number, &walk);
}

void arg_lists(struct call *call, unsigned index, const int64_t *const *lists, int64_t count,
	       int64_t length)
{
	const struct lists all = {.lists = lists, .length = length};

	arg_all(call, index, &all, length > 0 ? count : 0);
}

void arg_lists_each(struct call *call, unsigned index, const int64_t *const *lists, int64_t count,
		    struct list_lengths lengths)
{
	const struct lists all = {.lists = lists, .lengths = &lengths};

	arg_all(call, index, &all, count);
}

int64_t list_product(const int64_t *const *lists, int64_t at, int64_t length)
{
	int64_t product = 1;

	if (length < 0 || (lists && !list_readable(lists, at, length)))
		return -1;
	if (!lists || !lists[at])
		return 1;
	for (int64_t i = 0; i < length; i++)
		if (__builtin_mul_overflow(product, lists[at][i], &product))
			return -1;
	return product;
}
