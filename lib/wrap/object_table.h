/* SPDX-License-Identifier: MIT */
/*
 * object_table.h - numbers for files and for what lies in them: the OBJECT definitions of HDF5, netCDF and PnetCDF.
 *
 * Equal (kind, file, name) have one number, however often they are opened. Nothing is asked of the library: names are those
 * that the program gave. The numbers are those of the process; a forked child has its parent's, and defines those that it uses.
 */
#ifndef RECORDER_WRAP_OBJECT_TABLE_H
#define RECORDER_WRAP_OBJECT_TABLE_H

#include <stddef.h>

#include "record/args.h"
#include "record/scope.h"
#include "wrap/mpi_table.h"

#define OBJECT_NAME_MAX 1024u /* longer names are cut */

/* The file of that path; relative ones begin in the working directory. 0: there is no number for it. */
uint32_t object_of_path(const char *path);
/* What is called `name` in a file (0: in none). `kind` must live as long as the process. 0: there is no number for it. */
uint32_t object_of_name(const char *kind, uint32_t file, const char *name);

/* The file that an object lies in: the object itself if it is a file; 0 none. */
uint32_t object_file(uint32_t object);
const char *object_kind(uint32_t object);
/* "" for files and what has no name. */
const char *object_name(uint32_t object);

/* Joins a name to that of the object where it begins, as a path in the file. */
void object_path(char path[OBJECT_NAME_MAX], uint32_t begin, const char *name);

/* Sees to it that the stream knows the object; whether the path filter wants its file. */
bool object_define(uint32_t object);

/* Stores a handle and what it stands for, in a record that may be dropped by its file. */
void arg_object(struct call *call, unsigned index, int32_t value, uint32_t object);
void result_object(struct call *call, int32_t value, uint32_t object);

/* The key of a handle in a table that serves all libraries of the process. */
static inline uintptr_t object_key(const struct real *real, int64_t handle)
{
	return (uintptr_t)((uint64_t)handle ^ (uint64_t)real->library << 44) + 2;
}

#endif
