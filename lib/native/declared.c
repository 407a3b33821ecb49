/* SPDX-License-Identifier: MIT */
/* declared.c - see declared.h */
#include "native/declared.h"

#include <string.h>

#include "native/dwarf_words.h"
#include "native/locations.h"
#include "native/native_frame.h"
#include "native/passing.h"

#define VECTORS_MAX 8u

struct reading {
	struct dwarf *dwarf;
	struct declared *declared;
	const struct dwarf_unit *unit;
	struct textbuf names;
	unsigned general, vectors, words; /* taken so far */
	unsigned count;
	bool ended; /* what follows cannot be told */
	/* Of a copy that the compiler has made parameters are where it says, in none of the places that the ABI has for them. */
	bool copy;
	uint64_t begin; /* of its code */
};

/* ---- parameters ---- */

static void refuse(struct reading *reading, const char *name, const char *reason)
{
	struct declared *declared = reading->declared;
	struct textbuf refused;

	if (declared->refused)
		return;
	declared->refused = reason;
	refused = text_in(declared->refused_name, sizeof(declared->refused_name));
	text_add(&refused, name);
}

/* Words of the stack are counted on from the general registers, as native_word() does. */
static void place(struct reading *reading, const struct passing *passing, struct native_item *item)
{
	bool fits = reading->general + passing->general <= NATIVE_REGISTERS &&
		    reading->vectors + passing->vectors <= VECTORS_MAX;

	if (passing->words || !fits) {
		reading->words += passing->wide && reading->words % 2;
		item->place = item->floating && !item->indirect
				      ? VECTORS_MAX
				      : (uint8_t)(NATIVE_REGISTERS + reading->words);
		reading->words += passing->words + passing->general + passing->vectors;
		return;
	}
	item->place = (uint8_t)(passing->vectors ? reading->vectors : reading->general);
	reading->general += passing->general;
	reading->vectors += passing->vectors;
}

/* By DWARF's number, on x86-64 of rax, rdx, rcx ...; -1: native_word() has none of that. */
static int place_of_register(int number)
{
#ifdef __aarch64__
	return number < (int)NATIVE_REGISTERS ? number : -1;
#else
	static const int8_t places[] = {-1, 2, 3, -1, 1, 0, -1, -1, 4, 5};

	return number >= 0 && number < (int)sizeof(places) ? places[number] : -1;
#endif
}

/* Only what is in a register that native_word(), or a vector, has. */
static void place_copied(const struct reading *reading, const struct dwarf_entry *entry,
			 struct passing *passing, struct native_item *item)
{
	int number = location_register(reading->dwarf, reading->unit, entry, reading->begin);
	bool vector = item->floating && !item->indirect;

	passing->unknown = false;
	if (passing->refused)
		return;
	if (vector && number >= LOCATION_VECTORS && number < LOCATION_VECTORS + (int)VECTORS_MAX)
		item->place = (uint8_t)(number - LOCATION_VECTORS);
	else if (!vector && place_of_register(number) >= 0)
		item->place = (uint8_t)place_of_register(number);
	else
		passing->refused = "not passed to the copy that the compiler has made";
}

static void keep(struct reading *reading, const struct native_item *item)
{
	struct native_spec *spec = &reading->declared->spec;

	if (item->floating && !item->indirect && item->place >= VECTORS_MAX)
		refuse(reading, item->name, "a number on the stack");
	else if (spec->arg_count == SPEC_ARGS_MAX)
		refuse(reading, item->name, "one too many");
	else if (reading->words > 128)
		refuse(reading, item->name, "far down on the stack");
	else
		spec->args[spec->arg_count++] = *item;
}

/* In Fortran the length of a string comes behind all, by the string's name with a '_' before it. */
static bool is_length(struct reading *reading, const struct dwarf_entry *entry,
		      const struct native_item *length)
{
	struct native_spec *spec = &reading->declared->spec;

	if (!passing_is_fortran(reading->unit) || !entry->artificial || !entry->name ||
	    entry->name[0] != '_')
		return false;
	for (unsigned i = 0; i < spec->arg_count; i++)
		if (spec->args[i].kind == KIND_string &&
		    !strcmp(spec->args[i].name, entry->name + 1))
			spec->args[i].length = (uint8_t)(length->place + 1);
	return true;
}

static void add_parameter(struct reading *reading, const struct dwarf_function *parameter)
{
	const struct dwarf_entry *entry = &parameter->entry;
	bool fortran = passing_is_fortran(reading->unit);
	struct passing passing =
		fortran && location_is_address(reading->dwarf, reading->unit, entry)
			? passing_of_address(reading->dwarf, entry->type)
			: passing_of(reading->dwarf, entry->type);
	struct native_item item = passing.item;
	struct textbuf name = text_in(item.name, sizeof(item.name));

	reading->count++;
	if (entry->name) {
		text_add(&name, entry->name);
	} else {
		text_add(&name, "arg");
		text_add_u64(&name, reading->count);
	}
	if (reading->copy)
		place_copied(reading, entry, &passing, &item);
	else
		place(reading, &passing, &item);
	if (is_length(reading, entry, &item))
		return;
	if (fortran && entry->artificial && item.name[0] == '.')
		return; /* the length of the result */
	if (!fortran && entry->artificial && !strncmp(item.name, "__", 2)) {
		passing.refused = "of a constructor with virtual bases";
		passing.unknown = true;
	}
	if (reading->names.length)
		text_add(&reading->names, ",");
	text_add(&reading->names, item.name);
	if (passing.unknown || passing.refused)
		refuse(reading, item.name, passing.refused ? passing.refused : "not understood");
	else
		keep(reading, &item);
	reading->ended |= passing.unknown;
}

/* Those of the entry, in their order. */
static void read_parameters(struct reading *reading, uint64_t entry)
{
	const struct dwarf_unit *unit = dwarf_unit_of(reading->dwarf, entry);
	struct dwarf_entry child;
	unsigned level = 0;

	if (!unit || !dwarf_read(reading->dwarf, unit, entry, &child) || !child.children)
		return;
	for (uint64_t next = child.next; !reading->ended; next = child.next) {
		struct dwarf_function parameter;

		if (!dwarf_read(reading->dwarf, unit, next, &child) || (!child.tag && level == 0))
			return;
		if (child.tag == DW_TAG_formal_parameter && level == 0 &&
		    dwarf_function(reading->dwarf, next, &parameter))
			add_parameter(reading, &parameter);
		level += child.children;
		level -= !child.tag;
	}
}

/* ---- the result ---- */

static void read_result(struct reading *reading, const struct dwarf_function *function)
{
	struct declared *declared = reading->declared;
	struct passing passing;
	bool known = true;

	if (passing_hidden(reading->dwarf, function->entry.type, function->unit, &known))
		reading->general = 1;
	if (!known) {
		reading->ended = true;
		refuse(reading, "", "its result comes in a way that cannot be told");
	}
	declared->has_result = function->entry.type != DWARF_NONE;
	if (!declared->has_result)
		return;
	passing = passing_of(reading->dwarf, function->entry.type);
	declared->refused_result = passing.refused;
	if (passing.refused || passing.unknown)
		return;
	if (passing.general + passing.vectors != 1 ||
	    (passing.item.kind == KIND_pointer && reading->general)) {
		declared->refused_result = "a structure";
		return;
	}
	declared->spec.result = passing.item;
	memcpy(declared->spec.result.name, "result", sizeof("result"));
	declared->spec.has_result = true;
}

/* ---- copies ---- */

static const struct native_item *item_named(const struct native_spec *spec, const char *name)
{
	for (unsigned i = 0; name && i < spec->arg_count; i++)
		if (!strncmp(spec->args[i].name, name, SPEC_NAME_MAX - 1))
			return &spec->args[i];
	return NULL;
}

/* Whether the compiler says that a parameter is elsewhere than the ABI has it. */
static bool is_moved(const struct reading *reading, const struct dwarf_function *parameter)
{
	const struct native_item *item =
		item_named(&reading->declared->spec, parameter->entry.name);
	int number =
		location_register(reading->dwarf, reading->unit, &parameter->entry, reading->begin);

	if (parameter->entry.constant)
		return true;
	if (!item || item->indirect || number < 0)
		return false;
	return item->floating ? number != LOCATION_VECTORS + item->place
			      : item->place != place_of_register(number);
}

/* Functions that nobody else calls may get other parameters without another name. */
static bool has_moved(const struct reading *reading, uint64_t entry)
{
	struct dwarf_entry child;
	unsigned level = 0;

	if (!dwarf_read(reading->dwarf, reading->unit, entry, &child) || !child.children)
		return false;
	for (uint64_t next = child.next;; next = child.next) {
		struct dwarf_function parameter;

		if (!dwarf_read(reading->dwarf, reading->unit, next, &child) ||
		    (!child.tag && level == 0))
			return false;
		if (child.tag == DW_TAG_formal_parameter && level == 0 &&
		    dwarf_function(reading->dwarf, next, &parameter) &&
		    is_moved(reading, &parameter))
			return true;
		level += child.children;
		level -= !child.tag;
	}
}

/* By where the compiler says that they are. */
static void read_copy(struct reading *reading, uint64_t entry)
{
	struct declared *declared = reading->declared;
	char none[1]; /* the names are there already, in the order of the source */

	declared->spec = (struct native_spec){.arg_count = 0};
	declared->refused = NULL;
	declared->refused_name[0] = '\0';
	declared->refused_result = "a copy that the compiler has made";
	reading->names = text_in(none, sizeof(none));
	reading->copy = true;
	reading->ended = false;
	reading->count = 0;
	read_parameters(reading, entry);
}

bool declared_read(struct dwarf *dwarf, uint64_t entry, uint64_t address, bool copy,
		   struct declared *declared)
{
	struct reading reading = {.dwarf = dwarf, .begin = address, .declared = declared};
	struct dwarf_function function;
	struct textbuf file = text_in(declared->file, sizeof(declared->file));

	memset(declared, 0, sizeof(*declared));
	reading.names = text_in(declared->args, sizeof(declared->args));
	if (!dwarf_function(dwarf, entry, &function))
		return false;
	reading.unit = function.unit;
	if (function.entry.decl_line && function.entry.decl_line <= UINT32_MAX &&
	    dwarf_file(dwarf, function.declared_in, function.entry.decl_file, &file))
		declared->line = (uint32_t)function.entry.decl_line;
	if (!passing_is_known(function.unit))
		refuse(&reading, "", "of a language whose calls are not those of C");
	declared->refused_result = declared->refused;
	if (declared->refused)
		return true;
	read_result(&reading, &function);
	read_parameters(&reading, passing_is_fortran(function.unit) ? entry : function.parameters);
	if (copy || function.entry.convention == DW_CC_nocall ||
	    (!function.entry.external && has_moved(&reading, entry)))
		read_copy(&reading, entry);
	return true;
}
