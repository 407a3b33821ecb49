/* SPDX-License-Identifier: MIT */
/*
 * program.h - what a program file says about how it will be loaded.
 */
#ifndef RECORDER_TOOLS_PROGRAM_H
#define RECORDER_TOOLS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#define PROGRAM_NAME_MAX 128

struct program_facts {
	bool is_elf;          /* a 64-bit little-endian executable; the rest is false without */
	bool is_dynamic;      /* has an interpreter: a preload works */
	const char *untraced; /* why a preload does not reach it (format/image.h), NULL: it does */
	char asan[PROGRAM_NAME_MAX];   /* the AddressSanitizer library it needs, "" none */
	char loader[PROGRAM_NAME_MAX]; /* path of its interpreter, "" none */
};

/* 0, or a negative errno if the file cannot be read. Scripts are no ELF files, and no error. */
int program_read(const char *path, struct program_facts *facts);

/*
 * The file that execvp(3) would run for `name`. 0 and the path; -ENOENT: none; -EACCES: one that may not be run.
 */
int program_find(const char *name, char *path, size_t size);
/* The last part of a path. */
const char *program_base(const char *path);
/* Whether the program only starts others (mpirun, srun ...) and is not recorded itself. */
bool program_is_launcher(const char *name);

#endif
