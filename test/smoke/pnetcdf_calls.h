/* SPDX-License-Identifier: MIT */
/*
 * pnetcdf_calls.h - what the calls of pnetcdf.calls are made on, and what the trace must say of files and variables: PnetCDF itself is asked for
 * their names. One rank runs the program.
 *
 * A function is looked up just before it is called: then the file is brought into the mode that it needs, in which variables are defined,
 * reached by all ranks together or by each for itself.
 */
#ifndef RECORDER_TEST_SMOKE_PNETCDF_CALLS_H
#define RECORDER_TEST_SMOKE_PNETCDF_CALLS_H

/* 900 functions that run once: the compiler takes four times as long to make them fast. */
#ifndef __clang__
#pragma GCC optimize("O0")
#endif

#include <mpi.h>
#include <pnetcdf.h>

#include "datatypes.h"
#include "objects.h"
#include "smoke.h"

#include <limits.h>

#define DONE(call) done(call, #call)

static inline void done(int error, const char *what)
{
	if (error == NC_NOERR)
		return;
	fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(error));
	exit(1);
}

static inline bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* ---- memory ---- */

static char buffer[4096], other_buffer[4096];
static void *const both_buffers[2] = {buffer, other_buffer};
static int integers[64], both_dimensions[2];
static MPI_Datatype both_ints[2];
static MPI_Offset origin[2] = {0, 0}, two_by_two[2] = {2, 2}, steps[2] = {2, 1}, places[2] = {2, 1};
static MPI_Offset other_origin[2] = {3, 2}, a_row[2] = {1, 2}, a_column[2] = {2, 1};

/* For each of two parts of a variable, or of two variables. */
static MPI_Offset *const two_origins[2] = {origin, other_origin};
static MPI_Offset *const two_parts[2] = {a_row, a_column};
static MPI_Offset *const two_squares[2] = {two_by_two, two_by_two};
static MPI_Offset *const both_steps[2] = {steps, steps}, *const both_places[2] = {places, places};

/* ---- the file that most calls are on, and its variables ---- */

static enum mode { DEFINE, TOGETHER, ALONE } file_mode = DEFINE;
static int kept_file, number_variables[2], letter_variables[2], record_variable;

static inline int a_file(void)
{
	return kept_file;
}

static inline enum mode mode_for(const char *symbol)
{
	static const char *const defining[] = {"def_", "put_att", "del_att", "copy_att", "rename_"};
	static const char *const moving[] = {"put_var", "get_var", "mput_", "mget_", "wait"};
	const char *name = symbol + strlen("ncmpi_");

	for (unsigned at = 0; at < sizeof(defining) / sizeof(defining[0]); at++) {
		if (begins_with(name, defining[at]))
			return DEFINE;
	}
	for (unsigned at = 0; at < sizeof(moving) / sizeof(moving[0]); at++) {
		if (begins_with(name, moving[at]) && !ends_in(name, "_all"))
			return ALONE;
	}
	return TOGETHER;
}

static inline void enter_mode(enum mode mode)
{
	if (file_mode == mode)
		return;
	if (file_mode == ALONE)
		DONE(ncmpi_end_indep_data(kept_file));
	else if (file_mode == DEFINE)
		DONE(ncmpi_enddef(kept_file));
	if (mode == ALONE)
		DONE(ncmpi_begin_indep_data(kept_file));
	else if (mode == DEFINE)
		DONE(ncmpi_redef(kept_file));
	file_mode = mode;
}

/* What was asked for and not waited for. */
static inline void finish_requests(void)
{
	int count;

	DONE(ncmpi_inq_nreqs(kept_file, &count));
	if (count == 0)
		return;
	enter_mode(TOGETHER);
	DONE(ncmpi_wait_all(kept_file, NC_REQ_ALL, NULL, NULL));
}

static inline void *smoke_find(const char *symbol)
{
	finish_requests();
	enter_mode(mode_for(symbol));
	return dlsym(RTLD_DEFAULT, symbol);
}

/* Of 6 by 4 elements. */
static inline int define_variable(const char *name, nc_type type)
{
	int variable;

	DONE(ncmpi_def_var(kept_file, name, type, 2, both_dimensions, &variable));
	return variable;
}

static inline int a_new_variable(void)
{
	return define_variable(fresh("var"), NC_INT);
}

/* Those whose type ncmpi_get_var_X() and the like can convert to X. */
static inline bool is_of_letters(const char *symbol)
{
	return strstr(symbol, "_var") && strstr(symbol, "_text");
}

static inline int *two_variables_for(const char *symbol)
{
	return is_of_letters(symbol) ? letter_variables : number_variables;
}

static inline int a_variable_for(const char *symbol)
{
	return *two_variables_for(symbol);
}

/* ---- how much is moved, by the name of the function ---- */

/* The character behind "_var". */
static inline char form_of(const char *symbol)
{
	const char *form = strstr(symbol, "_var");

	return form ? form[4] : 0;
}

static inline MPI_Offset elements_of(const char *symbol)
{
	switch (form_of(symbol)) {
	case '1': /* one */
	case 'd': /* a datatype of one */
		return 1;
	case 0:
	case '_': /* all */
		return 24;
	default: /* two_by_two, or two_parts */
		return 4;
	}
}

static inline MPI_Offset *two_counts_for(const char *symbol)
{
	static MPI_Offset counts[2];

	counts[0] = counts[1] = elements_of(symbol);
	return counts;
}

static inline MPI_Offset *const *sizes_for(const char *symbol)
{
	return form_of(symbol) == 'n' ? two_parts : two_squares;
}

/* In memory; functions without a type in their name are told MPI_INT. */
static inline size_t element_size(const char *symbol)
{
	static const struct {
		const char *name;
		size_t size;
	} types[] = {
		{"_text", 1},
		{"_schar", 1},
		{"_uchar", 1},
		{"_short", sizeof(short)},
		{"_ushort", sizeof(short)},
		{"_longlong", sizeof(long long)},
		{"_ulonglong", sizeof(long long)},
		{"_long", sizeof(long)},
		{"_float", sizeof(float)},
		{"_double", sizeof(double)},
	};

	for (unsigned at = 0; at < sizeof(types) / sizeof(types[0]); at++) {
		if (strstr(symbol, types[at].name))
			return types[at].size;
	}
	return sizeof(int);
}

static inline long long bytes_of(const char *symbol)
{
	bool is_of_two = strstr(symbol, "_mput_") || strstr(symbol, "_mget_");

	return elements_of(symbol) * (long long)element_size(symbol) * (is_of_two ? 2 : 1);
}

/* ---- what a record must have ---- */

static inline void smoke_ncid(unsigned at, const char *name, int ncid)
{
	char path[PATH_MAX], absolute[PATH_MAX];
	int length;

	if (ncmpi_inq_path(ncid, &length, path) != NC_NOERR || !realpath(path, absolute))
		smoke_int(at, name, ncid);
	else
		smoke_arg(at, name, "%d \"%s\"", ncid, absolute);
}

static inline void smoke_varid(unsigned at, const char *name, int varid, int ncid)
{
	char variable[NC_MAX_NAME + 1];

	if (ncmpi_inq_varname(ncid, varid, variable) != NC_NOERR)
		smoke_int(at, name, varid);
	else
		smoke_arg(at, name, "%d \"/%s\"", varid, variable);
}

static inline void smoke_end_nc_error(int result)
{
	DONE(result);
	smoke_line("0");
}

static inline long long length_pvardims(int ncid, int varid)
{
	int dimensions;

	DONE(ncmpi_inq_varndims(ncid, varid, &dimensions));
	return dimensions;
}

/* Those of all lists, one after another. */
static inline void smoke_lists(unsigned at, const char *name, MPI_Offset *const *lists,
			       long long count, long long length)
{
	int64_t all[64];

	for (long long i = 0; i < count * length; i++)
		all[i] = lists[i / length][i % length];
	smoke_longs(at, name, all, count * length);
}

/* All variables here are of two dimensions: test/netcdf/ranks.c has lists that differ in length. */
static inline long long each_pvardims(int ncid, const int *varids)
{
	return length_pvardims(ncid, varids[0]);
}

static inline void smoke_lists_each(unsigned at, const char *name, MPI_Offset *const *lists,
				    long long count, long long length)
{
	smoke_lists(at, name, lists, count, length);
}

/* ---- other files, requests, attributes ---- */

static inline int make_file(const char *name)
{
	int file;

	DONE(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER, MPI_INFO_NULL, &file));
	DONE(ncmpi_def_dim(file, "x", 3, &(int){0}));
	return file;
}

static inline int a_new_file(void)
{
	return make_file(fresh("file.nc"));
}

static inline int a_defined_file(void)
{
	int file = a_new_file();

	DONE(ncmpi_enddef(file));
	return file;
}

static inline int an_independent_file(void)
{
	int file = a_defined_file();

	DONE(ncmpi_begin_indep_data(file));
	return file;
}

static inline int a_buffered_file(void)
{
	int file = a_new_file();

	DONE(ncmpi_buffer_attach(file, 512));
	return file;
}

static inline const char *make_closed_file(const char *name)
{
	DONE(ncmpi_close(make_file(name)));
	return name;
}

static inline const char *a_file_to_delete(void)
{
	return make_closed_file(fresh("gone.nc"));
}

static inline int *a_request(void)
{
	static int request;

	DONE(ncmpi_iput_vara_int(kept_file, *number_variables, origin, two_by_two, (int *)buffer,
				 &request));
	return &request;
}

static inline const char *an_attribute_for(const char *symbol)
{
	return ends_in(symbol, "_text") ? "text" : "number";
}

static inline const char *attribute_there(void)
{
	const char *name = fresh("att");

	DONE(ncmpi_put_att_int(kept_file, *number_variables, name, NC_INT, 1, integers));
	return name;
}

/* ---- before and after all calls ---- */

static inline void define_all(void)
{
	int record_dimensions[2];

	DONE(ncmpi_create(MPI_COMM_WORLD, "data.nc", NC_CLOBBER, MPI_INFO_NULL, &kept_file));
	DONE(ncmpi_def_dim(kept_file, "x", 6, &both_dimensions[0]));
	DONE(ncmpi_def_dim(kept_file, "y", 4, &both_dimensions[1]));
	DONE(ncmpi_def_dim(kept_file, "records", NC_UNLIMITED, &record_dimensions[0]));
	record_dimensions[1] = both_dimensions[1];
	number_variables[0] = define_variable("numbers", NC_INT);
	number_variables[1] = define_variable("others", NC_INT);
	letter_variables[0] = define_variable("letters", NC_CHAR);
	letter_variables[1] = define_variable("marks", NC_CHAR);
	DONE(ncmpi_def_var(kept_file, "log", NC_INT, 2, record_dimensions, &record_variable));
	DONE(ncmpi_def_var_fill(kept_file, record_variable, 0, NULL));
	DONE(ncmpi_put_att_int(kept_file, *number_variables, "number", NC_INT, 1, integers));
	DONE(ncmpi_put_att_text(kept_file, *number_variables, "text", 4, "text"));
}

/* No call finds the file empty. */
static inline void smoke_pnetcdf_start(int argc, char **argv)
{
	smoke_start(argc, argv);
	DONE(MPI_Init(&argc, &argv));
	both_ints[0] = both_ints[1] = MPI_INT;
	make_closed_file("closed.nc");
	define_all();
	DONE(ncmpi_buffer_attach(kept_file, 4096));
	enter_mode(TOGETHER);
	for (int at = 0; at < 2; at++) {
		DONE(ncmpi_put_var_int_all(kept_file, number_variables[at], (int *)buffer));
		DONE(ncmpi_put_var_text_all(kept_file, letter_variables[at], buffer));
	}
}

static inline int smoke_pnetcdf_finish(void)
{
	finish_requests();
	enter_mode(TOGETHER);
	DONE(ncmpi_buffer_detach(kept_file));
	DONE(ncmpi_close(kept_file));
	MPI_Finalize();
	return smoke_finish();
}

#define smoke_start smoke_pnetcdf_start
#define smoke_finish smoke_pnetcdf_finish

#endif
