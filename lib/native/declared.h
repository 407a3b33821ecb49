/* SPDX-License-Identifier: MIT */
/*
 * declared.h - what a function was declared as: file and line, parameters and where they come in, result; by DWARF, and for the calls that the C language has on Linux.
 *
 *	int solve(struct grid *g, double eps, const char *name)
 *	        result: %eax, 32 bits, signed
 *	        g: first general register, a pointer    eps: first vector register    name: second general register, a string
 *
 * Each parameter takes registers, or words of the stack, by its type; so one that cannot be understood ends the list. One that is known to take its place but has no form to be shown in is left out. Of
 * both it is said why. In Fortran most come as addresses, where the value is read when the function is called: the location of the parameter says which do.
 */
#ifndef RECORDER_NATIVE_DECLARED_H
#define RECORDER_NATIVE_DECLARED_H

#include "native/dwarf_functions.h"
#include "native/specs.h"

#define DECLARED_TEXT_MAX 1024u

struct declared {
	uint32_t line; /* 0: not known */
	char file[DECLARED_TEXT_MAX];
	char args[DECLARED_TEXT_MAX]; /* names of all parameters, with ',' between */
	struct native_spec spec;      /* of what can be recorded */
	/* The first parameter that cannot be, and why; NULL: all can. */
	char refused_name[SPEC_NAME_MAX];
	const char *refused;
	const char *refused_result;
	bool has_result;
};

/* What is said of the function whose entry that is and whose first instruction is there in the file; `copy`: it is one that the compiler has made for some of its calls. False: it is wrong. */
bool declared_read(struct dwarf *dwarf, uint64_t entry, uint64_t address, bool copy,
		   struct declared *declared);

#endif
