/* SPDX-License-Identifier: MIT */
/*
 * pnetcdf_lists.h - lists of places in variables, as PnetCDF's varn, mput and mget functions have them: an array of pointers, each to one number for each
 * dimension. A pointer that is NULL stands for ones.
 *
 * They are read when the program's own call has succeeded, and never where that may fault.
 */
#ifndef RECORDER_WRAP_PNETCDF_LISTS_H
#define RECORDER_WRAP_PNETCDF_LISTS_H

#include <stdint.h>

#include "record/scope.h"

struct call;

/* Each list is as long as its variable has dimensions. */
struct list_lengths {
	const struct real *real;
	int ncid;
	const int *varids;
};

static inline struct list_lengths each_pvardims(const struct real *real, int ncid,
						const int *varids)
{
	return (struct list_lengths){real, ncid, varids};
}

/*
 * The numbers of `count` lists of `length` each, one list after another, as an array. `lists` may be NULL: it is absent. Beyond
 * ARRAY_EACH_MAX numbers it is unreadable.
 */
void arg_lists(struct call *call, unsigned index, const int64_t *const *lists, int64_t count,
	       int64_t length);
/* The same of lists that differ in length. */
void arg_lists_each(struct call *call, unsigned index, const int64_t *const *lists, int64_t count,
		    struct list_lengths lengths);

/* The product of the numbers of a list; if `lists` or the pointer in it is NULL, 1. -1: not known. */
int64_t list_product(const int64_t *const *lists, int64_t at, int64_t length);

#endif
