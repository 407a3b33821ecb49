/* SPDX-License-Identifier: MIT */
/* dwarf_values.c - see dwarf_values.h */
#include "native/dwarf_values.h"

#include <string.h>

#include "native/dwarf_words.h"

/* ---- bytes ---- */

void dwarf_skip(struct dwarf_cursor *cursor, uint64_t bytes)
{
	if (dwarf_has(cursor, bytes))
		cursor->at += bytes;
}

uint64_t dwarf_uleb(struct dwarf_cursor *cursor)
{
	uint64_t number = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = dwarf_number(cursor, 1);

		if (shift < 64)
			number |= (byte & 127) << shift;
		if (cursor->bad || !(byte & 128))
			return number;
	}
}

int64_t dwarf_sleb(struct dwarf_cursor *cursor)
{
	uint64_t number = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = dwarf_number(cursor, 1);

		if (shift < 64)
			number |= (byte & 127) << shift;
		if (cursor->bad)
			return 0;
		if (byte & 128)
			continue;
		if ((byte & 64) && shift + 7 < 64)
			number |= ~0ull << (shift + 7);
		return (int64_t)number;
	}
}

const char *dwarf_string(struct dwarf_cursor *cursor)
{
	const char *text = (const char *)cursor->at;
	const uint8_t *end = dwarf_has(cursor, 1)
				     ? memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at))
				     : NULL;

	if (!end) {
		cursor->bad = true;
		return "";
	}
	cursor->at = end + 1;
	return text;
}

const char *dwarf_text(const struct dwarf *dwarf, enum dwarf_section section, uint64_t offset)
{
	struct dwarf_cursor cursor = dwarf_cursor(dwarf, section, offset);
	const char *text = dwarf_string(&cursor);

	return cursor.bad ? NULL : text;
}

static uint64_t table_entry(const struct dwarf *dwarf, enum dwarf_section section, uint64_t begin,
			    uint64_t index, unsigned size)
{
	struct dwarf_cursor cursor = {.bad = true};

	if (begin != DWARF_NONE && index < UINT32_MAX && begin < UINT64_MAX - index * size)
		cursor = dwarf_cursor(dwarf, section, begin + index * size);
	begin = dwarf_number(&cursor, size);
	return cursor.bad ? DWARF_NONE : begin;
}

uint64_t dwarf_address(const struct dwarf *dwarf, const struct dwarf_unit *unit, uint64_t index)
{
	return table_entry(dwarf, DWARF_ADDR, unit->addresses, index, unit->address_size);
}

/* ---- values ---- */

static void indexed_text(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			 struct dwarf_value *value)
{
	uint64_t offset = table_entry(dwarf, DWARF_STR_OFFSETS, unit->str_offsets, value->number,
				      unit->offset_size);

	value->text = offset == DWARF_NONE ? NULL : dwarf_text(dwarf, DWARF_STR, offset);
}

static void read_block(struct dwarf_cursor *cursor, uint64_t size, struct dwarf_value *value)
{
	value->block.data = cursor->at;
	dwarf_skip(cursor, size);
	value->block.size = cursor->bad ? 0 : size;
}

/* How many bytes a number of a form has, that is nothing more. 0: it is another one. */
static unsigned plain_size(const struct dwarf_unit *unit, uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_flag:
		return 1;
	case DW_FORM_data2:
		return 2;
	case DW_FORM_data4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_addr:
		return unit->address_size;
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return unit->offset_size;
	default:
		return 0;
	}
}

/* References within the unit are made such of the section. */
static bool read_reference(const struct dwarf_unit *unit, struct dwarf_cursor *cursor,
			   uint64_t form, struct dwarf_value *value)
{
	if (form == DW_FORM_ref_addr)
		value->number = dwarf_number(cursor, unit->version < 3 ? unit->address_size
								       : unit->offset_size);
	else if (form == DW_FORM_ref_udata)
		value->number = unit->offset + dwarf_uleb(cursor);
	else if (form >= DW_FORM_ref1 && form <= DW_FORM_ref8)
		value->number = unit->offset + dwarf_number(cursor, 1u << (form - DW_FORM_ref1));
	else
		return false;
	return true;
}

static bool read_text(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		      struct dwarf_cursor *cursor, uint64_t form, struct dwarf_value *value)
{
	if (form == DW_FORM_string) {
		value->text = dwarf_string(cursor);
	} else if (form == DW_FORM_strp) {
		value->text = dwarf_text(dwarf, DWARF_STR, dwarf_number(cursor, unit->offset_size));
	} else if (form == DW_FORM_line_strp) {
		value->text =
			dwarf_text(dwarf, DWARF_LINE_STR, dwarf_number(cursor, unit->offset_size));
	} else if (form == DW_FORM_strx || form == DW_FORM_GNU_str_index) {
		value->number = dwarf_uleb(cursor);
		indexed_text(dwarf, unit, value);
	} else if (form >= DW_FORM_strx1 && form <= DW_FORM_strx4) {
		value->number = dwarf_number(cursor, (unsigned)(form - DW_FORM_strx1) + 1);
		indexed_text(dwarf, unit, value);
	} else {
		return false;
	}
	return true;
}

static bool read_block_form(struct dwarf_cursor *cursor, uint64_t form, struct dwarf_value *value)
{
	switch (form) {
	case DW_FORM_block1:
		read_block(cursor, dwarf_number(cursor, 1), value);
		return true;
	case DW_FORM_block2:
		read_block(cursor, dwarf_number(cursor, 2), value);
		return true;
	case DW_FORM_block4:
		read_block(cursor, dwarf_number(cursor, 4), value);
		return true;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		read_block(cursor, dwarf_uleb(cursor), value);
		return true;
	case DW_FORM_data16:
		dwarf_skip(cursor, 16);
		return true;
	default:
		return false;
	}
}

/* The list of that number: its table says how far behind the table's begin. */
static uint64_t list_at(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			enum dwarf_section section, uint64_t table, uint64_t number)
{
	uint64_t offset = table_entry(dwarf, section, table, number, unit->offset_size);

	return offset == DWARF_NONE ? DWARF_NONE : table + offset;
}

static bool read_number(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			struct dwarf_cursor *cursor, uint64_t form, struct dwarf_value *value)
{
	unsigned size = plain_size(unit, form);

	if (size)
		value->number = dwarf_number(cursor, size);
	else if (form == DW_FORM_flag_present)
		value->number = 1;
	else if (form == DW_FORM_sdata)
		value->number = (uint64_t)dwarf_sleb(cursor);
	else if (form == DW_FORM_udata)
		value->number = dwarf_uleb(cursor);
	else if (form == DW_FORM_loclistx)
		value->number =
			list_at(dwarf, unit, DWARF_LOCLISTS, unit->loclists, dwarf_uleb(cursor));
	else if (form == DW_FORM_rnglistx)
		value->number =
			list_at(dwarf, unit, DWARF_RNGLISTS, unit->rnglists, dwarf_uleb(cursor));
	else if (form == DW_FORM_addrx || form == DW_FORM_GNU_addr_index)
		value->number = dwarf_address(dwarf, unit, dwarf_uleb(cursor));
	else if (form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4)
		value->number =
			dwarf_address(dwarf, unit,
				      dwarf_number(cursor, (unsigned)(form - DW_FORM_addrx1) + 1));
	else
		return false;
	return true;
}

bool dwarf_value(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		 struct dwarf_cursor *cursor, uint64_t form, struct dwarf_value *value)
{
	*value = (struct dwarf_value){.number = 0};
	if (form == DW_FORM_indirect) {
		form = dwarf_uleb(cursor);
		if (form == DW_FORM_indirect)
			return false;
	}
	return (read_number(dwarf, unit, cursor, form, value) ||
		read_reference(unit, cursor, form, value) ||
		read_text(dwarf, unit, cursor, form, value) ||
		read_block_form(cursor, form, value)) &&
	       !cursor->bad;
}
