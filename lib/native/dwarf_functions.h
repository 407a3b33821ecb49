/* SPDX-License-Identifier: MIT */
/*
 * dwarf_functions.h - the entries of functions, by where they begin, and what they have in common with others.
 */
#ifndef RECORDER_NATIVE_DWARF_FUNCTIONS_H
#define RECORDER_NATIVE_DWARF_FUNCTIONS_H

#include "native/dwarf.h"
#include "record/text.h"

struct dwarf_place {
	uint64_t address; /* of the file */
	uint64_t entry;   /* DWARF_NONE: not found */
};

/*
 * Finds the entries of functions; `places` are sorted by address. The units to be read are those that .debug_aranges says; all of them where that says nothing, if `thorough` or if there are few.
 */
void dwarf_find(struct dwarf *dwarf, struct dwarf_place *places, size_t count, bool thorough);

/* An entry, with what it does not say itself of those that it refers to. */
struct dwarf_function {
	struct dwarf_entry entry;
	const struct dwarf_unit *unit;
	const struct dwarf_unit *declared_in; /* the unit whose files decl_file is of */
	uint64_t parameters;                  /* the entry whose children they are */
};

/* False: it is not there, or wrong. */
bool dwarf_function(struct dwarf *dwarf, uint64_t offset, struct dwarf_function *function);

/* A file of the unit's list, as an absolute path where that is known. False: none of that number. */
bool dwarf_file(const struct dwarf *dwarf, const struct dwarf_unit *unit, uint64_t number,
		struct textbuf *path);

#endif
