/* SPDX-License-Identifier: MIT */
/*
 * functionfile.h - the functions of a program or library as a file: their symbols, from .symtab or what it was stripped to (debuglink, build-id, .gnu_debugdata), else from .dynsym; and their code.
 */
#ifndef RECORDER_TOOLS_FUNCTIONFILE_H
#define RECORDER_TOOLS_FUNCTIONFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file_function {
	const char *symbol;
	uint64_t offset; /* in the file */
	uint64_t size;
	const uint8_t *code; /* so many bytes */
};

struct function_file {
	struct file_function *functions; /* by offset */
	size_t count;
	uint64_t inode;
	bool fortran;      /* a Fortran compiler's library is used */
	const void *image; /* the rest is functionfile.c's */
	size_t size;
	void *symbols;
};

/* 0 or a negative errno: -ENOSYS: this recorder was built without elfutils. Closed either way. */
int functionfile_open(struct function_file *file, const char *path);
void functionfile_close(struct function_file *file);

/*
 * Calls `visit` with the offset in the file of each instruction that ends the function: one that returns, or jumps to another one in its place. *loops: something of it jumps to its own begin. NULL, or why it cannot be
 * probed.
 */
const char *functionfile_ends(const struct function_file *file,
			      const struct file_function *function,
			      void (*visit)(void *data, uint64_t offset), void *data, bool *loops);

#endif
