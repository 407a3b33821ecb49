/* SPDX-License-Identifier: MIT */
/*
 * native_names.h - what functions are called in their languages.
 *
 *	_ZN5Shape4areaEv          Shape::area            C++, by the program's own C++ library if it has one
 *	__solver_MOD_step         solver::step           Fortran, a procedure of a module
 *	solve_                    solve                  Fortran, one without a module
 *	solve.constprop.0         solve                  a copy that the compiler has made
 *
 * The parameters of C++ are no part of a name, nor are versions of the ABI ("[abi:cxx11]"). Which names a target means: name_match.h.
 */
#ifndef RECORDER_NATIVE_NATIVE_NAMES_H
#define RECORDER_NATIVE_NATIVE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define NATIVE_NAME_MAX 512u

struct native_name {
	char text[NATIVE_NAME_MAX];       /* qualified, without parameters */
	char plain[NATIVE_NAME_MAX];      /* the same without arguments of templates */
	char parameters[NATIVE_NAME_MAX]; /* "(int, char const*) const"; "" not known */
	const char *
		part; /* "cold", "part": of a function, of which there is a whole somewhere; NULL: it is whole */
};

/* Once, before the others: looks for what the C++ library has for this. */
void native_names_init(void);
/* `fortran`: underscores behind a symbol are none of the name. */
void native_name(struct native_name *name, const char *symbol, bool fortran);
/* Whether the word "operator" is at a place of a name, behind which signs are none of its structure. */
bool native_is_operator(const char *text, const char *at);
/* Where the parameters of a name in C++ begin: the first '(' on the outermost level that is neither of "operator()" nor of "(anonymous namespace)"; at its end without. */
size_t native_parameters_of(const char *text);

#endif
