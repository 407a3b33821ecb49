/* SPDX-License-Identifier: MIT */
/* declared.c - see declared.h */
#include "native/declared.h"

#include <string.h>

#include "native/dwarf_words.h"
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
};

/* ---- Fortran: values or addresses ---- */

/* The size of the first expression of a list, which the cursor is then at. 0: there is none. */
static uint64_t first_of_4(struct dwarf_cursor *cursor, unsigned size)
{
	uint64_t most = size == 8 ? UINT64_MAX : UINT32_MAX, begin, end;

	do {
		begin = dwarf_number(cursor, size);
		end = dwarf_number(cursor, size);
	} while (begin == most && !cursor->bad);
	return begin || end ? dwarf_number(cursor, 2) : 0;
}

static uint64_t first_of_5(struct dwarf_cursor *cursor, unsigned size)
{
	for (;;) {
		uint64_t kind = dwarf_number(cursor, 1);

		if (cursor->bad || kind == DW_LLE_end_of_list || kind > DW_LLE_GNU_view_pair)
			return 0;
		/* where it holds: one or two numbers, or nothing */
		if (kind == DW_LLE_base_address || kind == DW_LLE_start_end ||
		    kind == DW_LLE_start_length)
			dwarf_skip(cursor, size);
		else if (kind != DW_LLE_default_location)
			dwarf_uleb(cursor);
		if (kind == DW_LLE_base_address || kind == DW_LLE_base_addressx)
			continue;
		if (kind == DW_LLE_start_end)
			dwarf_skip(cursor, size);
		else if (kind != DW_LLE_default_location)
			dwarf_uleb(cursor);
		if (kind != DW_LLE_GNU_view_pair)
			return dwarf_uleb(cursor);
	}
}

/* The expression that holds where the function begins. */
static struct elf_bytes first_location(const struct dwarf *dwarf, const struct dwarf_unit *unit,
				       uint64_t offset)
{
	struct dwarf_cursor cursor =
		dwarf_cursor(dwarf, unit->version >= 5 ? DWARF_LOCLISTS : DWARF_LOC, offset);
	uint64_t size = unit->version >= 5 ? first_of_5(&cursor, unit->address_size)
					   : first_of_4(&cursor, unit->address_size);

	if (cursor.bad || size > (uint64_t)(cursor.end - cursor.at))
		return (struct elf_bytes){.data = NULL};
	return (struct elf_bytes){.data = cursor.at, .size = size};
}

/* What is in memory at a register, or at an address that the frame holds, came as an address. */
static bool is_address(const struct reading *reading, const struct dwarf_entry *entry)
{
	struct elf_bytes expression = entry->expression;
	uint8_t first, last;

	if (!expression.data && entry->location != DWARF_NONE)
		expression = first_location(reading->dwarf, reading->unit, entry->location);
	if (!expression.data || !expression.size)
		return true; /* most are */
	first = expression.data[0];
	last = expression.data[expression.size - 1];
	if (first == DW_OP_fbreg)
		return last == DW_OP_deref;
	if (first == DW_OP_entry_value || first == DW_OP_GNU_entry_value)
		return last != DW_OP_stack_value;
	return first >= DW_OP_breg0 && first <= DW_OP_breg31 && last != DW_OP_stack_value;
}

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
	struct passing passing = fortran && is_address(reading, entry)
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

bool declared_read(struct dwarf *dwarf, uint64_t entry, struct declared *declared)
{
	struct reading reading = {.dwarf = dwarf, .declared = declared};
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
	else if (function.entry.convention == DW_CC_nocall)
		refuse(&reading, "", "the compiler has changed them");
	reading.ended = declared->refused != NULL;
	declared->refused_result = declared->refused;
	if (reading.ended)
		return true;
	read_result(&reading, &function);
	read_parameters(&reading, passing_is_fortran(function.unit) ? entry : function.parameters);
	return true;
}
