/* SPDX-License-Identifier: MIT */
/*
 * elf_symbols.h - the objects of this process (the program and its libraries), and what their files name in them.
 *
 * Names come from .symtab, which has those of static functions too; where that was stripped, from that of the file that it was stripped to (debug_file.h); else from .dynsym. The file is mapped while it is looked at. It is the program's, but nothing that it
 * says is taken for granted: all of it is checked against the size of the file.
 */
#ifndef RECORDER_NATIVE_ELF_SYMBOLS_H
#define RECORDER_NATIVE_ELF_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/elf_file.h"

#define ELF_PATH_MAX 1024u

struct elf_object {
	char path[ELF_PATH_MAX]; /* of the file */
	const char *name;        /* behind the last slash */
	uintptr_t base;          /* what addresses of the file are counted from */
	uintptr_t start, end;    /* in memory */
	const ElfW(Phdr) * headers;
	unsigned header_count;
	bool program; /* else a library */
};

/* Calls `visit` for each object but those that can never be traced: the loader, the kernel's, and the recorder itself. */
void elf_objects(void (*visit)(const struct elf_object *object, void *data), void *data);
/* The one that `address` lies in; false: in none of these. */
bool elf_object_at(uintptr_t address, struct elf_object *object);
/* Whether `size` bytes at an address, in memory, are code of the object. */
bool elf_is_code(const struct elf_object *object, uintptr_t address, size_t size);

struct elf_symbols {
	struct elf_file file,
		debug; /* the object's, and that which it was stripped to, if it was */
	void *joined;  /* memory for names of both; NULL: `table` is of one of them */
	size_t joined_size;
	const ElfW(Sym) * table;
	size_t count;
	const char *names;
	size_t names_size;
	bool full;            /* with those of .symtab */
	bool fortran;         /* the object uses the library of a Fortran compiler */
	uint32_t *by_address; /* functions, in this order; made by elf_sort() */
	size_t sorted;
};

/* False: the file cannot be read, is not the one that was loaded, or has no names. `early`: a library may be loaded for it. */
bool elf_open(struct elf_symbols *symbols, const struct elf_object *object, bool early);
void elf_close(struct elf_symbols *symbols);
/* What has the object's DWARF: its file or the one that it was stripped to; NULL: neither. */
const struct elf_file *elf_with_dwarf(struct elf_symbols *symbols, const struct elf_object *object);
/* "" where it has none. */
const char *elf_name(const struct elf_symbols *symbols, const ElfW(Sym) * symbol);
bool elf_is_function(const ElfW(Sym) * symbol);
/* False: no memory. */
bool elf_sort(struct elf_symbols *symbols);
/* The one that begins first behind an address of the file, or UINTPTR_MAX. Sorted. */
uintptr_t elf_next_begin(const struct elf_symbols *symbols, uintptr_t address);
/* The function that an address of the file lies in; NULL: in none. Sorted. */
const ElfW(Sym) * elf_function_at(const struct elf_symbols *symbols, uintptr_t address);

#endif
