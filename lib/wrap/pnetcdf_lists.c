/* SPDX-License-Identifier: MIT */
/* pnetcdf_lists.c - see pnetcdf_lists.h */
#include "wrap/pnetcdf_lists.h"

#include "record/args.h"
#include "record/readable.h"

struct lists {
	const int64_t *const *lists;
	int64_t length;
};

static bool list_readable(const int64_t *const *lists, int64_t at, int64_t length)
{
	return readable(&lists[at], sizeof(lists[at])) &&
	       (!lists[at] || readable(lists[at], (size_t)length * sizeof(**lists)));
}

static bool all_readable(const int64_t *const *lists, int64_t count, int64_t length)
{
	for (int64_t at = 0; at < count; at++)
		if (!list_readable(lists, at, length))
			return false;
	return true;
}

static int64_t number_at(const void *data, uint32_t at)
{
	const struct lists *all = data;
	const int64_t *list = all->lists[at / all->length];

	return list ? list[at % all->length] : 1;
}

void arg_lists(struct call *call, unsigned index, const int64_t *const *lists, int64_t count,
	       int64_t length)
{
	struct lists all = {lists, length};
	int64_t numbers;

	if (count < 0 || length < 0)
		count = length = 0;
	if (!lists)
		call->record->args[index] = BLOCK_ABSENT;
	else if (__builtin_mul_overflow(count, length, &numbers) || numbers > ARRAY_EACH_MAX ||
		 !all_readable(lists, length ? count : 0, length))
		call->record->args[index] = BLOCK_UNREADABLE;
	else
		arg_each(call, index, numbers, number_at, &all);
}

/* The product of a list's numbers; -1: not known. */
static int64_t product_at(const int64_t *const *lists, int64_t at, int64_t length)
{
	int64_t product = 1;

	if (!lists)
		return 1;
	if (!list_readable(lists, at, length))
		return -1;
	for (int64_t i = 0; lists[at] && i < length; i++)
		if (__builtin_mul_overflow(product, lists[at][i], &product))
			return -1;
	return product;
}

int64_t lists_elements(const int64_t *const *lists, int64_t count, int64_t length)
{
	int64_t elements = 0;

	for (int64_t at = 0; at < count; at++) {
		int64_t product = product_at(lists, at, length);

		if (product < 0 || __builtin_add_overflow(elements, product, &elements))
			return -1;
	}
	return elements;
}
