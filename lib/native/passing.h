/* SPDX-License-Identifier: MIT */
/*
 * passing.h - how values of a type are passed to functions: on x86-64 by the System V ABI; on aarch64 those that take one register, others are told as unknown.
 */
#ifndef RECORDER_NATIVE_PASSING_H
#define RECORDER_NATIVE_PASSING_H

#include "native/dwarf.h"
#include "native/specs.h"

struct passing {
	unsigned general,
		vectors; /* registers that it takes, or, if they are used up, as many words of the stack */
	unsigned words;          /* of the stack, always there */
	bool wide;               /* on the stack it begins at 16 bytes */
	bool unknown;            /* what it takes cannot be told */
	const char *refused;     /* why it is not shown; NULL: it is, as `item` */
	struct native_item item; /* kind, bits, floating */
};

/* `type` DWARF_NONE: void. */
struct passing passing_of(struct dwarf *dwarf, uint64_t type);
/* Of a parameter whose address is passed; its value, where that is a number. */
struct passing passing_of_address(struct dwarf *dwarf, uint64_t type);
/* Whether the caller gives an address to a function with such a result, before all arguments; *known false: that cannot be told. */
bool passing_hidden(struct dwarf *dwarf, uint64_t type, const struct dwarf_unit *user, bool *known);
bool passing_is_fortran(const struct dwarf_unit *unit);
/* Whether functions of the unit's language are called as those of C are. */
bool passing_is_known(const struct dwarf_unit *unit);

#endif
