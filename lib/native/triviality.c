/* SPDX-License-Identifier: MIT */
/* triviality.c - see triviality.h */
#include "native/triviality.h"

#include <string.h>

#include "native/dwarf_words.h"

#define DEPTH_MAX 16u     /* classes in classes */
#define CHAIN_MAX 16u     /* names and qualifiers of a type */
#define VISITS_MAX 20000u /* entries that are read for one class */

struct judging {
	struct dwarf *dwarf;
	unsigned depth, visits;
	bool unknown;
};

static bool is_trivial(struct judging *judging, const struct dwarf_unit *unit,
		       const struct dwarf_entry *class);

static bool is_qualifier(uint32_t tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_array_type;
}

/* The type itself, of an element if it is an array. False: void, or not there. */
static bool resolve(const struct judging *judging, uint64_t type, const struct dwarf_unit **unit,
		    struct dwarf_entry *entry)
{
	for (unsigned i = 0; i < CHAIN_MAX && type != DWARF_NONE; i++) {
		*unit = dwarf_unit_of(judging->dwarf, type);
		if (!*unit || !dwarf_read(judging->dwarf, *unit, type, entry))
			return false;
		if (!is_qualifier(entry->tag))
			return true;
		type = entry->type;
	}
	return false;
}

/* "pair" of a class "pair<int, int>" is its constructor. */
static bool is_constructor(const struct dwarf_entry *class, const struct dwarf_entry *function)
{
	size_t length = class->name ? strcspn(class->name, "<") : 0;

	return length && function->name && !strncmp(function->name, class->name, length) &&
	       !function->name[length];
}

/* Of what there is already: its first argument behind `this` is a reference to the class. */
static bool copies(struct judging *judging, const struct dwarf_unit *unit,
		   const struct dwarf_entry *class, const struct dwarf_entry *function)
{
	struct dwarf_entry child, reference, of;

	for (uint64_t next = function->next; function->children; next = child.next) {
		const struct dwarf_unit *there;

		if (judging->visits++ > VISITS_MAX ||
		    !dwarf_read(judging->dwarf, unit, next, &child) || !child.tag)
			return false;
		if (child.tag != DW_TAG_formal_parameter || child.artificial)
			continue;
		return resolve(judging, child.type, &there, &reference) &&
		       (reference.tag == DW_TAG_reference_type ||
			reference.tag == DW_TAG_rvalue_reference_type) &&
		       resolve(judging, reference.type, &there, &of) && of.offset == class->offset;
	}
	return false;
}

static bool is_trivial_function(struct judging *judging, const struct dwarf_unit *unit,
				const struct dwarf_entry *class, const struct dwarf_entry *function)
{
	if (function->virtuality)
		return false;
	if (function->defaulted == 1 || function->deleted || function->artificial)
		return true;
	if (function->name && function->name[0] == '~')
		return false;
	return !is_constructor(class, function) || !copies(judging, unit, class, function);
}

static bool is_trivial_member(struct judging *judging, const struct dwarf_entry *member)
{
	const struct dwarf_unit *unit;
	struct dwarf_entry type;

	if (member->declaration)
		return true;
	if (member->virtuality || (member->name && !strncmp(member->name, "_vptr", 5)))
		return false;
	if (!resolve(judging, member->type, &unit, &type)) {
		judging->unknown = true;
		return true;
	}
	if (type.tag != DW_TAG_structure_type && type.tag != DW_TAG_class_type &&
	    type.tag != DW_TAG_union_type)
		return true;
	return is_trivial(judging, unit, &type);
}

static bool is_trivial(struct judging *judging, const struct dwarf_unit *unit,
		       const struct dwarf_entry *class)
{
	struct dwarf_entry child;
	unsigned level = 0;
	bool trivial = true;

	if (class->declaration || judging->depth++ > DEPTH_MAX)
		judging->unknown = true;
	for (uint64_t next = class->next; class->children && trivial && !judging->unknown;
	     next = child.next) {
		if (judging->visits++ > VISITS_MAX ||
		    !dwarf_read(judging->dwarf, unit, next, &child)) {
			judging->unknown = true;
			break;
		}
		if (!child.tag && level == 0)
			break;
		if (level == 0 && child.tag == DW_TAG_subprogram)
			trivial = is_trivial_function(judging, unit, class, &child);
		else if (level == 0 &&
			 (child.tag == DW_TAG_member || child.tag == DW_TAG_inheritance))
			trivial = is_trivial_member(judging, &child);
		level += child.children;
		level -= !child.tag;
	}
	judging->depth--;
	return trivial;
}

bool triviality_of(struct dwarf *dwarf, const struct dwarf_unit *unit,
		   const struct dwarf_entry *class, bool *known)
{
	struct judging judging = {.dwarf = dwarf};
	bool trivial = is_trivial(&judging, unit, class);

	*known = !judging.unknown;
	return trivial;
}
