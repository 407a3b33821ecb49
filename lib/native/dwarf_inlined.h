/* SPDX-License-Identifier: MIT */
/*
 * dwarf_inlined.h - calls that are none in the program: where the compiler has put the function itself.
 */
#ifndef RECORDER_NATIVE_DWARF_INLINED_H
#define RECORDER_NATIVE_DWARF_INLINED_H

#include "native/dwarf_functions.h"

struct dwarf_inlined {
	const char *symbol,
		*into; /* the function, and the one whose code it is part of: as the linker calls them */
	const struct dwarf_unit *unit; /* whose files these are of */
	uint64_t file, line;           /* of the call; 0: not known */
	uint64_t entry;                /* the function's, the same for all places */
};

/* Calls `visit` for each place, in the order of the file. */
void dwarf_each_inlined(struct dwarf *dwarf,
			void (*visit)(void *data, const struct dwarf_inlined *inlined), void *data);

#endif
