/* SPDX-License-Identifier: MIT */
/* passing.c - see passing.h */
#include "native/passing.h"

#include <string.h>

#include "native/dwarf_words.h"
#include "native/triviality.h"

#define CHAIN_MAX 32u /* names and qualifiers of a type */
#define DEPTH_MAX 8u  /* structures in structures */
#define MEMBERS_MAX 64u
#define REGISTERS_MAX 16u /* bytes of a structure that comes in registers */

static bool is_one_of(uint64_t language, const uint8_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == language)
			return true;
	return false;
}

bool passing_is_fortran(const struct dwarf_unit *unit)
{
	static const uint8_t list[] = {0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d};

	return is_one_of(unit->language, list, sizeof(list));
}

static bool is_c(const struct dwarf_unit *unit)
{
	static const uint8_t list[] = {0x01, 0x02, 0x0c, 0x1d, 0x2c, 0x3e};

	return is_one_of(unit->language, list, sizeof(list));
}

static bool is_cplusplus(const struct dwarf_unit *unit)
{
	static const uint8_t list[] = {0x04, 0x1a, 0x21, 0x2b, 0x2e, 0x3a};

	return is_one_of(unit->language, list, sizeof(list));
}

bool passing_is_known(const struct dwarf_unit *unit)
{
	return is_c(unit) || is_cplusplus(unit) || passing_is_fortran(unit);
}

/* ---- types ---- */

struct type {
	struct dwarf_entry entry;
	const struct dwarf_unit *unit;
};

static bool is_qualifier(uint32_t tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Behind its names and qualifiers. False: void, or not there. */
static bool resolve(struct dwarf *dwarf, uint64_t offset, struct type *type)
{
	for (unsigned i = 0; i < CHAIN_MAX && offset != DWARF_NONE; i++) {
		type->unit = dwarf_unit_of(dwarf, offset);
		if (!type->unit || !dwarf_read(dwarf, type->unit, offset, &type->entry))
			return false;
		if (!is_qualifier(type->entry.tag))
			return true;
		offset = type->entry.type;
	}
	return false;
}

static bool is_void(struct dwarf *dwarf, uint64_t offset)
{
	for (unsigned i = 0; i < CHAIN_MAX && offset != DWARF_NONE; i++) {
		const struct dwarf_unit *unit = dwarf_unit_of(dwarf, offset);
		struct dwarf_entry entry;

		if (!unit || !dwarf_read(dwarf, unit, offset, &entry) || !is_qualifier(entry.tag))
			return false;
		offset = entry.type;
	}
	return offset == DWARF_NONE;
}

static bool is_structure(const struct type *type)
{
	return type->entry.tag == DW_TAG_structure_type || type->entry.tag == DW_TAG_class_type ||
	       type->entry.tag == DW_TAG_union_type;
}

static bool is_named(const struct type *type, const char *name)
{
	return type->entry.name && !strcmp(type->entry.name, name);
}

/* ---- structures ---- */

enum eightbyte { NOTHING, VECTOR, GENERAL };

struct layout {
	enum eightbyte halves[2];
	bool unknown;
	unsigned members;
};

static void lay_out(struct dwarf *dwarf, uint64_t offset, uint64_t at, struct layout *layout,
		    unsigned depth);

static void mark(struct layout *layout, uint64_t at, uint64_t size, enum eightbyte class)
{
	if (!size || at + size > REGISTERS_MAX || at % (size > 8 ? 8 : size)) {
		layout->unknown = true;
		return;
	}
	for (uint64_t half = at / 8; half <= (at + size - 1) / 8; half++)
		if (layout->halves[half] < class)
			layout->halves[half] = class;
}

static void lay_out_members(struct dwarf *dwarf, const struct type *type, uint64_t at,
			    struct layout *layout, unsigned depth)
{
	struct dwarf_entry entry;
	unsigned level = 0;

	for (uint64_t next = type->entry.next; type->entry.children; next = entry.next) {
		if (!dwarf_read(dwarf, type->unit, next, &entry)) {
			layout->unknown = true;
			return;
		}
		if (!entry.tag && level == 0)
			return;
		if (level == 0 && (entry.tag == DW_TAG_member || entry.tag == DW_TAG_inheritance) &&
		    !entry.declaration) {
			layout->unknown |= entry.bit_field || ++layout->members > MEMBERS_MAX;
			lay_out(dwarf, entry.type, at + entry.member_location, layout, depth + 1);
		}
		if (layout->unknown)
			return;
		level += entry.children;
		level -= !entry.tag;
	}
}

static void lay_out(struct dwarf *dwarf, uint64_t offset, uint64_t at, struct layout *layout,
		    unsigned depth)
{
	struct type type;

	if (at >= REGISTERS_MAX || depth > DEPTH_MAX || !resolve(dwarf, offset, &type))
		layout->unknown = true;
	else if (is_structure(&type))
		lay_out_members(dwarf, &type, at, layout, depth);
	else if (type.entry.tag == DW_TAG_base_type && type.entry.encoding == DW_ATE_float &&
		 type.entry.byte_size <= 8)
		mark(layout, at, type.entry.byte_size, VECTOR);
	else if (type.entry.tag == DW_TAG_base_type && type.entry.encoding != DW_ATE_float &&
		 type.entry.encoding != DW_ATE_complex_float)
		mark(layout, at, type.entry.byte_size, GENERAL);
	else if (type.entry.tag == DW_TAG_enumeration_type)
		mark(layout, at, type.entry.byte_size, GENERAL);
	else if (type.entry.tag == DW_TAG_pointer_type || type.entry.tag == DW_TAG_reference_type ||
		 type.entry.tag == DW_TAG_rvalue_reference_type)
		mark(layout, at, 8, GENERAL);
	else
		layout->unknown = true;
}

/* In memory, or in registers by what its halves are. */
static void pass_structure(struct dwarf *dwarf, const struct type *type, struct passing *passing)
{
	struct layout layout = {.unknown = false};

	passing->refused = "a structure";
	if (type->entry.byte_size > REGISTERS_MAX) {
		passing->words = (unsigned)((type->entry.byte_size + 7) / 8);
		passing->unknown = type->entry.byte_size > 1u << 20;
		return;
	}
	lay_out_members(dwarf, type, 0, &layout, 0);
	for (unsigned i = 0; i < 2; i++) {
		passing->general += layout.halves[i] == GENERAL;
		passing->vectors += layout.halves[i] == VECTOR;
	}
	passing->unknown = layout.unknown || layout.halves[0] == NOTHING;
}

/* ---- all types ---- */

static void pass_number(struct passing *passing, enum kind kind, uint64_t bytes)
{
	passing->item.kind = (uint8_t)kind;
	passing->item.bits = (uint8_t)(bytes * 8);
	passing->general = 1;
}

static void pass_float(const struct type *type, struct passing *passing)
{
	uint64_t bytes = type->entry.byte_size;

	if (bytes == 4 || bytes == 8) {
		passing->item.kind = KIND_double;
		passing->item.bits = (uint8_t)(bytes * 8);
		passing->item.floating = true;
		passing->vectors = 1;
		return;
	}
	passing->refused = "a number of another size";
	passing->words = is_named(type, "long double") ? 2 : 0;
	passing->wide = true;
	passing->vectors = passing->words ? 0 : 1;
	passing->unknown = bytes != 16;
}

static void pass_base(const struct type *type, struct passing *passing)
{
	uint64_t bytes = type->entry.byte_size, encoding = type->entry.encoding;

	if (encoding == DW_ATE_float) {
		pass_float(type, passing);
	} else if (encoding == DW_ATE_complex_float) {
		passing->refused = "a complex number";
		passing->vectors = bytes == 16 ? 2 : 1;
		passing->unknown = bytes > 16;
	} else if (bytes == 16) {
		passing->refused = "a number of 128 bits";
		passing->general = 2;
		passing->wide = true;
	} else if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
		passing->unknown = true;
		passing->refused = "a number of another size";
	} else if (encoding == DW_ATE_boolean) {
		pass_number(passing, KIND_bool, bytes);
	} else if (bytes == 1 && is_named(type, "char")) {
		pass_number(passing, KIND_char, bytes);
	} else {
		pass_number(passing,
			    encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? KIND_int
											: KIND_uint,
			    bytes);
	}
}

static void pass_pointer(struct dwarf *dwarf, const struct type *type, struct passing *passing)
{
	struct type to;

	pass_number(passing, KIND_pointer, 8);
	if (type->entry.tag == DW_TAG_pointer_type && resolve(dwarf, type->entry.type, &to) &&
	    to.entry.tag == DW_TAG_base_type && is_named(&to, "char"))
		passing->item.kind = KIND_string;
}

static void pass_enumeration(struct dwarf *dwarf, const struct type *type, struct passing *passing)
{
	struct type of;

	if (resolve(dwarf, type->entry.type, &of) && of.entry.tag == DW_TAG_base_type)
		pass_base(&of, passing);
	else
		pass_number(passing, KIND_int, type->entry.byte_size ? type->entry.byte_size : 4);
}

/* By its address if it is not to be copied bit by bit. */
static void pass_class(struct dwarf *dwarf, const struct type *type, struct passing *passing)
{
	bool known = true, trivial = true;

	if (type->entry.convention)
		trivial = type->entry.convention != DW_CC_pass_by_reference;
	else if (is_cplusplus(type->unit))
		trivial = triviality_of(dwarf, type->unit, &type->entry, &known);
	if (!known || type->entry.declaration) {
		passing->unknown = true;
		passing->refused = "a structure";
	} else if (trivial) {
		pass_structure(dwarf, type, passing);
	} else {
		pass_number(passing, KIND_pointer, 8);
	}
}

static void pass(struct dwarf *dwarf, const struct type *type, struct passing *passing)
{
	struct type to;

	switch (type->entry.tag) {
	case DW_TAG_base_type:
		pass_base(type, passing);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		pass_pointer(dwarf, type, passing);
		break;
	case DW_TAG_unspecified_type: /* nullptr_t */
		pass_number(passing, KIND_pointer, 8);
		break;
	case DW_TAG_enumeration_type:
		pass_enumeration(dwarf, type, passing);
		break;
	case DW_TAG_ptr_to_member_type:
		passing->refused = "a pointer to a member";
		passing->general = resolve(dwarf, type->entry.type, &to) &&
						   to.entry.tag == DW_TAG_subroutine_type
					   ? 2
					   : 1;
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		pass_class(dwarf, type, passing);
		break;
	default:
		passing->unknown = true;
		passing->refused = "of a type that is not known here";
	}
}

struct passing passing_of(struct dwarf *dwarf, uint64_t offset)
{
	struct passing passing = {.general = 0};
	struct type type;

	if (resolve(dwarf, offset, &type)) {
		pass(dwarf, &type, &passing);
	} else {
		passing.unknown = true;
		passing.refused = "of a type that is told elsewhere";
	}
#ifdef __aarch64__
	passing.unknown |= passing.refused != NULL;
#endif
	return passing;
}

struct passing passing_of_address(struct dwarf *dwarf, uint64_t offset)
{
	struct passing passing = {.general = 0};
	struct type type;

	if (resolve(dwarf, offset, &type) && type.entry.tag == DW_TAG_base_type)
		pass_base(&type, &passing);
	if (passing.item.kind && !passing.refused) {
		passing.item.indirect = true;
	} else {
		passing = (struct passing){.general = 0};
		pass_number(&passing, KIND_pointer, 8);
		if (resolve(dwarf, offset, &type) && type.entry.tag == DW_TAG_string_type)
			passing.item.kind = KIND_string;
	}
	passing.vectors = 0;
	passing.general = 1;
	return passing;
}

bool passing_hidden(struct dwarf *dwarf, uint64_t offset, const struct dwarf_unit *user,
		    bool *known)
{
	struct passing passing;
	struct type type;

	*known = true;
	if (is_void(dwarf, offset))
		return false;
	if (!resolve(dwarf, offset, &type)) {
		*known = false;
		return false;
	}
	if (passing_is_fortran(user)) {
		*known =
			type.entry.tag == DW_TAG_base_type || type.entry.tag == DW_TAG_pointer_type;
		return false;
	}
#ifdef __aarch64__
	return false; /* it has a register of its own */
#endif
	if (!is_structure(&type))
		return false;
	passing = passing_of(dwarf, offset);
	*known = !passing.unknown;
	return passing.words > 0 || passing.item.kind == KIND_pointer;
}
