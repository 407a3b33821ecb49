/* SPDX-License-Identifier: MIT */
/*
 * symbolnames.h - in which symbol of a file an address is, where many are asked for.
 *
 * libdw goes through all symbols for each address, which in a program with 20,000 functions takes a millisecond. So after a few addresses the symbols
 * are sorted once. Where exactly one is around an address that is the answer; where there are several, or none, libdw is asked which it takes.
 */
#ifndef RECORDER_TOOLS_SYMBOLNAMES_H
#define RECORDER_TOOLS_SYMBOLNAMES_H

#include <elfutils/libdwfl.h>

/* Zeroed memory is ready for use. */
struct symbol_names {
	unsigned asked; /* addresses so far */
	struct named_range *ranges;
	int count;
};

/* The name, which lasts as long as the module; NULL: it is in none. */
const char *symbol_names_find(struct symbol_names *names, Dwfl_Module *module, Dwarf_Addr address);
void symbol_names_release(struct symbol_names *names);

#endif
