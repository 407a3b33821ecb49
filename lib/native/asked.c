/* SPDX-License-Identifier: MIT */
/* asked.c - see asked.h */
#include "native/asked.h"

#include <string.h>

#include "native/interpreter.h"
#include "native/name_match.h"
#include "native/native_names.h"
#include "native/object_names.h"
#include "record/config.h"
#include "record/targets.h"

bool asked_by_name_alone(const struct elf_object *object)
{
	return (!object->program && object_is_of_system(object->name)) ||
	       interpreter_is_object(object);
}

static bool may_mean(const struct target *target, const struct elf_object *object)
{
	if (!target->name)
		return false;
	if (target->object)
		return object_is_named(object->path, target->object);
	return target->plain || (interpreter_lets(target) && !asked_by_name_alone(object));
}

/* In libraries of the system only what is wholly named: "read" is no method of theirs. */
static bool means(const struct target *target, const struct elf_object *object,
		  const struct native_name *name, const char *symbol)
{
	if (!target->object && asked_by_name_alone(object))
		return !strcmp(target->name, name->plain) || !strcmp(target->name, symbol);
	return name_match(name, symbol, target->name);
}

bool asked_means(const struct target *target, const struct elf_object *object, const char *symbol,
		 bool fortran)
{
	struct native_name name;

	if (!may_mean(target, object) || !name_match_possible(symbol, target->name))
		return false;
	native_name(&name, symbol, fortran);
	return means(target, object, &name, symbol);
}

bool asked_means_name(const struct target *target, const struct elf_object *object,
		      const struct native_name *name, const char *symbol)
{
	return may_mean(target, object) && means(target, object, name, symbol);
}

/* What is asked for, in the order of `number`; NULL: nothing more. *target: its number, TARGETS_MAX if it is none of the targets. */
static const struct target *request(unsigned number, unsigned *target)
{
	unsigned arguments = targets_arguments(), targets = targets_count();

	*target = number < targets ? number : TARGETS_MAX;
	if (number < targets)
		return target_at(number);
	number -= targets;
	if (number < arguments)
		return &target_argument_at(number)->target;
	number -= arguments;
	return number < targets_results() ? &target_result_at(number)->target : NULL;
}

bool asked_of(const struct elf_object *object)
{
	const struct target *target;
	bool wanted = false;
	unsigned number;

	for (unsigned i = 0; (target = request(i, &number)) && !wanted; i++)
		wanted = may_mean(target, object);
	return wanted;
}

bool asked_for(const struct elf_object *object, const char *symbol, bool fortran, unsigned *target)
{
	const struct target *asked;
	bool meant = false;
	unsigned number;

	*target = TARGETS_MAX;
	for (unsigned i = 0; (asked = request(i, &number)); i++) {
		if (!asked_means(asked, object, symbol, fortran))
			continue;
		meant = true;
		if (number == TARGETS_MAX)
			continue;
		if (*target == TARGETS_MAX)
			*target = number;
		if (!config.dry_run)
			target_matched(number);
	}
	return meant;
}
