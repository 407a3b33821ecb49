/* SPDX-License-Identifier: MIT */
/*
 * pnetcdf_lists.h - lists of places in a variable, as PnetCDF's varn functions have them: an array of pointers, each to one number for each dimension. A
 * pointer that is NULL stands for ones.
 *
 * They are read when the program's own call has succeeded, and never where that may fault.
 */
#ifndef RECORDER_WRAP_PNETCDF_LISTS_H
#define RECORDER_WRAP_PNETCDF_LISTS_H

#include <stdint.h>

struct call;

/*
 * The numbers of `count` lists of `length` each, one list after another, as an array. `lists` may be NULL: it is absent. Beyond
 * ARRAY_EACH_MAX numbers it is unreadable.
 */
void arg_lists(struct call *call, unsigned index, const int64_t *const *lists, int64_t count,
	       int64_t length);

/* The sum of the products of the numbers of each list; if `lists` is NULL each product is 1. -1: not known. */
int64_t lists_elements(const int64_t *const *lists, int64_t count, int64_t length);

#endif
