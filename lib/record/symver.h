/* SPDX-License-Identifier: MIT */
/*
 * symver.h - the version by which an object of the process refers to a function.
 *
 * Two builds of a library (HDF5 with and without MPI) can be in one process under different symbol versions; the loader gives each object
 * the one it was linked to. A preload has the plain name and gets the calls of all of them, so it must ask what the loader knew.
 */
#ifndef RECORDER_RECORD_SYMVER_H
#define RECORDER_RECORD_SYMVER_H

#include <link.h>
#include <stdint.h>

/* The dynamic section of a loaded object, as far as it is needed here. */
struct symver_object {
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Half) * versions; /* NULL: the object has none */
	const ElfW(Verneed) * needed;
	const ElfW(Verdef) * defined;
	uint32_t count; /* of symbols */
};

/* Reads the dynamic section of an object that is loaded at `base`. */
void symver_open(struct symver_object *object, const ElfW(Dyn) * dynamic, uintptr_t base);

/* The version of the function `name` in the object, which uses or defines it; NULL: it has none there. */
const char *symver_find(const struct symver_object *object, const char *name);

#endif
