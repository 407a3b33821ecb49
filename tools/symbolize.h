/* SPDX-License-Identifier: MIT */
/*
 * symbolize.h - offsets in programs and libraries as function, file and line.
 *
 * By elfutils: DWARF, also in separate files (/usr/lib/debug, .gnu_debuglink), else .symtab and .dynsym. Built without elfutils
 * nothing is found. A file is taken only if its build-id is that of the trace, or the trace has none for it.
 */
#ifndef RECORDER_TOOLS_SYMBOLIZE_H
#define RECORDER_TOOLS_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of source; "" and 0 what is not known. */
struct source_line {
	const char *function; /* demangled */
	const char *file;     /* as the compiler was given it, absolute where it knew the folder */
	unsigned line;
	const struct source_line *caller; /* that this function was inlined into; NULL none */
};

struct symbol_file;

struct symbol_query {
	const char *path; /* where it was when it was traced */
	const void *build_id;
	size_t build_id_size; /* 0: not known */
	const char *folders;  /* where to look first, separated by colons; NULL none */
};

/*
 * Opens the file that was at query->path. NULL: ENOENT (not found, or none with that build-id, which is said as a warning) or ENOMEM.
 */
struct symbol_file *symbol_file_open(const struct symbol_query *query);
void symbol_file_close(struct symbol_file *file);

/* What is at an offset of the file; NULL: not known. Lives as long as the file. */
const struct source_line *symbol_file_find(struct symbol_file *file, uint64_t offset);

#endif
