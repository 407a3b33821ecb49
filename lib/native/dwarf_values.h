/* SPDX-License-Identifier: MIT */
/*
 * dwarf_values.h - how values are written in the sections of dwarf.h: numbers, strings, and the forms of attributes.
 */
#ifndef RECORDER_NATIVE_DWARF_VALUES_H
#define RECORDER_NATIVE_DWARF_VALUES_H

#include "native/dwarf.h"

/* A place in bytes that may be wrong: behind their end it gives zeros, and says so. */
struct dwarf_cursor {
	const uint8_t *at, *end;
	bool bad;
};

static inline struct dwarf_cursor dwarf_cursor(const struct dwarf *dwarf,
					       enum dwarf_section section, uint64_t offset)
{
	const struct elf_bytes *bytes = &dwarf->sections[section];

	if (!bytes->data || offset >= bytes->size)
		return (struct dwarf_cursor){.bad = true};
	return (struct dwarf_cursor){bytes->data + offset, bytes->data + bytes->size, false};
}

/* Whether so many bytes are left; if not, it is bad from now on. */
static inline bool dwarf_has(struct dwarf_cursor *cursor, uint64_t bytes)
{
	if (cursor->bad || bytes > (uint64_t)(cursor->end - cursor->at))
		cursor->bad = true;
	return !cursor->bad;
}

static inline uint64_t dwarf_number(struct dwarf_cursor *cursor, unsigned bytes)
{
	uint64_t number = 0;

	if (!dwarf_has(cursor, bytes))
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)cursor->at[i] << (8 * i);
	cursor->at += bytes;
	return number;
}

uint64_t dwarf_uleb(struct dwarf_cursor *cursor);
int64_t dwarf_sleb(struct dwarf_cursor *cursor);
/* A string that ends there; "" if it does not. */
const char *dwarf_string(struct dwarf_cursor *cursor);
void dwarf_skip(struct dwarf_cursor *cursor, uint64_t bytes);
/* The string at an offset of a section of strings; NULL: none. */
const char *dwarf_text(const struct dwarf *dwarf, enum dwarf_section section, uint64_t offset);
/* The address of that number in the unit's table. */
uint64_t dwarf_address(const struct dwarf *dwarf, const struct dwarf_unit *unit, uint64_t index);

/* The value of one attribute, of whatever form, at the cursor; what the value is of no use for is skipped. False: the form is not known. */
struct dwarf_value {
	uint64_t number;
	const char *text;
	struct elf_bytes block;
};
bool dwarf_value(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		 struct dwarf_cursor *cursor, uint64_t form, struct dwarf_value *value);

#endif
