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

/* A variable, as far as it is known. */
struct nc_variable {
	uint32_t object;    /* 24 bits; 0 its name is not known */
	int32_t dimensions; /* -1 not known */
	uint32_t size;      /* of an element in the file; 0 not known */
};

/* The library is asked for what was not known of the variable. */
struct nc_variable nc_learn(const struct real *real, enum nc_api api, int ncid, int varid);

/* Elements of all of a variable; -1 not known. */
int64_t nc_elements(const struct real *real, enum nc_api api, int ncid, int varid);

/* Dimensions of a variable; -1 not known. */
int64_t length_vardims(const struct real *real, int ncid, int varid);
int64_t length_pvardims(const struct real *real, int ncid, int varid);

#endif
