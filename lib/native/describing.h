/* SPDX-License-Identifier: MIT */
/*
 * describing.h - what is recorded of a function beside that it was called: arguments and result (specs.h, or as it was declared: declared.h), file and line.
 */
#ifndef RECORDER_NATIVE_DESCRIBING_H
#define RECORDER_NATIVE_DESCRIBING_H

#include "native/dwarf_functions.h"
#include "native/elf_symbols.h"
#include "native/native_names.h"
#include "native/specs.h"

struct declared;

/* Of one object, while it is looked through. Zeroed: nothing is known. */
struct describing {
	const struct elf_object *object;
	struct dwarf *dwarf;       /* NULL: there is none */
	struct declared *declared; /* of the last function that was asked for */
	bool has_declared;
};

struct described_name {
	const struct native_name *name;
	const char *symbol;
	uint64_t entry;   /* of DWARF, or DWARF_NONE */
	uint64_t address; /* of the file */
};

/* `places`: of the functions, sorted by address; their entries are found. */
void describing_begin(struct describing *describing, const struct elf_object *object,
		      struct elf_symbols *symbols, struct dwarf_place *places, size_t count);
void describing_end(struct describing *describing);

/* Reads what is said of it, for the two below. */
void describing_read(struct describing *describing, const struct described_name *name);
/* What is asked of its arguments and its result; NULL: nothing. What cannot be had is told if `tell`. It stays. */
const struct native_spec *describing_spec(const struct describing *describing,
					  const struct described_name *name, bool tell);
/* Tells readers of the trace of the function of that number. */
void describing_source(const struct describing *describing, const struct described_name *name,
		       uint32_t number);
/* The first parameter that cannot be recorded, and why; NULL: all can, or nothing is known of them. */
const char *describing_refused(const struct describing *describing, const char **why);

#endif
