/* SPDX-License-Identifier: MIT */
/*
 * asked.h - which functions the user asks for: by targets, and by arguments and results that are to be recorded.
 */
#ifndef RECORDER_NATIVE_ASKED_H
#define RECORDER_NATIVE_ASKED_H

#include <stdbool.h>

#include "native/elf_symbols.h"

struct native_name;
struct target;

/* Whether a glob means none of the object's functions, but where the object itself is named: of the system, and Python itself. */
bool asked_by_name_alone(const struct elf_object *object);
/* Whether anything may mean a function of the object. */
bool asked_of(const struct elf_object *object);
/* Whether `target` means a function of that name in that object; of which only its name and whether it is the program matter. */
bool asked_means(const struct target *target, const struct elf_object *object, const char *symbol,
		 bool fortran);
/* The same of a name that is made already. */
bool asked_means_name(const struct target *target, const struct elf_object *object,
		      const struct native_name *name, const char *symbol);
/*
 * Whether anything means it; *target, by its number: the first one, or TARGETS_MAX if it is only that arguments or results are asked for. All targets that mean it have found something, unless this is a dry
 * run.
 */
bool asked_for(const struct elf_object *object, const char *symbol, bool fortran, unsigned *target);

#endif
