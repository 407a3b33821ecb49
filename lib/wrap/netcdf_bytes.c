/* SPDX-License-Identifier: MIT */
/* netcdf_bytes.c - see netcdf_bytes.h */
#include "wrap/netcdf_bytes.h"

#include "record/readable.h"
#include "wrap/pnetcdf_lists.h"

#define ARG_VARID 1u

static int64_t bytes_of(int64_t elements, const struct nc_variable *variable, size_t size)
{
	int64_t bytes;

	size = size ? size : variable->size;
	if (elements < 0 || !size || __builtin_mul_overflow(elements, size, &bytes))
		return -1;
	return bytes;
}

/* The sum; -1 once a part of it is not known. */
static int64_t together(int64_t sum, int64_t part)
{
	if (sum < 0 || part < 0 || __builtin_add_overflow(sum, part, &sum))
		return -1;
	return sum;
}

/* ---- one variable ---- */

static struct nc_variable moved(struct call *call, const struct real *real, enum nc_api api,
				int ncid, int varid)
{
	struct nc_variable variable = nc_learn(real, api, ncid, varid);

	arg_varid(call, ARG_VARID, real, varid, ncid);
	return variable;
}

int64_t nc_moved(struct call *call, const struct real *real, enum nc_api api, int ncid, int varid,
		 const int64_t *count, size_t size)
{
	struct nc_variable variable = moved(call, real, api, ncid, varid);

	/* without counts there is nothing to count by, unless it is a scalar */
	if (!count && variable.dimensions != 0)
		return -1;
	return bytes_of(list_product(&count, 0, variable.dimensions), &variable, size);
}

int64_t nc_moved_one(struct call *call, const struct real *real, enum nc_api api, int ncid,
		     int varid, size_t size)
{
	struct nc_variable variable = moved(call, real, api, ncid, varid);

	return bytes_of(1, &variable, size);
}

int64_t nc_moved_list(struct call *call, const struct real *real, enum nc_api api, int ncid,
		      int varid, int parts, const int64_t *const *counts, size_t size)
{
	struct nc_variable variable = moved(call, real, api, ncid, varid);
	int64_t elements = 0;

	for (int part = 0; part < parts && elements >= 0; part++)
		elements = together(elements, list_product(counts, part, variable.dimensions));
	return bytes_of(elements, &variable, size);
}

int64_t nc_moved_all(struct call *call, const struct real *real, enum nc_api api, int ncid,
		     int varid, size_t size)
{
	struct nc_variable variable = moved(call, real, api, ncid, varid);

	return bytes_of(nc_elements(real, api, ncid, varid), &variable, size);
}

/* ---- several variables ---- */

/* Elements that were moved of one of them. */
typedef int64_t elements_of(const struct real *real, int ncid, int varid, int at,
			    const int64_t *const *counts);

static int64_t moved_of_each(const struct real *real, int ncid, const int *varids, int variables,
			     elements_of *elements, const int64_t *const *counts, size_t size)
{
	int64_t bytes = 0;

	for (int at = 0; at < variables && bytes >= 0; at++) {
		struct nc_variable variable;

		if (!readable(&varids[at], sizeof(varids[at])))
			return -1;
		variable = nc_learn(real, NC_PARALLEL, ncid, varids[at]);
		bytes = together(bytes, bytes_of(elements(real, ncid, varids[at], at, counts),
						 &variable, size));
	}
	return bytes;
}

static int64_t elements_of_part(const struct real *real, int ncid, int varid, int at,
				const int64_t *const *counts)
{
	return list_product(counts, at, length_pvardims(real, ncid, varid));
}

static int64_t elements_of_all(const struct real *real, int ncid, int varid, int at,
			       const int64_t *const *counts)
{
	(void)at;
	(void)counts;
	return nc_elements(real, NC_PARALLEL, ncid, varid);
}

static int64_t element(const struct real *real, int ncid, int varid, int at,
		       const int64_t *const *counts)
{
	(void)real;
	(void)ncid;
	(void)varid;
	(void)at;
	(void)counts;
	return 1;
}

int64_t ncm_moved(const struct real *real, int ncid, const int *varids, int variables,
		  const int64_t *const *counts, size_t size)
{
	return moved_of_each(real, ncid, varids, variables, elements_of_part, counts, size);
}

int64_t ncm_moved_all(const struct real *real, int ncid, const int *varids, int variables,
		      size_t size)
{
	return moved_of_each(real, ncid, varids, variables, elements_of_all, NULL, size);
}

int64_t ncm_moved_one(const struct real *real, int ncid, const int *varids, int variables,
		      size_t size)
{
	return moved_of_each(real, ncid, varids, variables, element, NULL, size);
}
