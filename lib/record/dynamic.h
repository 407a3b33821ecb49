/* SPDX-License-Identifier: MIT */
/*
 * dynamic.h - the dynamic section of a loaded object: its symbols, their versions and the hash table to find them by.
 *
 * Everything is read where the loader reads it. Nothing is copied or allocated, and no lock is taken: it is for objects that stay.
 * Source: System V ABI, "Dynamic Section"; the hash table as glibc and the linkers of GNU and LLVM have it (DT_GNU_HASH).
 */
#ifndef RECORDER_RECORD_DYNAMIC_H
#define RECORDER_RECORD_DYNAMIC_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* The parts of a GNU hash table, which lie one behind the other. */
struct dynamic_hash {
	uint32_t bucket_count; /* 0: there is no table */
	uint32_t first;        /* the symbols before it are in no bucket */
	uint32_t word_mask, shift;
	const ElfW(Addr) * filter; /* the words of a Bloom filter, a power of two */
	const uint32_t *buckets, *chains;
};

struct dynamic {
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Half) * versions; /* NULL: the object has none */
	const ElfW(Verneed) * needed;
	const ElfW(Verdef) * defined;
	const uint32_t *sysv_hash; /* NULL: none of that kind */
	struct dynamic_hash hash;
};

/* A name to be looked up in several objects. */
struct dynamic_name {
	const char *text;
	uint32_t hash;
};

/* Reads the dynamic section of an object that is loaded at `base`. */
void dynamic_open(struct dynamic *object, const ElfW(Dyn) * section, uintptr_t base);

/* The number of its symbols; 0: it has no hash table. Goes through all buckets. */
uint32_t dynamic_symbol_count(const struct dynamic *object);

/* `text` stays the caller's. */
struct dynamic_name dynamic_name(const char *text);

/*
 * Looks an exported function up. False: the object alone does not tell what dlsym(3) would give: its versions differ, it is chosen when
 * it is bound, or there is no GNU hash table. Else *address is the function, 0 if the object has none by that name.
 */
bool dynamic_function(const struct dynamic *object, const struct dynamic_name *name,
		      uintptr_t *address);

#endif
