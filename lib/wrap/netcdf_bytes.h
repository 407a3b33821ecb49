/* SPDX-License-Identifier: MIT */
/*
 * netcdf_bytes.h - how many bytes a call of netCDF or PnetCDF moved, in memory; -1 not known. It is asked after a call that succeeded.
 *
 * `size` is that of an element, 0 if it is as in the file. Arguments 0 and 1 of a call on one variable are ncid and varid; the latter is recorded anew,
 * since by now it has a name.
 */
#ifndef RECORDER_WRAP_NETCDF_BYTES_H
#define RECORDER_WRAP_NETCDF_BYTES_H

#include "wrap/netcdf_books.h"

/* A part of the variable, of `count` elements along each dimension; all of it; one element; a list of parts. */
int64_t nc_moved(struct call *call, const struct real *real, enum nc_api api, int ncid, int varid,
		 const int64_t *count, size_t size);
int64_t nc_moved_all(struct call *call, const struct real *real, enum nc_api api, int ncid,
		     int varid, size_t size);
int64_t nc_moved_one(struct call *call, const struct real *real, enum nc_api api, int ncid,
		     int varid, size_t size);
int64_t nc_moved_list(struct call *call, const struct real *real, enum nc_api api, int ncid,
		      int varid, int parts, const int64_t *const *counts, size_t size);

/* PnetCDF's mput and mget: of each of several variables a part, all, or one element. */
int64_t ncm_moved(const struct real *real, int ncid, const int *varids, int variables,
		  const int64_t *const *counts, size_t size);
int64_t ncm_moved_all(const struct real *real, int ncid, const int *varids, int variables,
		      size_t size);
int64_t ncm_moved_one(const struct real *real, int ncid, const int *varids, int variables,
		      size_t size);

#endif
