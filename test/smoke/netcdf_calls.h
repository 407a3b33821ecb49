/* SPDX-License-Identifier: MIT */
/*
 * netcdf_calls.h - what the calls of netcdf.calls are made on, and what the trace must say of files, groups and variables: netCDF
 * itself is asked for their names.
 */
#ifndef RECORDER_TEST_SMOKE_NETCDF_CALLS_H
#define RECORDER_TEST_SMOKE_NETCDF_CALLS_H

#include <netcdf.h>
#include <netcdf_filter.h>
#include <netcdf_mem.h>

#include "objects.h"
#include "smoke.h"

#include <limits.h>

#define DONE(call) done(call, #call)

static inline void done(int error, const char *what)
{
	if (error == NC_NOERR)
		return;
	fprintf(stderr, "%s: %s\n", what, nc_strerror(error));
	exit(1);
}

/* The function as the program is bound to it; NULL if netCDF has none of that name. */
static inline void *smoke_find(const char *symbol)
{
	Dl_info info;

	/* one that the recorder does not wrap */
	if (!dladdr(dlsym(RTLD_DEFAULT, "nc_inq_libvers"), &info))
		return NULL;
	return smoke_find_in(info.dli_fname, symbol);
}

/* ---- what a record must have ---- */

/* Where a path leads; of what lies in memory alone its name in the working directory. */
static inline const char *absolute(const char *path)
{
	static char text[PATH_MAX];
	char *folder;

	if (realpath(path, text))
		return text;
	folder = realpath(".", NULL);
	snprintf(text, sizeof(text), "%s/%s", folder, path);
	free(folder);
	return text;
}

static inline void smoke_ncid(unsigned at, const char *name, int ncid)
{
	char path[PATH_MAX], group[NC_MAX_NAME + 2];
	size_t length;

	if (nc_inq_path(ncid, &length, path) != NC_NOERR) {
		smoke_int(at, name, ncid);
		return;
	}
	/* classic files have no groups */
	if (nc_inq_grpname_full(ncid, &length, group) != NC_NOERR || strcmp(group, "/") == 0)
		smoke_arg(at, name, "%d \"%s\"", ncid, absolute(path));
	else
		smoke_arg(at, name, "%d {group=\"%s\", file=\"%s\"}", ncid, group, absolute(path));
}

static inline void smoke_varid(unsigned at, const char *name, int varid, int ncid)
{
	char variable[NC_MAX_NAME + 1];

	if (varid == NC_GLOBAL)
		smoke_arg(at, name, "NC_GLOBAL");
	else if (nc_inq_varname(ncid, varid, variable) != NC_NOERR)
		smoke_int(at, name, varid);
	else
		smoke_arg(at, name, "%d \"/%s\"", varid, variable);
}

static inline void smoke_end_nc_error(int result)
{
	DONE(result);
	smoke_line("0");
}

static inline long long length_vardims(int ncid, int varid)
{
	int dimensions;

	DONE(nc_inq_varndims(ncid, varid, &dimensions));
	return dimensions;
}

/* ---- memory ---- */

static char buffer[4096];
static const char zeros[4096];
static const char *some_strings[24] = {
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
	"m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x",
};
static char *got_strings[24];
static int integers[64], both_dimensions[2];
static const int three[1] = {3}, six[1] = {6};
static const unsigned one_value[1] = {4};
static unsigned some_values[8];
static size_t room[16];
static const size_t origin[2] = {0, 0}, two_by_two[2] = {2, 2};
static const ptrdiff_t steps[2] = {2, 1}, places[2] = {2, 1};
static NC_memio memory_file;

/* Made at its first use, for all. */
#define KEPT(function, make)                                                                       \
	static inline int function(void)                                                           \
	{                                                                                          \
		static int id = -1;                                                                \
                                                                                                   \
		if (id == -1)                                                                      \
			DONE(make);                                                                \
		return id;                                                                         \
	}

/* ---- files ---- */

KEPT(a_file, nc_create("data.nc", NC_NETCDF4 | NC_CLOBBER, &id))
KEPT(another_file, nc_create("other.nc", NC_NETCDF4 | NC_CLOBBER, &id))

/* Of the old kind, which can be defined for a while. */
static inline int a_classic_file(void)
{
	int file;

	DONE(nc_create(fresh("classic.nc"), NC_CLOBBER, &file));
	DONE(nc_def_dim(file, "x", 3, &(int){0}));
	return file;
}

static inline int a_defined_file(void)
{
	int file = a_classic_file();

	DONE(nc_enddef(file));
	return file;
}

static inline const char *a_file_to_delete(void)
{
	const char *name = fresh("gone.nc");
	int file;

	DONE(nc_create(name, NC_CLOBBER, &file));
	DONE(nc_close(file));
	return name;
}

static inline int a_file_in_memory(void)
{
	int file;

	DONE(nc_create_mem(fresh("memory.nc"), 0, 4096, &file));
	return file;
}

/* classic.nc as it is on disk, in memory that the library may free. */
static inline NC_memio *classic_memory(void)
{
	static NC_memio memory;
	int fd = open("classic.nc", O_RDONLY);
	ssize_t size;

	memory.memory = malloc(65536);
	size = fd < 0 ? -1 : read(fd, memory.memory, 65536);
	if (size <= 0)
		DONE(NC_ENOTFOUND);
	close(fd);
	memory.size = (size_t)size;
	return &memory;
}

static inline size_t classic_size(void)
{
	return classic_memory()->size;
}

static inline void *classic_bytes(void)
{
	return classic_memory()->memory;
}

/* ---- variables: all of 6 by 4 elements ---- */

static inline int define_variable(const char *name, nc_type type)
{
	int variable;

	if (both_dimensions[1] == 0) {
		DONE(nc_def_dim(a_file(), "x", 6, &both_dimensions[0]));
		DONE(nc_def_dim(a_file(), "y", 4, &both_dimensions[1]));
	}
	DONE(nc_def_var(a_file(), name, type, 2, both_dimensions, &variable));
	return variable;
}

#define VARIABLE(function, name, type)                                                             \
	static inline int function(void)                                                           \
	{                                                                                          \
		static int variable = -1;                                                          \
                                                                                                   \
		if (variable == -1)                                                                \
			variable = define_variable(name, type);                                    \
		return variable;                                                                   \
	}

VARIABLE(number_variable, "numbers", NC_INT)
VARIABLE(letter_variable, "letters", NC_CHAR)
VARIABLE(word_variable, "words", NC_STRING)

static inline int a_new_variable(void)
{
	return define_variable(fresh("var"), NC_INT);
}

static inline int a_float_variable(void)
{
	return define_variable(fresh("var"), NC_FLOAT);
}

static inline int a_chunked_variable(void)
{
	int variable = a_new_variable();

	DONE(nc_def_var_chunking(a_file(), variable, NC_CHUNKED, two_by_two));
	return variable;
}

static inline int a_filtered_variable(void)
{
	int variable = a_new_variable();

	DONE(nc_def_var_deflate(a_file(), variable, 0, 1, 4));
	return variable;
}

/* One whose type nc_get_var_X() and the like can convert to X. */
static inline int a_variable_for(const char *symbol)
{
	if (!strstr(symbol, "_var"))
		return number_variable();
	if (ends_in(symbol, "_text"))
		return letter_variable();
	return ends_in(symbol, "_string") ? word_variable() : number_variable();
}

/* ---- bytes, by the name of the function ---- */

static inline size_t element_size(const char *symbol, int varid)
{
	static const struct {
		const char *end;
		size_t size;
	} types[] = {
		{"_text", 1},
		{"_schar", 1},
		{"_uchar", 1},
		{"_ubyte", 1},
		{"_short", sizeof(short)},
		{"_ushort", sizeof(short)},
		{"_int", sizeof(int)},
		{"_uint", sizeof(int)},
		{"_long", sizeof(long)},
		{"_longlong", sizeof(long long)},
		{"_float", sizeof(float)},
		{"_ulonglong", sizeof(long long)},
		{"_double", sizeof(double)},
		{"_string", sizeof(char *)},
	};
	size_t size;
	nc_type type;

	for (unsigned at = 0; at < sizeof(types) / sizeof(types[0]); at++) {
		if (ends_in(symbol, types[at].end))
			return types[at].size;
	}
	DONE(nc_inq_vartype(a_file(), varid, &type));
	DONE(nc_inq_type(a_file(), type, NULL, &size));
	return size;
}

static inline long long bytes_of(const char *symbol, int varid)
{
	char which = strstr(symbol, "_var")[4];
	size_t elements = which == '1' ? 1 : which == 0 || which == '_' ? 24 : 4;

	return (long long)(elements * element_size(symbol, varid));
}

/* ---- attributes, groups and types ---- */

static inline const char *an_attribute(void)
{
	return "number";
}

static inline const char *attribute_there(void)
{
	const char *name = fresh("att");

	DONE(nc_put_att_int(a_file(), number_variable(), name, NC_INT, 1, integers));
	return name;
}

KEPT(a_group, nc_def_grp(a_file(), "group", &id))
KEPT(a_ragged_type, nc_def_vlen(a_file(), "ragged", NC_INT, &id))
KEPT(an_opaque_type, nc_def_opaque(a_file(), 8, "opaque", &id))

static inline int a_new_group(void)
{
	int group;

	DONE(nc_def_grp(a_file(), fresh("group"), &group));
	return group;
}

static inline nc_type define_compound(const char *name)
{
	nc_type type;

	DONE(nc_def_compound(a_file(), 16, name, &type));
	return type;
}

static inline nc_type a_new_compound(void)
{
	return define_compound(fresh("type"));
}

static inline nc_type define_enumeration(const char *name)
{
	static const int five = 5;
	nc_type type;

	DONE(nc_def_enum(a_file(), NC_INT, name, &type));
	DONE(nc_insert_enum(a_file(), type, "five", &five));
	return type;
}

static inline nc_type a_new_enumeration(void)
{
	return define_enumeration(fresh("type"));
}

static inline nc_type a_pair(void)
{
	static nc_type type;

	if (type == 0) {
		type = define_compound("pair");
		DONE(nc_insert_array_compound(a_file(), type, "first", 0, NC_INT, 1, three));
	}
	return type;
}

static inline nc_type an_enumeration(void)
{
	static nc_type type;

	if (type == 0)
		type = define_enumeration("enumeration");
	return type;
}

/* ---- before all calls: no call finds the files empty ---- */

static inline void smoke_netcdf_start(int argc, char **argv)
{
	int file, dimension;

	smoke_start(argc, argv);
	a_pair();
	a_group();
	word_variable();
	DONE(nc_put_att_int(a_file(), number_variable(), "number", NC_INT, 1, integers));
	DONE(nc_put_att_text(a_file(), number_variable(), "text", 4, "text"));
	DONE(nc_put_att_string(a_file(), number_variable(), "string", 1, some_strings));
	DONE(nc_put_var_int(a_file(), number_variable(), (const int *)zeros));
	DONE(nc_put_var_text(a_file(), letter_variable(), zeros));
	DONE(nc_put_var_string(a_file(), word_variable(), some_strings));
	DONE(nc_def_dim(another_file(), "x", 6, &(int){0}));
	DONE(nc_def_dim(another_file(), "y", 4, &(int){0}));
	DONE(nc_create("classic.nc", NC_CLOBBER, &file));
	DONE(nc_def_dim(file, "x", 10000, &dimension)); /* small ones would be enlarged in memory */
	DONE(nc_def_var(file, "x", NC_CHAR, 1, &dimension, &(int){0}));
	DONE(nc_close(file));
}

#define smoke_start smoke_netcdf_start

#endif
