/* SPDX-License-Identifier: MIT */
/*
 * netcdf_books.h - what the numbers of netCDF and PnetCDF stand for: files, groups and variables.
 *
 * Names are those that the program gives (nc_open, nc_def_var, nc_inq_varid). Of a variable that it knows by number alone, and for the number of
 * dimensions and the size of a type, the library is asked when the program's own call has succeeded: then it has read what it needs for an
 * answer, and asking does nothing else.
 */
#ifndef RECORDER_WRAP_NETCDF_BOOKS_H
#define RECORDER_WRAP_NETCDF_BOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "record/scope.h"

struct call;

enum nc_api {
	NC_PLAIN,    /* nc_* */
	NC_PARALLEL, /* ncmpi_* */
};

/* Each of these: after a call that succeeded. Pointers and names may be NULL. */
void nc_opened(const struct real *real, const char *path, int ncid);
void nc_closed(const struct real *real, int ncid);
void nc_group(const struct real *real, int parent, const char *name, const int *ncid);
void nc_defined(const struct real *real, int ncid, const char *name, int dimensions,
		const int *varid);
void nc_named(const struct real *real, int ncid, const char *name, const int *varid);

void arg_ncid(struct call *call, unsigned index, const struct real *real, int ncid);
void arg_ncid_at(struct call *call, unsigned index, const struct real *real, const int *ncid);
void arg_varid(struct call *call, unsigned index, const struct real *real, int varid, int ncid);
void arg_varid_at(struct call *call, unsigned index, const struct real *real, const int *varid,
		  int ncid);

/* Dimensions of a variable; 0 not known. */
int64_t length_vardims(const struct real *real, int ncid, int varid);
int64_t length_pvardims(const struct real *real, int ncid, int varid);

/*
 * Bytes that a call moved, whose arguments 0 and 1 are ncid and varid, and whose elements have `size` bytes in memory (0: as many
 * as in the file); -1 not known. Parts of `count` elements along each dimension; all of the variable; one element; a list of parts.
 */
int64_t nc_moved(struct call *call, const struct real *real, enum nc_api api, int ncid, int varid,
		 const int64_t *count, size_t size);
int64_t nc_moved_all(struct call *call, const struct real *real, enum nc_api api, int ncid,
		     int varid, size_t size);
int64_t nc_moved_one(struct call *call, const struct real *real, enum nc_api api, int ncid,
		     int varid, size_t size);
int64_t nc_moved_list(struct call *call, const struct real *real, enum nc_api api, int ncid,
		      int varid, int parts, const int64_t *const *counts, size_t size);

#endif
