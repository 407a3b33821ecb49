/* SPDX-License-Identifier: MIT */
/*
 * native_names.h - what functions are called in their languages, and whether a target means one.
 *
 *	_ZN5Shape4areaEv          Shape::area            C++, by the program's own C++ library if it has one
 *	__solver_MOD_step         solver::step           Fortran, a procedure of a module
 *	solve_                    solve                  Fortran, one without a module
 *	solve.constprop.0         solve                  a copy that the compiler has made
 *
 * The parameters of C++ are no part of a name. A target means a function when it matches its name from any component on: `area`, `Shape::area`, `Shape.area`; with or
 * without the arguments of templates; or the symbol itself.
 */
#ifndef RECORDER_NATIVE_NATIVE_NAMES_H
#define RECORDER_NATIVE_NATIVE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define NATIVE_NAME_MAX 512u

struct native_name {
	char text[NATIVE_NAME_MAX];  /* qualified, without parameters */
	char plain[NATIVE_NAME_MAX]; /* the same without arguments of templates */
	const char *
		part; /* "cold", "part": of a function, of which there is a whole somewhere; NULL: it is whole */
};

/* Once, before the others: looks for what the C++ library has for this. */
void native_names_init(void);
/* `fortran`: underscores behind a symbol are none of the name. */
void native_name(struct native_name *name, const char *symbol, bool fortran);
/* Whether `pattern` means it; `symbol` as above. */
bool native_name_matches(const struct native_name *name, const char *symbol, const char *pattern);
/* Whether it may: a quick look at the symbol, before its name is made. */
bool native_name_may_match(const char *symbol, const char *pattern);

#endif
